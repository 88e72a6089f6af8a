//! The formats in which records are sent, as JSON and CSV, and the attributes that all formats of a record share.
//! `protobuf.ts` has the third format.

/** Turns records into a body. */
export interface Format<Record> {
  /** The Content-Type. */
  type: string;
  /** The beginning of the body. */
  head: string | Uint8Array;
  /** Encodes one record. The caller copies the bytes before the next call. */
  encode(record: Record): string | Uint8Array;
  /** The text between two records. By default, there is none. */
  separator?: string;
  /** The end of the body. Without it, the body ends with the last record. */
  foot?: string;
}

/** A part of a body. Bytes are valid only until the next piece. */
export type Piece = string | Uint8Array;

/** The pieces that make up the body. */
export function* pieces<Record>(records: Iterable<Record>, format: Format<Record>): Generator<Piece> {
  const { head, separator = "", foot = "" } = format;
  yield head;
  let isFirst = true;
  for (const record of records) {
    if (!isFirst) yield separator;
    isFirst = false;
    yield format.encode(record);
  }
  yield foot;
}

/** Numbers of events by name. */
export type Counts = Record<string, number>;

/** The type of an attribute. All integers are at most 2^53, also times and money. */
export type Kind = "integer" | "text" | "boolean" | "counts";

/** An attribute of a record. A list of attributes has the order of the CSV columns. */
export interface Attribute<Name extends string = string> {
  name: Name;
  kind: Kind;
  /** The number of the field in the protobuf schema. It is never reused for another attribute. */
  field: number;
}

/** The values of each kind. */
interface Values {
  integer: number;
  text: string;
  boolean: boolean;
  counts: Counts;
}

/** A record that has a value for some of these attributes. */
export type RecordOf<Attributes extends readonly Attribute[]> = {
  [One in Attributes[number] as One["name"]]?: Values[One["kind"]];
};

/** NDJSON: one line of JSON per record. */
export const ndjson: Format<object> = {
  type: "application/x-ndjson",
  head: "",
  encode: (record) => `${JSON.stringify(record)}\n`,
};

/** One JSON object with the members of `about`, and after them the records in the list `list`, a line each. */
export function jsonDocument(about: object, list: string): Format<object> {
  return {
    type: "application/json",
    head: `${JSON.stringify({ ...about, [list]: [] }).slice(0, -2)}\n`,
    encode: (record) => JSON.stringify(record),
    separator: ",\n",
    foot: "\n]}\n",
  };
}

/**
 * A text that starts like a formula, or with an apostrophe. Readers remove one apostrophe, so an id that starts with
 * one needs a second.
 */
const UNSAFE = /^['=+\-@\t\r\n＝＋－＠]/;

/**
 * CSV (RFC 4180) with a column for each attribute: a header, then one row per record. Counts are JSON.
 *
 * Exchanges and advertisers choose their ids freely. A spreadsheet runs a text such as `=HYPERLINK(…)` as a formula, so
 * an apostrophe stands in front of such a text. A program that removes one leading apostrophe from each text gets the
 * exact text back. Numbers get no apostrophe, not even negative numbers.
 */
export function csvOf<Record>(attributes: readonly Attribute<keyof Record & string>[]): Format<Record> {
  return {
    type: "text/csv; charset=utf-8; header=present",
    head: csvRow(attributes.map(({ name }) => name)),
    encode: (record) => csvRow(attributes.map(({ name, kind }) => cellOf(record[name], kind))),
  };
}

/** One row of CSV. Texts are written by {@link csvText}. */
export function csvRow(values: readonly string[]): string {
  return `${values.map(quoted).join(",")}\r\n`;
}

function cellOf(value: unknown, kind: Kind): string {
  if (value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return kind === "text" ? csvText(text) : text;
}

/** A text that no spreadsheet runs as a formula. */
export function csvText(text: string): string {
  return UNSAFE.test(text) ? `'${text}` : text;
}

/** RFC 4180, section 2, rules 5 to 7. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
