//! Cuts a stream of bytes into lines. The bytes of a line are never decoded, and lines without any content are left
//! out.

const LINE_FEED = 0x0a;
/** The greatest byte that is white space or a control character in JSON. */
const SPACE = 0x20;

export interface Line {
  /** Its number in the stream, from 1. */
  number: number;
  /** Its bytes without the line break, valid until the next piece; null if the line is longer than the limit. */
  bytes: Uint8Array | null;
}

export class Lines {
  readonly #limit: number;
  /** The number of line breaks before the unfinished line. */
  #number: number;
  #pieces: Uint8Array[] = [];
  /** Bytes of the unfinished line. Beyond the limit, its pieces are dropped. */
  #length = 0;

  /** `limit`: the most bytes of a line. `number`: the number of lines that were read before. */
  constructor(limit: number, number = 0) {
    this.#limit = limit;
    this.#number = number;
  }

  /** The number of complete lines. */
  get complete(): number {
    return this.#number;
  }

  /** Bytes of the line that is not complete yet. */
  get unfinished(): number {
    return this.#length;
  }

  /** The lines that this piece completes. */
  *push(piece: Uint8Array): Generator<Line, void, void> {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(LINE_FEED, from);
      if (end < 0) break;
      const line = this.#taken(piece.subarray(from, end));
      if (line) yield line;
      from = end + 1;
    }
    // The caller may use the memory of the piece again.
    if (from < piece.byteLength) this.#keep(piece.slice(from));
  }

  /** The last line, if it has no line break. */
  end(): Line | null {
    return this.#length > 0 ? this.#taken(new Uint8Array()) : null;
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.byteLength;
    if (this.#length <= this.#limit) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Ends the line with its last piece. */
  #taken(last: Uint8Array): Line | null {
    const length = this.#length + last.byteLength;
    const number = ++this.#number;
    const bytes = length > this.#limit ? null : this.#pieces.length > 0 ? Buffer.concat([...this.#pieces, last]) : last;
    this.#pieces = [];
    this.#length = 0;
    return bytes !== null && isEmpty(bytes) ? null : { number, bytes };
  }
}

function isEmpty(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > SPACE) return false;
  return true;
}
