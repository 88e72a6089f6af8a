//! Reads a store: the pointer, the list of versions, and the contents of a version.

import { concat } from "../../worker/src/bytes.ts";
import {
  POINTER_KEY,
  type Pointer,
  PointerRefused,
  partKeys,
  partsOf,
  readPointer,
  VERSIONS_PREFIX,
  versionOf,
} from "../../worker/src/catalog/pointer.ts";
import { readStopped, type Stopped } from "../../worker/src/catalog/stopped.ts";
import { CatalogFailure, type Metadata, type Store } from "./store.ts";

/** The current value under the key of the pointer. */
export interface Current {
  /** The bytes of the value; null if there is none. */
  stored: Uint8Array<ArrayBuffer> | null;
  /** The value as a pointer; null if it is not one. */
  pointer: Pointer | null;
  /** What is wrong with the pointer; null if it is valid, or if there is none. */
  problem: string | null;
  /** What is stopped; null for nothing. Undefined if the value is neither a pointer nor a document. */
  stopped: Stopped | null | undefined;
  /** The version that is served, or the hash of a plain document; null without a catalog. */
  version: string | null;
}

/** A version in the store. */
export interface Version extends Partial<Metadata> {
  version: string;
  /** Whether this version is served. */
  current: boolean;
  /** For the current version: the time since which it is served, ISO 8601, and the note of the command that did it. */
  served?: { since: string; note?: string };
  /** For the second version: how it is used. */
  beside?: { mode: string; share: number };
  keys: string[];
}

/** Reads the value under the key of the pointer. */
export async function readCurrent(store: Store): Promise<Current> {
  const stored = await store.get(POINTER_KEY);
  const stopped = stored && readStopped(stored);
  try {
    const pointer = stored && readPointer(stored);
    const version = pointer?.version ?? (stored && (await versionOf(stored)));
    return { stored, pointer, problem: null, stopped, version };
  } catch (error) {
    if (!(error instanceof PointerRefused)) throw error;
    return { stored, pointer: null, problem: error.message, stopped, version: null };
  }
}

/** All versions, newest push first. Versions without metadata come last. */
export async function listVersions(store: Store, current: Current): Promise<Version[]> {
  const versions = new Map<string, Version>();
  const { pointer } = current;
  const { second, note } = pointer ?? {};
  for (const { name, metadata } of await store.list(VERSIONS_PREFIX)) {
    const version = name.split("/")[1] ?? "";
    const entry = versions.get(version) ?? {
      version,
      current: version === pointer?.version,
      ...(version === pointer?.version && { served: { since: pointer.pushed, ...(note && { note }) } }),
      ...(version === second?.version && { beside: { mode: second.mode, share: second.share } }),
      keys: [],
    };
    entry.keys.push(name);
    versions.set(version, { ...entry, ...(metadata as Metadata | null | undefined) });
  }
  return [...versions.values()].sort((a, b) => (b.pushed ?? "").localeCompare(a.pushed ?? ""));
}

/** The one version whose name starts with `name`. */
export function findVersion(versions: Version[], name: string, { where }: Store): Version {
  const found = versions.filter(({ version }) => version.startsWith(name.toLowerCase()));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const which = found.length > 1 ? `more than one version starts with ${name}` : `there is no version ${name}`;
  throw new CatalogFailure(`${which}; list all: npx edgebid catalog list ${where}`);
}

/** Reads a version's snapshot or document; null if a part is missing. */
export async function readParts(
  store: Store,
  version: string,
  what: "snapshot" | "document",
  parts: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const values: Uint8Array<ArrayBuffer>[] = [];
  for (const key of partKeys(version, what, parts)) {
    const value = await store.get(key);
    if (value === null) return null;
    values.push(value);
  }
  return parts > 0 ? concat(values) : null;
}

/** Reads the source of a version. */
export async function readDocument(store: Store, version: Version): Promise<Uint8Array<ArrayBuffer>> {
  const document = await readParts(
    store,
    version.version,
    "document",
    partsOf(version.version, "document", version.keys),
  );
  if (document !== null) return document;
  throw new CatalogFailure(`the source of version ${version.version} is not in KV; its push was interrupted`);
}
