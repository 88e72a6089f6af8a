//! The bodies to read, and the values that a reader must find in each.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../cli/process.mjs";
import { encoded } from "../../cli/test/openrtb-protobuf.ts";
import { variants } from "../bodies/vary.ts";
import { save } from "../build.ts";

/** The suite's own bodies in `bench/bodies/`, in the order of results. */
export const OWN_BODIES = ["0.6k", "1.3k", "3.8k", "25k", "100k", "no-bid"];

/** `MAX_IMPS` in `crates/bidder-wasm/src/limits.rs`. */
const MAX_IMPS = 64;
/** All texts of a body together should fit into a processor's second-level cache. */
const TEXTS_BYTES = 512_000;
const MAX_TEXTS = 64;
const MIN_TEXTS = 4;

/** What a reader found in a text. */
export interface Seen {
  id: string;
  /** Number of impressions. */
  count: number;
}

/** Variants of one body, which are read in turn. */
export interface Body {
  name: string;
  /** One text per line. */
  lines: string;
  /** The same requests in protobuf, one per line in Base64. */
  messages: string;
  /** The file that holds the lines. */
  path: string;
  /** Mean size of the texts. */
  bytes: number;
  texts: Expected[];
}

/** The values to find in one text. */
interface Expected {
  /** The id as text. */
  id: string;
  imps: number;
  /** Impressions that edgebid's own readers keep: with an id, and within the limit. */
  keptImps: number;
}

/** Whether a reader accepts every text. Throws if it accepts a text and reads wrong values. */
export function expectRead(seen: (Seen | null)[], { name, texts }: Body, reader: string): boolean {
  const isOwn = reader.startsWith("edgebid");
  for (const [at, { id, imps, keptImps }] of texts.entries()) {
    const found = seen[at];
    if (found && (found.id !== id || found.count !== (isOwn ? keptImps : imps)))
      throw new Error(`${reader}, ${name}, text ${at}: found ${JSON.stringify(found)}, expected ${id}, ${imps} imps`);
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
  if (!statSync(path, { throwIfNoEntry: false })) throw new Failure(`${path} does not exist`);
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => join(path, name));
}

/** The text of a file with spaces for line breaks. In JSON, line breaks occur only between tokens. */
function oneLine(path: string): string {
  return readFileSync(path, "utf8").replace(/[\r\n]/g, " ");
}

function body(name: string, texts: string[]): Body {
  const lines = texts.join("\n");
  return {
    name,
    lines,
    messages: texts.map(messageOf).join("\n"),
    path: save(`${name}.ndjson`, lines),
    bytes: Math.round(Buffer.byteLength(lines) / texts.length),
    texts: texts.map((text) => expectedOf(text, name)),
  };
}

/** The same request in protobuf, as Base64; empty, which readers refuse, if protobuf cannot say it. */
function messageOf(text: string): string {
  try {
    return Buffer.from(encoded(JSON.parse(text))).toString("base64");
  } catch {
    return "";
  }
}

function expectedOf(text: string, name: string): Expected {
  const { id, imp } = parse(text, name);
  if (id === undefined || !Array.isArray(imp)) throw new Failure(`${name} is not a bid request`);
  return {
    id: String(id),
    imps: imp.length,
    keptImps: Math.min(MAX_IMPS, imp.filter((imp) => imp?.id !== undefined).length),
  };
}

function parse(text: string, name: string): { id?: unknown; imp?: unknown } {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${name} is not JSON`);
  }
}
