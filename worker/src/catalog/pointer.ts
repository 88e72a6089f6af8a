//! Where a pushed catalog lies in KV: a small pointer that moves, and versions that never change.
//!
//! ```text
//! catalog                     the pointer: which version is served
//! catalog/<version>/snapshot  the compiled catalog; above one KV value …/snapshot/0, …/snapshot/1 and so on
//! catalog/<version>/document  the source that it was compiled from, split alike
//! ```
//!
//! Shared by the Worker and the commands; nothing here reads or writes KV.

/** The key of the pointer. A catalog document in its place is served too, compiled by each isolate. */
export const POINTER_KEY = "catalog";

/** What all keys of all versions start with. */
export const VERSIONS_PREFIX = "catalog/";

/** Most bytes of one part of a value; one value of KV holds 25 MiB. */
export const PART_BYTES = 24 << 20;

/** The value under {@link POINTER_KEY}, as JSON. */
export interface Pointer extends Place {
  format: 1;
  /** When the pointer was moved here, ISO 8601. */
  pushed: string;
  /** The version that was served before; null when there was none. */
  previous: string | null;
  /** What whoever moved it had to say. */
  note?: string;
  /** A version beside the one that is served; see {@link readSecond}. */
  second?: SecondPlace;
}

/** A version and where it lies. */
export interface Place {
  /** {@link versionOf} its snapshot. */
  version: string;
  /** How many values the snapshot is split into, 1 to {@link MAX_PARTS}. */
  parts: number;
  /** The same of the document. Absent: 1. */
  documents?: number;
  /** Number of campaigns, for people. */
  campaigns: number;
  /** Until when the time zones are known that its campaigns name, ISO 8601. Absent: they name none. */
  zones?: string;
}

/** A version beside the one that is served. */
export interface SecondPlace extends Place {
  /** `split`: it answers its share of the requests. `shadow`: it is only compared on them. */
  mode: "split" | "shadow";
  /** Per cent of the requests, 0 to 100. */
  share: number;
}

/** The value is meant as a pointer and cannot be followed. */
export class PointerRefused extends Error {
  override name = "PointerRefused";
}

/** Most bytes of a note as JSON, without the quotation marks around it: with it, KV's metadata of a version stay below their 1,024 bytes. */
export const MAX_NOTE_BYTES = 768;

const MAX_PARTS = 16;
const MAX_POINTER_BYTES = 64 << 10;
const VERSION = /^[0-9a-f]{16}$/;

/** The pointer in these bytes; null when they are something else, such as a document. Throws {@link PointerRefused}. */
export function readPointer(bytes: Uint8Array): Pointer | null {
  // Looking into a whole document would take as long as compiling it.
  if (bytes.byteLength > MAX_POINTER_BYTES) return null;
  let value: Partial<Pointer> & { ssps?: unknown };
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("version" in value) || "ssps" in value) return null;
  const { format } = value;
  if (format !== 1)
    throw new PointerRefused(`the pointer has format ${format}, this bidder knows 1; deploy the newer one`);
  checkPlace(value, "the pointer");
  return value as Pointer;
}

/** What to put under {@link POINTER_KEY}. Throws {@link PointerRefused} for a pointer that no isolate could read. */
export function pointerBytes(pointer: Pointer): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(new TextEncoder().encode(JSON.stringify(pointer)));
  const read = readPointer(bytes);
  if (read === null)
    throw new PointerRefused(`the pointer has ${bytes.byteLength} bytes; ${MAX_POINTER_BYTES} are possible`);
  readSecond(read);
  return bytes;
}

/** The version that was served before, as a pointer names it that leads to nothing; null where it names none. */
export function readPrevious(bytes: Uint8Array): string | null {
  if (bytes.byteLength > MAX_POINTER_BYTES) return null;
  try {
    const value: Partial<Pointer> | null = JSON.parse(new TextDecoder().decode(bytes));
    const previous = value?.previous;
    return typeof previous === "string" && VERSION.test(previous) ? previous : null;
  } catch {
    return null;
  }
}

/** The version beside the one that is served, if there is one. Throws {@link PointerRefused}. */
export function readSecond({ second }: Pointer): SecondPlace | null {
  if (second === undefined || second === null) return null;
  checkPlace(second, "the pointer's second");
  const { mode, share } = second;
  if (mode !== "split" && mode !== "shadow") throw new PointerRefused(`the pointer's second has the mode ${mode}`);
  if (typeof share !== "number" || !(share >= 0 && share <= 100))
    throw new PointerRefused(`the pointer's second has a share of ${share}; 0 to 100 per cent are possible`);
  return second;
}

function checkPlace({ version, parts, documents = 1 }: Partial<Place>, what: string): void {
  if (typeof version !== "string" || !VERSION.test(version)) throw new PointerRefused(`${what} names no version`);
  for (const count of [parts, documents]) {
    if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > MAX_PARTS) {
      throw new PointerRefused(`${what} names ${count} parts; 1 to ${MAX_PARTS} are possible`);
    }
  }
}

/** The keys of a version's snapshot or document in so many parts, in order. */
export function partKeys(version: string, what: "snapshot" | "document", parts: number): string[] {
  const key = `${VERSIONS_PREFIX}${version}/${what}`;
  return parts === 1 ? [key] : Array.from({ length: parts }, (_, part) => `${key}/${part}`);
}

/** Number of values, among these keys, that the version's snapshot or document is split into; 0 when there is none. */
export function partsOf(version: string, what: "snapshot" | "document", keys: string[]): number {
  const [key = ""] = partKeys(version, what, 1);
  return keys.filter((name) => name === key || name.startsWith(`${key}/`)).length;
}

/** The version that bytes are: the first 16 hex digits of their SHA-256. */
export async function versionOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
