//! The requests to replay: files of lines, in gzip or not, files with one request each, folders of such files, and
//! standard input. Reads them as a stream, and can skip requests that were replayed before.

import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Failure } from "../../build/failure.mjs";
import { isFolder, parsedJson } from "../input.ts";
import { isGzip, type Line, Lines } from "./lines.ts";

/** A file, or standard input. */
export interface Input {
  /** The path; `-` is standard input. */
  name: string;
  /** Its size in bytes; 0 for standard input. */
  size: number;
}

/** The result of one read of an input. */
export interface Piece {
  lines: Iterable<Line>;
  /** Bytes of the file on disk that were read so far. */
  done: number;
  /** Why the input ends too early; absent if it does not. */
  problem?: string;
}

/** The part of an input that was replayed. */
export interface Mark {
  /** The number of its last line. */
  line: number;
  /** SHA-256 of its lines. */
  digest: string;
  /** Why the input ended before it should. */
  problem?: string;
}

/** Names of the files that are read from a folder. */
const NAMES = /\.(json|ndjson|jsonl|gz)$/;

const PIECE_BYTES = 1 << 18;

/** Lists the files. Throws {@link Failure} if there is none. */
export function inputsOf(paths: string[]): Input[] {
  return paths.flatMap((path): Input[] => {
    if (path === "-") return [{ name: "-", size: 0 }];
    if (!isFolder(path)) return [{ name: path, size: statSync(path).size }];
    const names = readdirSync(path).filter((name) => NAMES.test(name));
    if (names.length === 0) throw new Failure(`${path} has no *.json, *.ndjson, *.jsonl or *.gz files`);
    return names.sort().map((name) => ({ name: join(path, name), size: statSync(join(path, name)).size }));
  });
}

/** Reads an input in pieces. `limit`: the most bytes of a line. */
export async function* piecesOf(input: Input, limit: number): AsyncGenerator<Piece, void, void> {
  const whole = wholeRequest(input, limit);
  if (whole) {
    yield { lines: [{ number: 1, bytes: whole }], done: input.size };
    return;
  }
  const file = input.name === "-" ? process.stdin : createReadStream(input.name, { highWaterMark: PIECE_BYTES });
  const lines = new Lines(limit);
  let done = 0;
  const count = (read: number) => {
    done += read;
  };
  try {
    for await (const piece of inflated(file, count)) yield { lines: lines.push(piece), done };
  } catch (error) {
    if (!isZlibError(error)) throw error;
    // If gzip data is cut off, its last bytes are not a line.
    yield { lines: [], done, problem: error.message };
    return;
  }
  yield { lines: lines.end(), done };
}

/** Separates the new lines of an input from those before the mark. */
export class Resumed {
  readonly #name: string;
  readonly #mark: Mark | undefined;
  readonly #hash = createHash("sha256");
  #line = 0;

  constructor({ name }: Input, mark: Mark | undefined) {
    this.#name = name;
    this.#mark = mark;
  }

  /** Whether the next line is after the mark. Throws {@link Failure} if the lines before the mark have changed. */
  isNew({ number, bytes }: Line): boolean {
    const last = this.#mark?.line ?? 0;
    if (this.isBehind && number > last) this.#checkEnd();
    this.#hash.update(`${number}:`).update(bytes ?? "");
    this.#line = number;
    if (number === last) this.#checkEnd();
    return number > last;
  }

  /** The mark after the last line. */
  mark(problem: string | undefined): Mark {
    const mark = { line: this.#line, digest: this.#hash.copy().digest("hex") };
    return problem === undefined ? mark : { ...mark, problem };
  }

  /** Whether lines before the mark are still to come. */
  get isBehind(): boolean {
    return this.#line < (this.#mark?.line ?? 0);
  }

  /** Checks at the end of the input that it has all lines before the mark. */
  end(): void {
    if (this.isBehind) this.#checkEnd();
  }

  #checkEnd(): void {
    if (this.#hash.copy().digest("hex") !== this.#mark?.digest)
      throw new Failure(`${this.#name} has changed since the state was saved; start again without the state`);
  }
}

/** The file's only request, which may go over several lines; null if the file has one request per line. */
function wholeRequest({ name, size }: Input, limit: number): Uint8Array | null {
  if (!name.endsWith(".json") || size > limit) return null;
  const bytes = readFileSync(name);
  return parsedJson(bytes) === undefined ? null : bytes;
}

/** The bytes of a stream, inflated if it begins as gzip, and the number of bytes that it took from the stream. */
async function* inflated(
  stream: AsyncIterable<Uint8Array>,
  took: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const counted = (async function* () {
    for await (const piece of stream) {
      took(piece.byteLength);
      yield piece;
    }
  })();
  const first = await counted.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* counted;
  })();
  if (!isGzip(first.value)) {
    yield* all;
    return;
  }
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  const source = Readable.from(all);
  source.on("error", (error) => gunzip.destroy(error));
  yield* source.pipe(gunzip);
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}
