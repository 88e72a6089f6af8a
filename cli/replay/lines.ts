//! Cuts a stream of bytes into lines, and reads a line: a bid request, or a request that `edgebid tail` has kept,
//! `{"ssp","at","one_in","request"}`. The bytes of a bare request are never decoded, and lines without any content are left out.

import { gunzipSync } from "node:zlib";
import { Failure, reasonOf } from "../../build/failure.mjs";
import { A_TIME, timeIn } from "../../shared/time/days.ts";
import { isObject, parsedJson } from "../input.ts";

const LINE_FEED = 0x0a;
/** The first two bytes of gzip. */
const GZIP = [0x1f, 0x8b];
/** The highest byte that is white space or a control character in JSON. */
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
  #number = 0;
  #pieces: Uint8Array[] = [];
  /** Bytes of the unfinished line. Beyond the limit, its pieces are dropped. */
  #length = 0;

  /** `limit`: the most bytes of a line. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that this piece completes. */
  *push(piece: Uint8Array): Generator<Line, void, void> {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      yield* this.#end(piece.subarray(from, end));
      from = end + 1;
    }
    // The caller may use the memory of the piece again.
    if (from < piece.byteLength) this.#keep(piece.slice(from));
  }

  /** The last line, if it has no line break. */
  *end(): Generator<Line, void, void> {
    if (this.#length > 0) yield* this.#end(new Uint8Array());
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.byteLength;
    if (this.#length <= this.#limit) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Ends the line with its last piece. */
  *#end(last: Uint8Array): Generator<Line, void, void> {
    const isLong = this.#length + last.byteLength > this.#limit;
    const bytes = this.#pieces.length > 0 ? Buffer.concat([...this.#pieces, last]) : last;
    this.#pieces = [];
    this.#length = 0;
    this.#number++;
    if (isLong) yield { number: this.#number, bytes: null };
    else if (bytes.some((byte) => byte > SPACE)) yield { number: this.#number, bytes };
  }
}

/** A bid request, with the data in its line. */
export interface Sent {
  body: Uint8Array;
  /** The SSP that sent it; absent if the line does not say. */
  ssp?: string;
  /** When it was sent, in milliseconds since the epoch; absent if the line does not say. */
  at?: number;
  /** It stands for so many requests; absent if the line does not say. */
  oneIn?: number;
  /** `bid`, or why there was none; absent if the line does not say. */
  outcome?: string;
  /** The number of its impressions. */
  imps: number;
}

/** Reads a line. Returns a text if it cannot: the reason. The bidder checks whether the value is a bid request. */
export function requestIn(line: Uint8Array): Sent | string {
  const value = parsedJson(line);
  const members = isObject(value) ? value : {};
  const { request, ssp, at, outcome, one_in: oneIn } = members;
  if (members["imp"] !== undefined || !isObject(request)) return { body: line, imps: impsOf(members) };
  const time = typeof at === "string" ? timeIn(at) : undefined;
  if (ssp !== undefined && typeof ssp !== "string") return "ssp: expected a text";
  if (at !== undefined && time === undefined) return `at: expected ${A_TIME}`;
  return {
    ...{ body: new TextEncoder().encode(JSON.stringify(request)), imps: impsOf(request) },
    ...(ssp !== undefined && { ssp }),
    ...(time !== undefined && { at: time }),
    ...(typeof oneIn === "number" && { oneIn }),
    ...(typeof outcome === "string" && { outcome }),
  };
}

/**
 * One request of a file: the whole file, or the line `number` of a file of lines. Throws {@link Failure} if there is no
 * such line, or if it cannot be read.
 */
export function oneRequest(file: string, bytes: Uint8Array, number?: number): Sent {
  const { plain, all } = contentOf(file, bytes);
  // A file that is one JSON value is one request, even with line breaks.
  const isLines = number !== undefined || (all.length > 1 && parsedJson(plain) === undefined);
  const wanted = isLines ? all.find((line) => line.number === (number ?? all[0]?.number))?.bytes : plain;
  if (!wanted) throw new Failure(`${file} has no request in line ${number}: it has ${all.length} lines with a request`);
  const sent = requestIn(wanted);
  if (typeof sent === "string") throw new Failure(`${file}: ${sent}`);
  return sent;
}

/**
 * All requests of a file with their names: the file; or the file and the line, if its first line is a whole JSON value
 * and there are more. The bytes of a line that cannot be read are the request.
 */
export function allRequests(file: string, bytes: Uint8Array): { name: string; body: Uint8Array }[] {
  const { plain, all: lines } = contentOf(file, bytes);
  const all = lines.map(({ number, bytes }) => ({ name: `${file}:${number}`, body: bytes ?? plain }));
  const [first] = all;
  const isLines = first !== undefined && all.length > 1 && parsedJson(first.body) !== undefined;
  return (isLines ? all : [{ name: file, body: plain }]).map(({ name, body }) => {
    const sent = requestIn(body);
    return { name, body: typeof sent === "string" ? body : sent.body };
  });
}

export function isGzip(bytes: Uint8Array): boolean {
  return GZIP.every((byte, at) => bytes[at] === byte);
}

/** The bytes of a file, inflated if they are gzip, and their lines. Throws {@link Failure} for broken gzip. */
function contentOf(file: string, bytes: Uint8Array): { plain: Uint8Array; all: Line[] } {
  try {
    const plain = isGzip(bytes) ? gunzipSync(bytes) : bytes;
    const lines = new Lines(plain.byteLength);
    return { plain, all: [...lines.push(plain), ...lines.end()] };
  } catch (error) {
    throw new Failure(`${file} cannot be inflated as a whole: ${reasonOf(error)}`);
  }
}

function impsOf({ imp }: Record<string, unknown>): number {
  return Array.isArray(imp) ? imp.length : 0;
}
