//! Keeps captured requests in a file for `edgebid replay`: NDJSON, compressed if its name ends with `.gz`.

import { once } from "node:events";
import { createWriteStream, openSync } from "node:fs";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Failure } from "../failure.mjs";

export class Keep {
  readonly path: string;
  /** How many requests are in the file. */
  kept = 0;
  readonly #into: Writable;
  readonly #file: Writable;

  /** Creates the file, which only its owner can read. Throws {@link Failure} if it exists or cannot be written. */
  constructor(path: string) {
    if (!/\.ndjson(\.gz)?$/.test(path))
      throw new Failure(`--keep ${path}: expected a name that ends with .ndjson or .ndjson.gz`);
    this.path = path;
    this.#file = createWriteStream(path, { fd: opened(path) });
    this.#into = path.endsWith(".gz") ? createGzip() : this.#file;
    if (this.#into !== this.#file) this.#into.pipe(this.#file);
  }

  async add(line: string): Promise<void> {
    this.kept++;
    if (!this.#into.write(`${line}\n`)) await once(this.#into, "drain");
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#into.end();
    await finished(this.#file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(`--keep ${path}: ${code === "EEXIST" ? "the file exists; choose another name" : message}`);
  }
}
