//! Uploads a version to a store: its source and its snapshot. Then reads the snapshot back to check it.

import { EXIT, Failure } from "../../build/failure.mjs";
import type { Metadata } from "../../shared/catalog/listing.ts";
import {
  type Manifest,
  PART_BYTES,
  partKeys,
  signatureKey,
  VERSIONS_PREFIX,
  versionOf,
} from "../../shared/catalog/pointer.ts";
import { bytesOf, isEqual, type MoveOptions, manifestWith, type Sign, type Step, type Store } from "./store.ts";
import { readParts } from "./versions.ts";

/** A compiled catalog. */
export interface Compiled {
  snapshot: Uint8Array<ArrayBuffer>;
  campaigns: number;
  /** When the campaigns' time-zone data ends, ISO 8601; null if no campaign names a zone. */
  zones: string | null;
  /** From when on the files of `supply` are too old, ISO 8601; null or absent if no campaign asks for them. */
  supply?: string | null;
}

export type Compile = (document: Uint8Array<ArrayBuffer>) => Promise<Compiled> | Compiled;

/** A compiled catalog, and its source. */
export interface Made extends Compiled {
  document: Uint8Array<ArrayBuffer>;
}

/** Uploads a version. Throws {@link Failure} if the store then returns other bytes than were sent. */
export async function upload(store: Store, made: Made, options: MoveOptions): Promise<Manifest> {
  const { step, sign } = options;
  const manifest = await manifestOf(made, sign);
  const { version, signature } = manifest;
  // The document goes first, because `prune` sees from its metadata that the version is new.
  await uploadDocument(store, version, made, options);
  await uploadParts(store, version, "snapshot", made.snapshot, undefined, step);
  if (signature) await step("uploading the signature", () => store.put(signatureKey(version), bytesOf(signature)));
  if (await step("checking", () => isWhole(store, manifest, made.snapshot))) return manifest;
  throw new Failure(
    `the upload of version ${version} is damaged; the catalog that is served has not changed: push again`,
    EXIT.found,
  );
}

/**
 * Uploads only the source. A version that was in the store before keeps its note and date, unless there is a new note.
 */
export async function uploadDocument(
  store: Store,
  version: string,
  { document, campaigns, snapshot, zones, supply }: Made,
  options: MoveOptions,
): Promise<void> {
  const keys = await store.list(`${VERSIONS_PREFIX}${version}/`);
  const known = keys.map(({ metadata }) => metadata as Metadata | null | undefined).find((metadata) => metadata);
  const kept = options.note === undefined ? known : undefined;
  const { pushed = options.now.toISOString(), note = options.note } = kept ?? {};
  const metadata = {
    pushed,
    campaigns,
    bytes: snapshot.byteLength,
    ...(note && { note }),
    ...(zones && { zones }),
    ...(supply && { supply }),
  };
  await uploadParts(store, version, "document", document, metadata, options.step);
}

/**
 * Deletes the parts of a source that was longer or shorter, which would count as parts of this one. Only for a version that
 * the pointer names already: until then, it names the other parts.
 */
export async function deleteOtherParts(store: Store, { version, documents = 1 }: Manifest): Promise<void> {
  const [all = ""] = partKeys(version, "document", 1);
  const own = partKeys(version, "document", documents);
  const keys = (await store.list(all)).map(({ name }) => name);
  const old = keys.filter((name) => !own.includes(name));
  if (old.length > 0) await store.delete(old);
}

/** The version of a compiled document, the number of values that hold it, and its signature if there is a key. */
export async function manifestOf(
  { document, snapshot, campaigns, zones, supply }: Made,
  sign: Sign | undefined,
): Promise<Manifest> {
  const [parts, documents] = [partsFor(snapshot), partsFor(document)];
  const manifest = { version: await versionOf(snapshot), parts, documents, campaigns, zones, supply };
  return manifestWith(manifest, await sign?.(snapshot, document));
}

/** Whether the store holds exactly this snapshot. */
export async function isWhole(store: Store, { version, parts }: Manifest, snapshot: Uint8Array): Promise<boolean> {
  return isEqual(await readParts(store, version, "snapshot", parts), snapshot);
}

/** The number of values that hold these bytes. */
export function partsFor({ byteLength }: Uint8Array): number {
  return Math.max(1, Math.ceil(byteLength / PART_BYTES));
}

async function uploadParts(
  store: Store,
  version: string,
  what: "snapshot" | "document",
  bytes: Uint8Array<ArrayBuffer>,
  metadata: Metadata | undefined,
  step: Step,
): Promise<void> {
  const keys = partKeys(version, what, partsFor(bytes));
  await step(`uploading the ${what} (${(bytes.byteLength / 1e6).toFixed(1)} MB)`, async (progress) => {
    for (const [index, key] of keys.entries()) {
      const part = bytes.slice(index * PART_BYTES, (index + 1) * PART_BYTES);
      if (keys.length > 1) progress(index / keys.length);
      await store.put(key, part, index === 0 ? metadata : undefined);
    }
  });
}
