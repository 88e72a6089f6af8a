//! The bodies to read, and the values that a reader must find in each.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../build/process.mjs";
import { encoded } from "../../cli/test/openrtb-protobuf.ts";
import { variants } from "../bodies/vary.ts";
import { save } from "../build.ts";

/** The suite's own bodies in `bench/bodies/`, in the order of results. */
export const OWN_BODIES = ["0.6k", "1.3k", "3.8k", "25k", "100k", "no-bid"];

/** `MAX_IMPS` in `crates/base/src/limits.rs`. */
const MAX_IMPS = 64;
/** All texts of a body together should fit into a processor's second-level cache. */
const TEXTS_BYTES = 512_000;
const MAX_TEXTS = 64;
const MIN_TEXTS = 4;

/** Variants of one body, which are read in turn. */
export interface Body {
  name: string;
  /** One text per line. */
  lines: string;
  /**
   * The same requests in protobuf, one per line in Base64; a line is empty, which readers refuse, if protobuf cannot
   * say it.
   */
  messages: string;
  /** The file that holds the lines. */
  path: string;
  /** Mean size of the texts. */
  bytes: number;
  requests: BidRequest[];
}

interface BidRequest {
  id: unknown;
  imp: { id?: unknown }[];
}

/** What a reader found in a text. */
export interface Seen {
  id: string;
  /** Number of impressions. */
  count: number;
}

/** Whether a reader accepts every text. Throws if it accepts a text and reads wrong values. */
export function expectRead(seen: (Seen | null)[], { name, requests }: Body, reader: string): boolean {
  for (const [at, { id, imp }] of requests.entries()) {
    const found = seen[at];
    // edgebid's own readers keep impressions with an id, and within the limit.
    const kept = reader.startsWith("edgebid") ? imp.filter(({ id }) => id !== undefined).slice(0, MAX_IMPS) : imp;
    if (found && (found.id !== String(id) || found.count !== kept.length))
      throw new Error(`${reader}, ${name}, text ${at}: found ${JSON.stringify(found)}, expected ${id}, ${kept.length}`);
  }
  return seen.every((found) => found !== null);
}

/** The suite's own bodies with variants, then the bodies of other files and folders without. */
export function bodies(others: string[]): Body[] {
  const own = OWN_BODIES.map((name) => {
    const text = readFileSync(fileURLToPath(new URL(`../bodies/${name}.json`, import.meta.url)), "utf8");
    const count = Math.min(MAX_TEXTS, Math.max(MIN_TEXTS, Math.floor(TEXTS_BYTES / text.length)));
    return body(name, variants(text, count));
  });
  return [...own, ...others.flatMap(files).map((path) => body(basename(path, ".json"), [oneLine(path)]))];
}

/** The texts in these files and folders. */
export function textsIn(paths: string[]): string[] {
  return paths.flatMap(files).map(oneLine);
}

function files(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new Failure(`${path} does not exist`);
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => join(path, name));
}

/** The text of a file with spaces for line breaks. In JSON, line breaks occur only between tokens. */
function oneLine(path: string): string {
  return readFileSync(path, "utf8").replace(/[\r\n]/g, " ");
}

function body(name: string, texts: string[]): Body {
  const lines = texts.join("\n");
  const requests = texts.map((text) => parsed(text, name));
  return {
    name,
    lines,
    messages: requests.map(messageOf).join("\n"),
    path: save(`${name}.ndjson`, lines),
    bytes: Math.round(Buffer.byteLength(lines) / texts.length),
    requests,
  };
}

function messageOf(request: BidRequest): string {
  try {
    return Buffer.from(encoded(request)).toString("base64");
  } catch {
    return "";
  }
}

function parsed(text: string, name: string): BidRequest {
  try {
    const request = JSON.parse(text);
    if (request.id !== undefined && Array.isArray(request.imp)) return request;
  } catch {
    // The same message.
  }
  throw new Failure(`${name} is not a bid request in JSON`);
}
