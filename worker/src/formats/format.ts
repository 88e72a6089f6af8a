//! The interface of a format in which records are sent, and the attributes that all formats of a record share.

/** Turns records into a body. */
export interface Format<Record> {
  /** The Content-Type. */
  type: string;
  /** The beginning of the body. */
  head: string | Uint8Array;
  /** Encodes one record. The caller copies the bytes before the next call. */
  encode(record: Record): string | Uint8Array;
  /** Stands between two records. Without it, nothing does. */
  separator?: string;
  /** The end of the body. Without it, the body ends with the last record. */
  foot?: string;
}

/** The texts and bytes that make up the body. Bytes are valid only until the next piece. */
export function* pieces<Record>(records: Iterable<Record>, format: Format<Record>): Generator<string | Uint8Array> {
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

/** A number of events by name. */
export type Counts = Record<string, number>;

/** The type of an attribute. All integers are at most 2^53, also times and money. */
export type Kind = "integer" | "text" | "boolean" | "counts";

/** An attribute of a record. A list of attributes has the order of the CSV columns. */
export interface Attribute<Record> {
  name: keyof Record & string;
  kind: Kind;
  /** The number of the field in the protobuf schema. It is never reused for another attribute. */
  field: number;
}
