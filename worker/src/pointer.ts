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
export interface Pointer {
  format: 1;
  /** The version that is served: {@link versionOf} its snapshot. */
  version: string;
  /** How many values the snapshot is split into, 1 to {@link MAX_PARTS}. */
  parts: number;
  /** Number of campaigns, for people. */
  campaigns: number;
  /** When the pointer was moved here, ISO 8601. */
  pushed: string;
  /** The version that was served before; null when there was none. */
  previous: string | null;
  /** What whoever moved it had to say. */
  note?: string;
}

/** The value is meant as a pointer and cannot be followed. */
export class PointerRefused extends Error {
  override name = "PointerRefused";
}

const MAX_PARTS = 16;
const MAX_POINTER_BYTES = 4096;
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
  const { format, version, parts } = value;
  if (format !== 1)
    throw new PointerRefused(`the pointer has format ${format}, this bidder knows 1; deploy the newer one`);
  if (typeof version !== "string" || !VERSION.test(version)) throw new PointerRefused("the pointer names no version");
  if (typeof parts !== "number" || !Number.isInteger(parts) || parts < 1 || parts > MAX_PARTS) {
    throw new PointerRefused(`the pointer names ${parts} parts; 1 to ${MAX_PARTS} are possible`);
  }
  return value as Pointer;
}

/** The keys of a version's snapshot or document in so many parts, in order. */
export function partKeys(version: string, what: "snapshot" | "document", parts: number): string[] {
  const key = `${VERSIONS_PREFIX}${version}/${what}`;
  return parts === 1 ? [key] : Array.from({ length: parts }, (_, part) => `${key}/${part}`);
}

/** The version that bytes are: the first 16 hex digits of their SHA-256. */
export async function versionOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Parts put together again. */
export function join(parts: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
