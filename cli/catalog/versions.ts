//! Reads what is in a store: the pointer, the versions, and what a version holds.

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
import { CatalogFailure, type Metadata, type Store } from "./store.ts";

/** What the key of the pointer holds now. */
export interface Current {
  /** The value as it is; null when there is none. */
  stored: Uint8Array<ArrayBuffer> | null;
  /** The pointer that it is; null when it is none. */
  pointer: Pointer | null;
  /** Why the value is a pointer that cannot be followed; null when it is none or a good one. */
  problem: string | null;
  /** The version that is served; of a plain document its digest; null without a catalog. */
  version: string | null;
}

/** A version in the store. */
export interface Version extends Partial<Metadata> {
  version: string;
  /** Whether the pointer names it as the one that is served. */
  current: boolean;
  /** Since when, ISO 8601, and what whoever moved the pointer there had to say; of the current one only. */
  served?: { since: string; note?: string };
  /** How it stands beside the current one, if it does. */
  beside?: { mode: string; share: number };
  keys: string[];
}

export async function readCurrent(store: Store): Promise<Current> {
  const stored = await store.get(POINTER_KEY);
  try {
    const pointer = stored && readPointer(stored);
    const version = pointer?.version ?? (stored && (await versionOf(stored)));
    return { stored, pointer, problem: null, version };
  } catch (error) {
    if (!(error instanceof PointerRefused)) throw error;
    return { stored, pointer: null, problem: error.message, version: null };
  }
}

/** All versions, the one that was pushed last first. */
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

/** The one version whose name starts like this. */
export function findVersion(versions: Version[], name: string, { where }: Store): Version {
  const found = versions.filter(({ version }) => version.startsWith(name.toLowerCase()));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const which = found.length > 1 ? `more than one version starts with ${name}` : `there is no version ${name}`;
  throw new CatalogFailure(`${which}; this shows all: npx edgebid catalog list ${where}`);
}

/** What the version holds; null when a part is missing. */
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

/** The source of a version. */
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
