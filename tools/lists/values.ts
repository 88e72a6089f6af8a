//! Reads the values of a list from a file of a stranger: a text with one value a line, or a column of CSV, both perhaps
//! compressed by gzip.

import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { reasonOf } from "../../build/failure.mjs";
import { valuesOf } from "../../cli/catalog/list-text.ts";

/** The largest size of a file in bytes, both as it is sent and after decompression. */
export const MAX_BYTES = 64 << 20;
/** The most values of a list: ranges of addresses. The compiler knows that other lists have fewer. */
const MAX_VALUES = 1_000_000;
const GZIP = [0x1f, 0x8b];

/**
 * The values in their order, each once. `column`: the title of a column of CSV, or its number, counted from 1, if there
 * are no titles; undefined: the file is a text. Throws in words if the file is no such list, or an empty one.
 */
export function readValues(bytes: Uint8Array, column: string | undefined): string[] {
  const text = textOf(inflated(bytes));
  if (/^\s*</.test(text)) throw new Error("HTML or XML; expected a text with one value a line, or CSV");
  const all = column === undefined ? valuesOf(text).map(({ value }) => value) : columnOf(text, column);
  const values = [...new Set(all.filter((value) => value !== ""))];
  const odd = values.find((value) => /[\r\n]|^#/.test(value));
  if (odd !== undefined) throw new Error(`the value ${JSON.stringify(odd.slice(0, 80))} cannot be a line of a list`);
  if (values.length === 0) throw new Error("no value; a list that is meant to be empty is deleted by hand");
  if (values.length > MAX_VALUES) throw new Error(`${values.length} values; expected at most ${MAX_VALUES}`);
  return values;
}

/** Throws unless the bytes have the SHA-256, which is in hex at the beginning of a text as `sha256sum` writes it. */
export function assertHash(bytes: Uint8Array, text: string): void {
  const expected = /^[0-9a-f]{64}(?=\s|$)/i.exec(text)?.[0].toLowerCase();
  const is = createHash("sha256").update(bytes).digest("hex");
  if (expected === undefined) throw new Error("the text of sha256 begins with no SHA-256 in hex");
  if (is !== expected) throw new Error(`its SHA-256 is ${is}; expected ${expected}`);
}

function inflated(bytes: Uint8Array): Uint8Array {
  if (GZIP.some((byte, at) => bytes[at] !== byte)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isLong = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new Error(isLong ? `more than ${MAX_BYTES} bytes when inflated` : `gzip: ${reasonOf(error)}`);
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("not UTF-8; expected a text with one value a line, or CSV");
  }
}

function columnOf(text: string, column: string): string[] {
  const number = /^\d+$/.test(column) ? Number(column) : undefined;
  let rows: string[][];
  try {
    rows = parse(text, { trim: true, skip_empty_lines: true, relax_column_count: true, delimiter: [",", ";", "\t"] });
  } catch (error) {
    throw new Error(`no CSV: ${reasonOf(error)}`);
  }
  if (number !== undefined) return rows.map((row) => row[number - 1] ?? "");
  const titles = (rows[0] ?? []).map((title) => title.toLowerCase());
  const at = titles.indexOf(column.toLowerCase());
  if (at < 0)
    throw new Error(`no column ${column}; the first line has ${titles.slice(0, 20).join(", ").slice(0, 200)}`);
  return rows.slice(1).map((row) => row[at] ?? "");
}
