//! Loads a version: fetches it from KV, checks that the bytes are unchanged, and builds a bidder.
//!
//! A bidder cannot use a snapshot that another build compiled with another layout. It then compiles the source that was
//! pushed with the snapshot.

import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { concat } from "../../../shared/bytes.ts";
import { compile } from "../../../shared/catalog/compile.ts";
import type { Metadata } from "../../../shared/catalog/listing.ts";
import {
  isVersion,
  type Manifest,
  POINTER_KEY,
  partKeys,
  partsOf,
  readPrevious,
  sha256,
  signatureKey,
  VERSIONS_PREFIX,
  versionOfHash,
} from "../../../shared/catalog/pointer.ts";
import { documentHashOf, type Keys, keysOf } from "../../../shared/catalog/signature.ts";
import { KV_CACHE_TTL_SECONDS, MAX_COMPILED_BYTES, VERSION_CACHE_TTL_SECONDS } from "../../../shared/limits.ts";
import { messageOf } from "../../../shared/telemetry/failures.ts";
import { Bidder, SnapshotRefused } from "../../../shared/wasm/bidder.ts";

/** A loaded version. */
export interface Loaded {
  version: string;
  bidder: Bidder;
  /** A problem that the operator should solve, although the version serves; null if there is none. */
  warning: string | null;
  /** When the campaigns' time-zone data ends, ISO 8601; null if no campaign names a zone. */
  zones: string | null;
  /** From when on the files of `supply` are too old, ISO 8601; null if no campaign asks for them. */
  supply: string | null;
}

/** The bytes in KV cannot be served, and fetching them again would not help. */
export class Refused extends Error {}

/** The value under the pointer's key; null if there is none. */
export function getPointer(env: Env): Promise<Uint8Array<ArrayBuffer> | null> {
  return get(env, POINTER_KEY, KV_CACHE_TTL_SECONDS);
}

/** Loads a version. Throws {@link Refused} if it cannot be served, and other errors if a later attempt may succeed. */
export async function load(env: Env, manifest: Manifest): Promise<Loaded> {
  const { version, zones = null, supply = null } = manifest;
  const keys = await trusted(env);
  const { snapshot, hash } = await fetchSnapshot(env, manifest);
  const refusal = await keys?.refusal(version, hash, manifest.signature);
  if (refusal) throw new Refused(refusal);
  try {
    return { version, bidder: new Bidder(snapshot, module, version), warning: null, zones, supply };
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    const document = await fetchDocument(env, manifest);
    if (document === null)
      throw new Error(`KV holds no source to compile instead of the snapshot, which is ${error.message}`);
    if (document.byteLength > MAX_COMPILED_BYTES) throw new Refused(`KV holds ${error.message}`);
    if (keys && (await sha256(document)) !== documentHashOf(manifest.signature))
      throw new Refused(`KV holds another source for version ${version} than the one that was signed; push it again`);
    return compiled(document, version, `KV holds ${error.message}`);
  }
}

/**
 * Loads the previous version that a pointer names. Null if the pointer names none, or if that version cannot be served
 * either. Throws if a later attempt may succeed.
 */
export async function loadPrevious(env: Env, pointer: Uint8Array): Promise<Loaded | null> {
  const version = readPrevious(pointer);
  if (version === null) return null;
  const manifest = (await manifestOf(env, version)) ?? { version, parts: 1, campaigns: 0 };
  const loaded = await load(env, manifest).catch((error) => {
    if (error instanceof Refused) return null;
    throw error;
  });
  const warning =
    "the previous version is served, because the one that the pointer names cannot be used; push the catalog again";
  return loaded && { ...loaded, warning };
}

/** A version that is in KV, with the bytes of its snapshot, if they are known. */
export type Found = Manifest & { bytes?: number };

/**
 * Finds a version by its name, from the keys of its parts; null if KV does not have it, or if the text is not a name.
 */
