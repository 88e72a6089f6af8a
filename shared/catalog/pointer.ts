//! The KV keys of a pushed catalog: a small pointer that moves, and immutable versions.
//!
//! ```text
//! catalog                     the pointer: which version is served
//! catalog/<version>/snapshot  the compiled catalog; a large one is split into …/snapshot/0, …/snapshot/1 and so on
//! catalog/<version>/document  the source that it was compiled from, split in the same way
//! catalog/<version>/signature the signature, if the version was pushed with a key: see `signature.ts`
//! ```
//!
//! The Worker and the commands share this file. It does not read or write KV itself.

/** The key of the pointer. A catalog document under this key is served too; each isolate compiles it. */
export const POINTER_KEY = "catalog";

/** The prefix of the keys of all versions. */
export const VERSIONS_PREFIX = "catalog/";

/** The largest part in bytes. A KV value holds at most 25 MiB. */
export const PART_BYTES = 24 << 20;

/** The value under {@link POINTER_KEY}, as JSON. */
export interface Pointer extends Manifest {
  format: 1;
  /** When the pointer was written, ISO 8601. */
  pushed: string;
  /** The version that was served before, and was not rolled back; null if there is none. A rollback goes back to it. */
  previous: string | null;
  /** The versions that were served before `previous`, the last one first, without those that were rolled back. */
  earlier: string[];
  /** The version that was rolled back; absent unless a rollback has chosen the version that is served. */
  left?: string;
  /** A note by the person who moved the pointer. */
  note?: string;
  /** The second version; see {@link readSecond}. */
  second?: SecondManifest;
  /** What an operator has stopped: `readStopped` in `stopped.ts` checks it. */
  stopped?: Stopped;
}

/** What is stopped: everything, or some campaigns. At least one of the two is present. */
export interface Stopped {
  all?: true;
  /** The ids of campaigns, without line breaks. They stay stopped when everything else is resumed. */
  cids?: string[];
  /** When the last command stopped something, ISO 8601. */
  since?: string;
  /** A note by the person who stopped it. */
  note?: string;
}

/** What KV holds of a version: in how many values, since when, signed by whom. */
export interface Manifest {
  /** {@link versionOf} the snapshot. */
  version: string;
  /** The number of KV values that hold the snapshot, 1 to {@link MAX_PARTS}. */
  parts: number;
  /** The number of KV values that hold the document. Absent: 1. */
  documents?: number;
  /** Number of campaigns, to show to people. */
  campaigns: number;
  /** When the campaigns' time-zone data ends, ISO 8601. Absent: no campaign names a zone. */
  zones?: string;
  /** From when on the files of `supply` are too old, ISO 8601. Absent: no campaign asks for them. */
  supply?: string;
  /** The signature of the version, a text of `signature.ts`. Absent: it was pushed without a key. */
  signature?: string;
}

/** A second version next to the one that is served. */
export interface SecondManifest extends Manifest {
  /**
   * `split`: the second version answers its share of the requests. `shadow`: the first version answers them, the second
   * version also decides on them, and the bids are compared.
   */
  mode: "split" | "shadow";
  /** Per cent of the requests, 0 to 100. */
  share: number;
}

/** The value is a pointer, but not a valid one. */
export class PointerRefused extends Error {
  override name = "PointerRefused";
}

/** The longest note in bytes, as JSON without the quotation marks. KV allows 1,024 bytes of metadata in all. */
export const MAX_NOTE_BYTES = 768;

const MAX_PARTS = 16;
/** The most bytes of a pointer. A longer value under its key is a document. */
export const MAX_POINTER_BYTES = 64 << 10;
const VERSION = /^[0-9a-f]{16}$/;

