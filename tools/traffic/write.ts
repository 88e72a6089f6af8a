//! Writes generated requests as lines, to standard output or to a file.

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { compiledAside } from "../../cli/catalog/compiling.ts";
import { step } from "../../cli/catalog/progress.ts";
import { type Source, sourceOf } from "../../cli/catalog/source.ts";
import type { Progress } from "../../cli/catalog/store.ts";
import type { Document } from "./demand.ts";
import { generate, type Options } from "./generate.ts";

export interface GenerateOptions {
  count: number;
  seed: number;
  catalog?: string;
  out?: string;
  quirks: boolean;
}

/** Lines in one piece that is written. */
const LINES = 64;

export async function write({ count, seed, catalog, out, quirks }: GenerateOptions): Promise<void> {
  const options: Options = { quirks, ...(catalog !== undefined && { catalog: await document(sourceOf(catalog)) }) };
  if (out === undefined) {
    await pipeline(Readable.from(pieces(count, seed, options)), process.stdout, { end: false });
    return;
  }
  await step(`writing ${count} requests to ${out}`, (progress) => {
    const lines = Readable.from(pieces(count, seed, options, progress));
    const file = createWriteStream(out);
    return out.endsWith(".gz") ? pipeline(lines, createGzip(), file) : pipeline(lines, file);
  });
}

/** The document of a catalog. Throws `CatalogRefused` if a push would refuse it. */
export async function document(source: Source): Promise<Document> {
  // Only a valid catalog surely has the members that requests are made from.
  await compiledAside(source);
  return JSON.parse(new TextDecoder().decode(source.document));
}

/** The lines, in pieces. */
function* pieces(count: number, seed: number, options: Options, progress: Progress = () => {}): Generator<string> {
  const requests = generate(seed, options);
  for (let done = 0; done < count; done += LINES) {
    const lines = Math.min(LINES, count - done);
    yield Array.from({ length: lines }, () => `${requests.next().value}\n`).join("");
    progress((done + lines) / count);
  }
}
