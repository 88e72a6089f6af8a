//! What a format has to be able to do so that records can be sent in it.

/** How records become a body. */
export interface Format<Record> {
  /** The Content-Type. */
  type: string;
  /** What the body begins with. */
  head: string;
  /** A record. The bytes are copied before the next call. */
  encode(record: Record): string | Uint8Array;
}
