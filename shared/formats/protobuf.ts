//! Records as protobuf: the body is one message with a list of records. Each record in it is encoded alone, so the body
//! can be written as a stream.
//!
//! The schemas (`event.proto`, `report.proto`) use only two wire types, so the writer is short. The tests read its
//! output with a protobuf library.

import type { Attribute, Counts, Format } from "./format.ts";

/** Wire types: a varint, and bytes with their length in front. */
const VARINT = 0;
const BYTES = 2;

const KEY_FIELD = 1;
const VALUE_FIELD = 2;

/** The most bytes of a varint, and of a message's tag and length together. */
const MAX_VARINT = 10;
const MAX_HEAD = 2 * MAX_VARINT;
/** The most bytes of UTF-8 for one UTF-16 unit. */
const MAX_BYTES_A_UNIT = 3;

const utf8 = new TextEncoder();

/**
 * Protobuf with a field for each attribute. The records are the field `list` of the body's message. `head` has the
 * message's other fields.
 */
export function protobufOf<Record>(
  attributes: readonly Attribute<keyof Record & string>[],
  list: number,
  head: Uint8Array | string = "",
): Format<Record> {
  return {
    type: "application/x-protobuf",
    head,
    encode: (record) => written(attributes, record).framed(list),
  };
}

/** The fields of one record, without the tag and length of a message. */
export function fieldsOf<Record>(
  attributes: readonly Attribute<keyof Record & string>[],
  record: Record,
): Uint8Array<ArrayBuffer> {
  return written(attributes, record).bytes();
}

function written<Record>(attributes: readonly Attribute<keyof Record & string>[], record: Record): Writer {
  const writer = new Writer();
  for (const { name, kind, field } of attributes) {
    const value: unknown = record[name];
    if (value === undefined) continue;
    if (kind === "text") writer.text(field, value as string);
    else if (kind === "counts") writer.counts(field, value as Counts);
    else writer.integer(field, Number(value));
  }
  return writer;
}

/** Writes one message, and leaves free bytes in front for the message's tag and length. */
class Writer {
  #bytes = new Uint8Array(1024);
  #end = MAX_HEAD;

  /** Writes an integer that is not negative; 0 is left out. */
  integer(field: number, value: number): void {
    if (value === 0) return;
    this.#reserve(MAX_HEAD);
    this.#end = varint(this.#bytes, varint(this.#bytes, this.#end, field * 8 + VARINT), value);
  }

  /** Writes a text; an empty one is left out. */
  text(field: number, value: string): void {
    if (value === "") return;
    this.#reserve(MAX_HEAD + MAX_BYTES_A_UNIT * value.length);
    // The length comes first, but is known only after the text is written. One byte is enough for nearly all ids.
    const at = varint(this.#bytes, this.#end, field * 8 + BYTES);
    const { written } = utf8.encodeInto(value, this.#bytes.subarray(at + 1));
    if (written > 127) this.#bytes.copyWithin(at + sizeOf(written), at + 1, at + 1 + written);
    this.#end = varint(this.#bytes, at, written) + written;
  }

  /** Writes a map, which is a repeated message of key and value. */
  counts(field: number, counts: Counts): void {
    for (const [key, value] of Object.entries(counts)) {
      const entry = new Writer();
      entry.text(KEY_FIELD, key);
      entry.integer(VALUE_FIELD, value);
      const bytes = entry.framed(field);
      this.#reserve(bytes.byteLength);
      this.#bytes.set(bytes, this.#end);
      this.#end += bytes.byteLength;
    }
  }

  /** The message. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(MAX_HEAD, this.#end);
  }

  /** The message as a field of another message. */
  framed(field: number): Uint8Array<ArrayBuffer> {
    const size = this.#end - MAX_HEAD;
    const tag = field * 8 + BYTES;
    const start = MAX_HEAD - sizeOf(tag) - sizeOf(size);
    varint(this.#bytes, varint(this.#bytes, start, tag), size);
    return this.#bytes.subarray(start, this.#end);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.byteLength) return;
    const larger = new Uint8Array(2 * (this.#end + bytes));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
  }
}

/** Writes a varint of at most 2^53 and returns its end. It divides, because shifts would cut the value to 32 bits. */
function varint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  while (rest > 127) {
    bytes[end++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  bytes[end++] = rest;
  return end;
}

function sizeOf(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}
