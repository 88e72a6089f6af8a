//! The interface of a format in which records are posted.

/** Turns records into a body. */
export interface Format<Record> {
  /** The Content-Type. */
  type: string;
  /** The beginning of the body. */
  head: string;
  /** Encodes one record. The caller copies the bytes before the next call. */
  encode(record: Record): string | Uint8Array;
}
