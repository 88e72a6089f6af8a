//! `edgebid tail`: shows what a bidder does now, and keeps some of its requests for `edgebid replay`: NDJSON,
//! compressed if the file's name ends with `.gz`.

import { once } from "node:events";
import { createWriteStream, openSync } from "node:fs";
import type { Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Failure } from "../../build/failure.mjs";
import { countText } from "../../shared/compare/text.ts";
import { Figures } from "../../shared/tail/figures.ts";
import { grouped } from "../money/table.ts";
import { type Show, screen, summary } from "./screen.ts";
import { localSource, remoteSource, type Source } from "./source.ts";

/** Options of the command. */
export interface TailOptions {
  url: string;
  remote?: boolean;
  env?: string;
  keep?: string;
  oneIn: number;
  seconds?: number;
  json?: boolean;
}

/** Watches until Ctrl-C. Throws {@link Failure}. */
export async function tail({ url, remote, env, keep: path, oneIn, seconds, json = false }: TailOptions): Promise<void> {
  const keep = path === undefined ? undefined : new Keep(path);
  const isRemote = remote || env !== undefined;
  const source = isRemote ? remoteSource(env) : localSource(url, keep ? oneIn : 0);
  const title = isRemote ? `edgebid${env ? ` (${env})` : ""}, as wrangler tail tells it` : `${url}, one isolate`;
  await watch({ source, show: screen(title, { json }), keep, seconds });
}

export interface Watching {
  source: Source;
  show: Show;
  /** Where captured requests go. */
  keep?: Keep | undefined;
  /** Ends after this many seconds. */
  seconds?: number | undefined;
  /** Ends when this is aborted. */
  stop?: AbortController;
}

/** How long after its end the line of a second may come. */
const LATE_MS = 500;

/** Watches a bidder until Ctrl-C, and prints a summary on standard error at the end. */
export async function watch({ source, show, keep, seconds, stop = new AbortController() }: Watching): Promise<void> {
  const end = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  const timer = seconds === undefined ? undefined : setTimeout(end, seconds * 1000 + LATE_MS);
  const figures = new Figures();
  try {
    for await (const news of source(stop.signal)) {
      if ("captured" in news) await keep?.add(news.captured);
      else {
        figures.add(news.second);
        show(news.second, figures);
      }
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
    await keep?.close();
    if (figures.all.ms > 0) process.stderr.write(`\n${summary(figures.all)}\n`);
    if (keep) process.stderr.write(`${keptText(keep, figures.all.lost)}\n`);
  }
}

function keptText({ kept, path }: Keep, lost: number): string {
  const without = lost > 0 ? `; ${grouped(lost)} were too long or too many to keep` : "";
  return `kept ${countText(kept, "request")} in ${path}${without}`;
}

/** Keeps captured requests in a file. */
class Keep {
  readonly path: string;
  /** How many requests are in the file. */
  kept = 0;
  readonly #into: Writable;
  /** Fulfilled when the file is whole; rejected if it cannot be written, such as on a full disk. */
  readonly #written: Promise<void>;

  /** Creates the file, which only its owner can read. Throws {@link Failure} if it exists or cannot be written. */
  constructor(path: string) {
    if (!/\.ndjson(\.gz)?$/.test(path))
      throw new Failure(`--keep ${path}: expected a name that ends with .ndjson or .ndjson.gz`);
    this.path = path;
    const file = createWriteStream(path, { fd: opened(path) });
    const gzip = path.endsWith(".gz") ? createGzip() : null;
    this.#into = gzip ?? file;
    this.#written = gzip ? pipeline(gzip, file) : finished(file);
    // The next line, or the end, tells the failure.
    this.#written.catch(() => {});
  }

  /** Waits until the file has room for more. Rejects if it cannot be written. */
  async add(line: string): Promise<void> {
    this.kept++;
    if (this.#into.write(`${line}\n`)) return;
    // A stream that has failed tells nothing more.
    if (this.#into.destroyed) await this.#written;
    await once(this.#into, "drain");
  }

  /** Writes the rest, and closes the file. */
  async close(): Promise<void> {
    this.#into.end();
    await this.#written;
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
