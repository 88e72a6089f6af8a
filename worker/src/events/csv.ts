//! Events as CSV (RFC 4180): a header, a row each, a funnel as the JSON that it is.
//!
//! Exchanges choose their ids freely. A spreadsheet runs a text such as `=HYPERLINK(…)` as a formula, so this format puts an
//! apostrophe in front of such a text. A reader that removes the first apostrophe of a text, if there is one, gets the exact
//! text back. Numbers stay as they are, negative ones too.

import type { Format } from "./format.ts";
import { ATTRIBUTES, type Event, type Kind } from "./schema.ts";

/** The first characters of formulas; and the apostrophe, so that a reader can tell ours from one in the id. */
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
