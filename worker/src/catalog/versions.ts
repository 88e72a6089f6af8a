//! From what lies in KV to a bidder: fetches a version, checks that it is the one that was pushed, and builds an instance.
//!
//! A snapshot that another build has made is of no use to this one; then the source that was pushed with it is compiled here.

import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { concat } from "../bytes.ts";
import { KV_CACHE_TTL_SECONDS, MAX_COMPILED_BYTES, VERSION_CACHE_TTL_SECONDS } from "../limits.ts";
import { Bidder, SnapshotRefused } from "../wasm/bidder.ts";
import { compile } from "./compile.ts";
import { type Place, POINTER_KEY, partKeys, partsOf, readPrevious, VERSIONS_PREFIX, versionOf } from "./pointer.ts";

/** A version in use. */
export interface Kept {
  version: string;
  bidder: Bidder;
  /** What somebody should see to although it serves; null where there is nothing. */
  warning: string | null;
  /** Until when the time zones are known that its campaigns name, ISO 8601; null where they name none. */
  zones: string | null;
}

/** What KV holds cannot be served, however often it is fetched. */
export class Refused extends Error {}

/** The value under the pointer's key; null when there is none. */
export function getPointer(env: Env): Promise<Uint8Array<ArrayBuffer> | null> {
  return get(env, POINTER_KEY, KV_CACHE_TTL_SECONDS);
}

/** The version that lies there. Throws {@link Refused} where that is no use, other errors where it may come right. */
export async function built(env: Env, place: Place): Promise<Kept> {
  const { version, zones = null } = place;
  const snapshot = await fetchSnapshot(env, place);
  try {
    return { version, bidder: new Bidder(snapshot, module, version), warning: null, zones };
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    const document = await fetchDocument(env, place);
    if (document === null) throw new Error(`it is ${error.message}; KV holds no source to compile here`);
    if (document.byteLength > MAX_COMPILED_BYTES) throw new Refused(`it is ${error.message}`);
    return ofDocument(document, version, `the snapshot is ${error.message}`);
  }
}

/**
 * The version that was served before, where the pointer in these bytes leads to nothing; null where it names none, or that one
 * is no use either. Throws where it may come right.
 */
export async function builtBefore(env: Env, pointer: Uint8Array): Promise<Kept | null> {
  const version = readPrevious(pointer);
  if (version === null) return null;
  // A pointer tells nothing of the version before it but its name.
  const names = (await env.CATALOG.list({ prefix: `${VERSIONS_PREFIX}${version}/` })).keys.map(({ name }) => name);
  const [parts, documents] = [partsOf(version, "snapshot", names), partsOf(version, "document", names)];
  try {
    const kept = await built(env, {
      version,
      parts: Math.max(1, parts),
      documents: Math.max(1, documents),
      campaigns: 0,
    });
    return {
      ...kept,
      warning: "the version before is served, because the one that the pointer names cannot be; push again",
    };
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** The catalog document itself, compiled. Throws {@link Refused}. */
export function ofDocument(document: Uint8Array, version: string, why = "KV holds a document; push it"): Kept {
  const warning = `compiled in this isolate, not before: ${why}`;
  console.warn(warning);
  const { snapshot, zones } = orRefused(() => compile(document, compiler));
  return { version, bidder: orRefused(() => new Bidder(snapshot, module, version)), warning, zones };
}

/** Whatever it throws depends on the bytes alone, so trying again would not help. */
export function orRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Refused(error instanceof Error ? error.message : String(error));
  }
}

/** The snapshot, all of it and as it was pushed. Throws {@link Refused} when it is another one. */
async function fetchSnapshot(env: Env, { version, parts }: Place): Promise<Uint8Array<ArrayBuffer>> {
  const keys = partKeys(version, "snapshot", parts);
  let missing: string[] = [];
  // What is missing or damaged in the location's cache may be whole behind it: a shorter time makes KV look.
  for (const cacheTtl of [VERSION_CACHE_TTL_SECONDS, KV_CACHE_TTL_SECONDS]) {
    const values = await Promise.all(keys.map((key) => get(env, key, cacheTtl)));
    missing = keys.filter((_, part) => values[part] === null);
    if (missing.length > 0) continue;
    const snapshot = concat(values.filter((value) => value !== null));
    if ((await versionOf(snapshot)) === version) return snapshot;
  }
  if (missing.length === 0)
    throw new Refused(`KV holds other bytes for version ${version} than were pushed; push it again`);
  throw new Error(`the pointer names version ${version}, and KV holds no ${missing.join(", ")}; push it again`);
}

/** The source of a version; null where it is not all there. That it compiles is all that tells whether it is as it was pushed. */
async function fetchDocument(env: Env, { version, documents = 1 }: Place): Promise<Uint8Array<ArrayBuffer> | null> {
  const keys = partKeys(version, "document", documents);
  const values = await Promise.all(keys.map((key) => get(env, key, KV_CACHE_TTL_SECONDS)));
  return values.includes(null) ? null : concat(values.filter((value) => value !== null));
}

async function get(env: Env, key: string, cacheTtl: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const value = await env.CATALOG.get(key, { type: "arrayBuffer", cacheTtl });
  return value && new Uint8Array(value);
}
