//! The versions in a store: finds them, reads their contents, and deletes old ones.

import { EXIT, Failure } from "../../build/failure.mjs";
import { concat } from "../../shared/bytes.ts";
import { type Current, currentOf, isDocument, type Version, versionsOf } from "../../shared/catalog/listing.ts";
import { POINTER_KEY, partKeys, partsOf, readPointer, VERSIONS_PREFIX } from "../../shared/catalog/pointer.ts";
import type { Step, Store } from "./store.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads the value under the key of the pointer. */
export async function readCurrent(store: Store): Promise<Current> {
  return currentOf(await store.get(POINTER_KEY));
}

/** All versions, newest push first. Versions without metadata come last. */
export async function listVersions(store: Store, current: Current): Promise<Version[]> {
  return versionsOf(await store.list(VERSIONS_PREFIX), current);
}

/** The one version whose name starts with `name`. Throws {@link Failure} if there is none, or more than one. */
export async function versionNamed(store: Store, current: Current, name: string): Promise<Version> {
  const versions = await listVersions(store, current);
  const found = versions.filter(({ version }) => version.startsWith(name.toLowerCase()));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const which = found.length > 1 ? `more than one version starts with ${name}` : `there is no version ${name}`;
  throw new Failure(`${which}; list all: npx edgebid catalog list ${store.where}`);
}

/** Reads a version's snapshot or document; null if a part is missing. */
export async function readParts(
  store: Store,
  version: string,
  what: "snapshot" | "document",
  parts: number,
): Promise<Bytes | null> {
  const values: Bytes[] = [];
  for (const key of partKeys(version, what, parts)) {
    const value = await store.get(key);
    if (value === null) return null;
    values.push(value);
  }
  return parts > 0 ? concat(values) : null;
}

/** Reads the snapshot of a version; null if a part is missing. */
export function readSnapshot(store: Store, { version, keys }: Version): Promise<Bytes | null> {
  return readParts(store, version, "snapshot", partsOf(version, "snapshot", keys));
}

/** Reads the source of a version. */
export async function readDocument(store: Store, { version, keys }: Version): Promise<Bytes> {
  const document = await readParts(store, version, "document", partsOf(version, "document", keys));
  if (document !== null) return document;
  throw new Failure(`the source of version ${version} is not in KV; its push was interrupted`, EXIT.found);
}

/** A catalog document with the name of its version. */
export interface Named {
  name: string;
  document: Bytes;
}

/** Reads the source of the version with this name, or the plain document that is served under it. */
export async function readNamed(store: Store, current: Current, name: string): Promise<Named> {
  if (current.stored && isDocument(current) && name === current.version) return { name, document: current.stored };
  const version = await versionNamed(store, current, name);
  return { name: version.version, document: await readDocument(store, version) };
}

/** Reads the source of the served catalog; null if KV holds no catalog, or lacks the version that the pointer names. */
export async function readServed(store: Store, current: Current): Promise<Bytes | null> {
  // The document itself may be stored in place of the pointer.
  if (current.stored === null || readPointer(current.stored) === null) return current.stored;
  const served = (await listVersions(store, current)).find((version) => version.current);
  return served === undefined ? null : readDocument(store, served);
}

/** The versions that were deleted (or would be, with `dryRun`), and the versions that are kept. */
export interface Pruned {
  deleted: string[];
  kept: { version: string; why: string }[];
}

/**
 * Deletes all versions except those that were pushed last and those that the pointer names. With `dryRun`, deletes
 * none.
 */
export async function prune(
  store: Store,
  { keep, dryRun }: { keep: number; dryRun?: boolean | undefined },
  step: Step,
): Promise<Pruned> {
  const listed = await step("listing the versions", async () => listVersions(store, await readCurrent(store)));
  // The pointer is read after the list, so that a version that is pushed again meanwhile is kept.
  const current = await step("reading the pointer", () => readCurrent(store));
  if (current.problem !== null) throw new Failure(`${current.problem}; nothing was deleted`, EXIT.found);
  const named = namedBy(current);
  const kept = listed.flatMap(({ version }, position) => {
    const why = named.get(version) ?? (position < keep ? `among the ${keep} pushed last` : null);
    return why === null ? [] : [{ version, why }];
  });
  const old = listed.filter(({ version }) => !kept.some((entry) => entry.version === version));
  const deleted = old.map(({ version }) => version);
  if (old.length > 0 && !dryRun) {
    await step(`deleting ${old.length} versions`, () => store.delete(old.flatMap(({ keys }) => keys)));
    const after = namedBy(await step("reading the pointer again", () => readCurrent(store)));
    const missed = deleted.filter((version) => after.has(version)).join(", ");
    if (missed)
      throw new Failure(
        `${missed} was pushed again while it was deleted, and may be incomplete; push it again now`,
        EXIT.found,
      );
  }
  return { deleted, kept };
}

/** The versions that the pointer names, each with its role. */
function namedBy({ pointer }: Current): Map<string, string> {
  const { version, previous, second, left } = pointer ?? {};
  return new Map([
    [left ?? "", "was rolled back last"],
    [previous ?? "", "is the previous version"],
    [second?.version ?? "", "is the second version"],
    [version ?? "", "is served"],
  ]);
}