/** The JSON object in these bytes; null if they are not one, or are too many for a pointer. */
export function objectIn(bytes: Uint8Array): Record<string, unknown> | null {
  // Parsing a large document would take as long as compiling it.
  if (bytes.byteLength > MAX_POINTER_BYTES) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Whether the object is a pointer, valid or not, and not a catalog document. */
export function isPointer(value: Record<string, unknown>): boolean {
  return "version" in value && !("ssps" in value);
}

/** Parses a pointer; null if the bytes are something else, such as a document. Throws {@link PointerRefused}. */
export function readPointer(bytes: Uint8Array): Pointer | null {
  const value = objectIn(bytes);
  if (value === null || !isPointer(value)) return null;
  const { format } = value;
  if (format !== 1) {
    const isNewer = typeof format === "number" && format > 1;
    const has = `the pointer has ${format === undefined ? "no format" : `the format ${JSON.stringify(format)}`}`;
    const hint = isNewer ? "deploy a newer bidder" : "it is damaged: push again, or roll back";
    throw new PointerRefused(`${has}, and this bidder knows format 1; ${hint}`);
  }
  checkManifest(value, "the pointer");
  return value as unknown as Pointer;
}

/**
 * The value to put under {@link POINTER_KEY}. Throws {@link PointerRefused} for a pointer that no isolate could read.
 */
export function pointerBytes(pointer: Pointer): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(new TextEncoder().encode(JSON.stringify(pointer)));
  const read = readPointer(bytes);
  if (read === null)
    throw new PointerRefused(`the pointer has ${bytes.byteLength} bytes; expected at most ${MAX_POINTER_BYTES}`);
  readSecond(read);
  return bytes;
}

/** The previous version that a broken pointer names; null if it names none. */
export function readPrevious(bytes: Uint8Array): string | null {
  const previous = objectIn(bytes)?.["previous"];
  return typeof previous === "string" && VERSION.test(previous) ? previous : null;
}

/** The second version that a pointer names; null if it names none. Throws {@link PointerRefused}. */
export function readSecond({ second }: Pointer): SecondManifest | null {
  if (second === undefined || second === null) return null;
  checkManifest(second, "the pointer's second");
  const { mode, share } = second;
  if (mode !== "split" && mode !== "shadow")
    throw new PointerRefused(`the pointer's second has the mode ${mode}; expected split or shadow`);
  if (typeof share !== "number" || !(share >= 0 && share <= 100))
    throw new PointerRefused(`the pointer's second has a share of ${share}; expected 0 to 100 per cent`);
  return second;
}

function checkManifest({ version, parts, documents = 1 }: Partial<Manifest>, what: string): void {
  if (typeof version !== "string" || !VERSION.test(version)) throw new PointerRefused(`${what} names no version`);
  for (const count of [parts, documents]) {
    if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > MAX_PARTS) {
      throw new PointerRefused(`${what} names ${count} parts; expected 1 to ${MAX_PARTS}`);
    }
  }
}

/** Whether a text can be the name of a version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** The keys of a version's snapshot or document, one per part, in order. */
export function partKeys(version: string, what: "snapshot" | "document", parts: number): string[] {
  const key = `${VERSIONS_PREFIX}${version}/${what}`;
  return parts === 1 ? [key] : Array.from({ length: parts }, (_, part) => `${key}/${part}`);
}

/**
 * The number of these keys that hold the version's snapshot or document. While a source replaces a longer or a shorter
 * one, there are keys of both, and the one that needs a single key counts.
 */
export function partsOf(version: string, what: "snapshot" | "document", keys: string[]): number {
  const [key = ""] = partKeys(version, what, 1);
  return keys.includes(key) ? 1 : keys.filter((name) => name.startsWith(`${key}/`)).length;
}

/** The key of a version's signature. */
export function signatureKey(version: string): string {
  return `${VERSIONS_PREFIX}${version}/signature`;
}

/** The version of these bytes: the first 16 hex digits of their SHA-256. */
export async function versionOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return versionOfHash(await sha256(bytes));
}

/** The version of bytes with this {@link sha256}. */
export function versionOfHash(hash: string): string {
  return hash.slice(0, 16);
}

/** The SHA-256 of these bytes, 64 hex digits. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