export async function manifestOf(env: Env, version: string): Promise<Found | null> {
  if (!isVersion(version)) return null;
  const { keys } = await env.CATALOG.list<Metadata>({ prefix: `${VERSIONS_PREFIX}${version}/` });
  if (keys.length === 0) return null;
  const names = keys.map(({ name }) => name);
  const [parts, documents] = [partsOf(version, "snapshot", names), partsOf(version, "document", names)];
  const { campaigns = 0, bytes } = keys.find(({ metadata }) => metadata)?.metadata ?? {};
  const signature = names.includes(signatureKey(version))
    ? await get(env, signatureKey(version), VERSION_CACHE_TTL_SECONDS)
    : null;
  return {
    version,
    parts: Math.max(1, parts),
    documents: Math.max(1, documents),
    campaigns,
    ...(bytes !== undefined && { bytes }),
    ...(signature && { signature: new TextDecoder().decode(signature) }),
  };
}

/** Compiles and loads the document under the pointer's key. Throws {@link Refused}. */
export async function loadDocument(env: Env, document: Uint8Array, version: string): Promise<Loaded> {
  if (await trusted(env))
    throw new Refused("KV holds a document, which cannot be signed, and CATALOG_KEYS is set; push it with --sign");
  return compiled(document, version, "KV holds a document, not a snapshot; push the document");
}

/** The keys of the environment; null if no signature is needed. Throws {@link Refused} for a text that is not a key. */
function trusted(env: Env): Promise<Keys | null> {
  return keysOf(env.CATALOG_KEYS).catch((error) => {
    throw new Refused(messageOf(error));
  });
}

function compiled(document: Uint8Array, version: string, why: string): Loaded {
  const warning = `this isolate had to compile the catalog: ${why}`;
  console.warn(warning);
  const { snapshot, zones, supply } = orRefused(() => compile(document, compiler));
  return { version, bidder: orRefused(() => new Bidder(snapshot, module, version)), warning, zones, supply };
}

/** Runs work that depends only on the fetched bytes, and turns every error into {@link Refused}. */
export function orRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Refused(messageOf(error));
  }
}

/**
 * Fetches all parts of a snapshot, with their {@link sha256}. Throws {@link Refused} if they are not the pushed bytes.
 */
async function fetchSnapshot(
  env: Env,
  { version, parts }: Manifest,
): Promise<{ snapshot: Uint8Array<ArrayBuffer>; hash: string }> {
  const keys = partKeys(version, "snapshot", parts);
  let missing: string[] = [];
  // A value can be missing or damaged in this location's cache, and complete in KV. A shorter cache time bypasses the
  // cache.
  for (const cacheTtl of [VERSION_CACHE_TTL_SECONDS, KV_CACHE_TTL_SECONDS]) {
    const values = await Promise.all(keys.map((key) => get(env, key, cacheTtl)));
    missing = keys.filter((_, part) => values[part] === null);
    if (missing.length > 0) continue;
    const snapshot = concat(values.filter((value) => value !== null));
    const hash = await sha256(snapshot);
    if (versionOfHash(hash) === version) return { snapshot, hash };
  }
  if (missing.length === 0)
    throw new Refused(`KV holds other bytes for version ${version} than those that were pushed; push it again`);
  throw new Error(`the pointer names version ${version}, and KV holds no ${missing.join(", ")}; push it again`);
}

/**
 * Fetches the source of a version; null if a part is missing. Only compiling the source shows whether it is complete.
 */
async function fetchDocument(env: Env, { version, documents = 1 }: Manifest): Promise<Uint8Array<ArrayBuffer> | null> {
  const keys = partKeys(version, "document", documents);
  const values = await Promise.all(keys.map((key) => get(env, key, KV_CACHE_TTL_SECONDS)));
  return values.includes(null) ? null : concat(values.filter((value) => value !== null));
}

/** The source of a version in pieces, as it arrives. Throws if a part is missing. */
export async function* documentPieces(
  env: Env,
  { version, documents = 1 }: Manifest,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const key of partKeys(version, "document", documents)) {
    const part = await env.CATALOG.get(key, { type: "stream", cacheTtl: KV_CACHE_TTL_SECONDS });
    if (part === null) throw new Refused(`KV has no ${key}; its push was interrupted`);
    yield* part;
  }
}

async function get(env: Env, key: string, cacheTtl: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const value = await env.CATALOG.get(key, { type: "arrayBuffer", cacheTtl });
  return value && new Uint8Array(value);
}
