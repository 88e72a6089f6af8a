//! The requests to replay: files of lines, in gzip or not, files with one request each, folders of such files, and
//! standard input. Reads them as a stream, and can go on in the middle of one.

import { createHash, type Hash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Failure } from "../failure.mjs";
import { isFolder } from "../input.ts";
import { parsedJson } from "../json.ts";
import { type Line, Lines } from "./lines.ts";

/** A file, or standard input. */
export interface Input {
  /** The path; `-` is standard input. */
  name: string;
  /** Its size in bytes; 0 for standard input. */
  size: number;
}

/** How far an input was read. */
export interface Mark {
  name: string;
  size: number;
  /** Complete lines. */
  lines: number;
  /** Bytes of these lines, inflated. */
  bytes: number;
  /** Bytes that were read, inflated, and their SHA-256. */
  read: number;
  digest: string;
  isDone: boolean;
}

/** What was read of an input at once. */
export interface Piece {
  lines: Iterable<Line>;
  /** The mark behind these lines. Call it when they have been read. */
  mark: () => Mark;
  /** Bytes of the file that were read, as they are on disk. */
  done: number;
  /** Why the input ends here, although it should go on. */
  problem?: string;
}

/** Names of the files that are read from a folder. */
const NAMES = /\.(json|ndjson|jsonl|gz)$/;

/** The first two bytes of gzip. */
const GZIP = [0x1f, 0x8b];

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

/**
 * Reads an input in pieces. With a mark, goes on behind it. Throws {@link Failure} if the bytes before the mark have
 * changed. `limit`: the most bytes of a line.
 */
export async function* read(input: Input, limit: number, mark?: Mark): AsyncGenerator<Piece, void, void> {
  const whole = wholeRequest(input, limit);
  const lines = new Lines(limit, mark?.lines);
  const hash = createHash("sha256");
  let bytes = 0;
  const markHere = (isDone: boolean) => () => ({
    ...input,
    lines: lines.complete,
    bytes: bytes - lines.unfinished,
    read: bytes,
    digest: hash.copy().digest("hex"),
    isDone,
  });
  if (whole) {
    const isRead = check(hash, whole, 0, mark);
    bytes = whole.byteLength;
    const line = { number: 1, bytes: whole };
    if (!isRead) yield { lines: [line], mark: markHere(true), done: input.size };
    return;
  }
  const file = input.name === "-" ? process.stdin : createReadStream(input.name, { highWaterMark: PIECE_BYTES });
  let done = 0;
  let problem: string | undefined;
  try {
    for await (const piece of inflated(file, (read) => {
      done += read;
    })) {
      check(hash, piece, bytes, mark);
      const from = Math.max(0, (mark?.bytes ?? 0) - bytes);
      bytes += piece.byteLength;
      if (from < piece.byteLength) yield { lines: lines.push(piece.subarray(from)), mark: markHere(false), done };
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    problem = error.message;
  }
  if (mark && bytes < mark.read) throw changed(input);
  // The last bytes of gzip that breaks off are no line.
  const last = problem === undefined ? lines.end() : null;
  yield { lines: last ? [last] : [], mark: markHere(true), done, ...(problem !== undefined && { problem }) };
}

/** Adds a piece to the hash, and compares the hash with the mark where it was made. Whether the piece ends at the mark. */
function check(hash: Hash, piece: Uint8Array, from: number, mark: Mark | undefined): boolean {
  const before = (mark?.read ?? 0) - from;
  if (!mark || before <= 0 || before > piece.byteLength) {
    hash.update(piece);
    return false;
  }
  hash.update(piece.subarray(0, before));
  if (hash.copy().digest("hex") !== mark.digest) throw changed(mark);
  hash.update(piece.subarray(before));
  return true;
}

function changed({ name }: { name: string }): Failure {
  return new Failure(`${name} has changed since the state was saved; start again without the state`);
}

/** The file's only request, if it has one that may go over several lines; null if the file is to be read in lines. */
function wholeRequest({ name, size }: Input, limit: number): Uint8Array | null {
  if (!name.endsWith(".json") || size > limit) return null;
  const bytes = readFileSync(name);
  return parsedJson(bytes) === undefined ? null : bytes;
}

/** The bytes of a stream, inflated if it begins as gzip. Tells the bytes that it took from the stream. */
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
  if (!GZIP.every((byte, at) => first.value[at] === byte)) {
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
