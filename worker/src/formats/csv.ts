//! Records as CSV (RFC 4180): a header, then one row per record. Counts are JSON.
//!
//! Exchanges and advertisers choose their ids freely. A spreadsheet runs a text such as `=HYPERLINK(…)` as a formula, so
//! this format puts an apostrophe in front of such a text. A program that removes one leading apostrophe from each text
//! gets the exact text back. Numbers get no apostrophe, not even negative numbers.

import type { Attribute, Format, Kind } from "./format.ts";

/**
 * A text that starts like a formula, or with an apostrophe. Otherwise a program that removes one apostrophe would
 * shorten an id that starts with an apostrophe.
 */
const UNSAFE = /^['=+\-@\t\r\n＝＋－＠]/;

/** CSV with a column for each attribute. */
export function csvOf<Record>(attributes: readonly Attribute<Record>[]): Format<Record> {
  return {
    type: "text/csv; charset=utf-8; header=present",
    head: row(attributes.map(({ name }) => name)),
    encode: (record) => row(attributes.map(({ name, kind }) => cellOf(record[name], kind))),
  };
}

function row(values: string[]): string {
  return `${values.map(quoted).join(",")}\r\n`;
}

function cellOf(value: unknown, kind: Kind): string {
  if (value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return kind === "text" && UNSAFE.test(text) ? `'${text}` : text;
}

/** RFC 4180, section 2, rules 5 to 7. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
