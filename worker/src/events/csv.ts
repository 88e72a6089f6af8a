//! Events as CSV (RFC 4180): a header, a row each, a funnel as the JSON that it is.
//!
//! Ids come from exchanges and may be anything. A spreadsheet would run a text like `=HYPERLINK(…)` as a formula, so such a
//! text has an apostrophe in front. A reader takes away the first apostrophe of a text, if there is one, and has what was
//! sent. A number stays as it is, `-1` too.

import type { Format } from "../format.ts";
import { ATTRIBUTES, type Event, type Kind } from "./schema.ts";

/** How a formula may begin; an apostrophe too, or nobody could tell ours from one that was sent. */
const UNSAFE = /^['=+\-@\t\r\n＝＋－＠]/;

export const csv: Format<Event> = {
  type: "text/csv; charset=utf-8; header=present",
  head: row(ATTRIBUTES.map(({ name }) => name)),
  encode: (event) => row(ATTRIBUTES.map(({ name, kind }) => cellOf(event[name], kind))),
};

function row(values: string[]): string {
  return `${values.map(quoted).join(",")}\r\n`;
}

function cellOf(value: Event[keyof Event], kind: Kind): string {
  if (value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return kind === "text" && UNSAFE.test(text) ? `'${text}` : text;
}

/** RFC 4180 §2.5 to 2.7. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
