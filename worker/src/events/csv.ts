//! Events as CSV (RFC 4180): a header, a row each, a funnel as the JSON that it is.

import type { Format } from "../format.ts";
import { ATTRIBUTES, type Event } from "./schema.ts";

export const csv: Format<Event> = {
  type: "text/csv; charset=utf-8; header=present",
  head: row(ATTRIBUTES.map(({ name }) => name)),
  encode: (event) => row(ATTRIBUTES.map(({ name }) => textOf(event[name]))),
};

function row(values: string[]): string {
  return `${values.map(quoted).join(",")}\r\n`;
}

function textOf(value: Event[keyof Event]): string {
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** RFC 4180 §2.5 to 2.7. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
