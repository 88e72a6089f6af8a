//! Reads a store: the pointer, the list of versions, and the contents of a version.

import { concat } from "../../worker/src/bytes.ts";
import { type Current, currentOf, isDocument, type Version, versionsOf } from "../../worker/src/catalog/listing.ts";
import { POINTER_KEY, partKeys, partsOf, readPointer, VERSIONS_PREFIX } from "../../worker/src/catalog/pointer.ts";
import { Failure } from "../failure.mjs";
import type { Store } from "./store.ts";

/** Reads the value under the key of the pointer. */
export async function readCurrent(store: Store): Promise<Current> {
  return currentOf(await store.get(POINTER_KEY));
}

/** All versions, newest push first. Versions without metadata come last. */
export async function listVersions(store: Store, current: Current): Promise<Version[]> {
  return versionsOf(await store.list(VERSIONS_PREFIX), current);
}

/** The one version whose name starts with `name`. */
export function findVersion(versions: Version[], name: string, { where }: Store): Version {
  const found = versions.filter(({ version }) => version.startsWith(name.toLowerCase()));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const which = found.length > 1 ? `more than one version starts with ${name}` : `there is no version ${name}`;
  throw new Failure(`${which}; list all: npx edgebid catalog list ${where}`);
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

/** Reads the snapshot of a version; null if a part is missing. */
export function readSnapshot(store: Store, { version, keys }: Version): Promise<Uint8Array<ArrayBuffer> | null> {
  return readParts(store, version, "snapshot", partsOf(version, "snapshot", keys));
}

/** Reads the source of a version. */
export async function readDocument(store: Store, { version, keys }: Version): Promise<Uint8Array<ArrayBuffer>> {
  const document = await readParts(store, version, "document", partsOf(version, "document", keys));
  if (document !== null) return document;
  throw new Failure(`the source of version ${version} is not in KV; its push was interrupted`);
}

/** A catalog document with the name of its version. */
export interface Named {
  name: string;
  document: Uint8Array<ArrayBuffer>;
}

/** Reads the source of the version with this name, or the plain document that is served under it. */
export async function readNamed(store: Store, current: Current, name: string): Promise<Named> {
  if (current.stored && isDocument(current) && name === current.version) return { name, document: current.stored };
  const version = findVersion(await listVersions(store, current), name, store);
  return { name: version.version, document: await readDocument(store, version) };
}

/** Reads the source of what is served; null if KV holds no catalog, or lacks the version that the pointer names. */
export async function readServed(store: Store, current: Current): Promise<Uint8Array<ArrayBuffer> | null> {
  if (current.stored === null) return null;
  // The document itself may stand in the place of the pointer.
  if (readPointer(current.stored) === null) return current.stored;
  const served = (await listVersions(store, current)).find((version) => version.current);
  return served === undefined ? null : readDocument(store, served);
}
