//! Pushes a catalog: everything of the new version first, checked back, and the pointer last. Until
//! the pointer has moved, nothing that serves has changed, wherever it stops.

import { PART_BYTES, POINTER_KEY, type Pointer, partKeys, versionOf } from "../../worker/src/pointer.ts";
import { CatalogFailure, isEqual, type Metadata, type Step, type Store } from "./store.ts";
import { type Current, findVersion, listVersions, partsOf, readCurrent, readParts } from "./versions.ts";

/** A catalog as the module that serves it has compiled it. */
export interface Compiled {
  snapshot: Uint8Array<ArrayBuffer>;
  campaigns: number;
}

export interface MoveOptions {
  note?: string | undefined;
  /** Move the pointer even if somebody else has moved it meanwhile. */
  force?: boolean | undefined;
  now: Date;
  step: Step;
}

export interface Pushed {
  version: string;
  campaigns: number;
  /** Bytes of the snapshot. */
  bytes: number;
  /** The version that was served before. */
  previous: string | null;
  /** `nothing`: it is served already. `source`: it decides as before, and only the source kept with it is new. */
  changed: "catalog" | "source" | "nothing";
}

/** Most bytes that KV takes as metadata of one key. */
const MAX_METADATA_BYTES = 1024;

/** Makes this document the catalog. `compile` throws when it is refused, and nothing is written then. */
export async function push(
  store: Store,
  document: Uint8Array<ArrayBuffer>,
  compile: (document: Uint8Array<ArrayBuffer>) => Compiled,
  options: MoveOptions,
): Promise<Pushed> {
  const { step } = options;
  const compiled = await step("compiling", () => compile(document));
  const { snapshot, campaigns } = compiled;
  const version = await versionOf(snapshot);
  const before = await readBefore(store, options);
  const result = { version, campaigns, bytes: snapshot.byteLength };
  const isServed = before.pointer?.version === version;
  if (isServed && (await step("comparing", () => isWhole(store, version, snapshot, before.pointer?.parts)))) {
    const previous = before.pointer?.previous ?? null;
    const source = await readParts(store, version, "document", split(document).length);
    if (isEqual(source, document)) return { ...result, previous, changed: "nothing" };
    await uploadParts(store, version, "document", document, metadataOf(compiled, options), step);
    return { ...result, previous, changed: "source" };
  }
  const replaced = before.pointer ? before.pointer.previous : await keepPlain(store, before, compile, options);
  await upload(store, version, document, compiled, options);
  const previous = before.pointer && !isServed ? before.pointer.version : replaced;
  await move(store, before, pointerTo(version, snapshot, campaigns, previous, options), options);
  return { ...result, previous, changed: "catalog" };
}

/**
 * Moves the pointer back to the version before, or to the one named. `open` throws when the module
 * cannot use a snapshot.
 */
export async function rollback(
  store: Store,
  name: string | undefined,
  open: (snapshot: Uint8Array<ArrayBuffer>) => { campaigns: number },
  options: MoveOptions,
): Promise<Pushed> {
  const { step } = options;
  const before = await readBefore(store, options);
  const target = name ?? before.pointer?.previous;
  if (!target) {
    throw new CatalogFailure(
      "the pointer names no version before this one; name one that `edgebid catalog list` shows",
    );
  }
  const found = findVersion(await step("listing the versions", () => listVersions(store, before)), target);
  const { version } = found;
  const snapshot = await step("checking", () => readParts(store, version, "snapshot", partsOf(found, "snapshot")));
  if (snapshot === null || (await versionOf(snapshot)) !== version) {
    throw new CatalogFailure(`version ${version} is not whole in KV, and nothing was changed; push its document again`);
  }
  const { campaigns } = open(snapshot);
  const previous = before.pointer?.version ?? null;
  const result = { version, campaigns, bytes: snapshot.byteLength, previous };
  if (previous === version) return { ...result, changed: "nothing" };
  await move(store, before, pointerTo(version, snapshot, campaigns, previous, options), options);
  return { ...result, changed: "catalog" };
}

/** The pointer that is about to be replaced. */
async function readBefore(store: Store, { force, step }: MoveOptions): Promise<Current> {
  const before = await step("reading the pointer", () => readCurrent(store));
  if (before.problem === null || force) return before;
  throw new CatalogFailure(`${before.problem}; nothing was changed, --force replaces it`);
}

/** The version of the plain document that the pointer is about to replace; without it, it would be lost. */
async function keepPlain(
  store: Store,
  { stored }: Current,
  compile: (document: Uint8Array<ArrayBuffer>) => Compiled,
  { now, step }: MoveOptions,
): Promise<string | null> {
  if (stored === null) return null;
  let compiled: Compiled;
  try {
    compiled = compile(stored);
  } catch {
    return null; // Nobody ever bid with it.
  }
  const version = await versionOf(compiled.snapshot);
  await upload(store, version, stored, compiled, { note: "was under the key itself", now, step });
  return version;
}

async function upload(
  store: Store,
  version: string,
  document: Uint8Array<ArrayBuffer>,
  compiled: Compiled,
  options: MoveOptions,
): Promise<void> {
  const { step } = options;
  // The document goes first: with its metadata, prune knows the version as a recent one.
  await uploadParts(store, version, "document", document, metadataOf(compiled, options), step);
  await uploadParts(store, version, "snapshot", compiled.snapshot, undefined, step);
  if (await step("checking", () => isWhole(store, version, compiled.snapshot, split(compiled.snapshot).length))) return;
  throw new CatalogFailure(
    `version ${version} did not arrive as it was sent; the catalog that is served has not changed: push again`,
  );
}

async function uploadParts(
  store: Store,
  version: string,
  what: "snapshot" | "document",
  bytes: Uint8Array<ArrayBuffer>,
  metadata: Metadata | undefined,
  step: Step,
): Promise<void> {
  const parts = split(bytes);
  const keys = partKeys(version, what, parts.length);
  for (const [index, part] of parts.entries()) {
    const which = parts.length > 1 ? `, part ${index + 1} of ${parts.length}` : "";
    const megabytes = (part.byteLength / 1e6).toFixed(1);
    const key = keys[index] ?? "";
    await step(`uploading the ${what}${which} (${megabytes} MB)`, () =>
      store.put(key, part, index === 0 ? metadata : undefined),
    );
  }
}

/** Moves the pointer, unless it is no longer the one that was read before. */
async function move(store: Store, before: Current, pointer: Pointer, { force, step }: MoveOptions): Promise<void> {
  const now = await step("reading the pointer again", () => readCurrent(store));
  if (!force && !isEqual(now.stored, before.stored)) {
    const note = now.pointer?.note ? ` ("${now.pointer.note}")` : "";
    throw new CatalogFailure(
      `somebody else has moved the pointer meanwhile, to ${now.version ?? "nothing"}${note}; it stays there. ` +
        `Yours is uploaded as ${pointer.version}: compare with \`edgebid catalog diff ${now.version} ${pointer.version}\`, ` +
        "then push again, or go on with --force",
    );
  }
  const value = new Uint8Array(new TextEncoder().encode(JSON.stringify(pointer)));
  await step("moving the pointer", () => store.put(POINTER_KEY, value));
}

function pointerTo(
  version: string,
  snapshot: Uint8Array<ArrayBuffer>,
  campaigns: number,
  previous: string | null,
  { note, now }: MoveOptions,
): Pointer {
  const parts = split(snapshot).length;
  return { format: 1, version, parts, campaigns, pushed: now.toISOString(), previous, ...(note && { note }) };
}

function metadataOf({ campaigns, snapshot }: Compiled, { note, now }: MoveOptions): Metadata {
  const bytes = snapshot.byteLength;
  const metadata = { pushed: now.toISOString(), campaigns, bytes, ...(note && { note }) };
  const over = new TextEncoder().encode(JSON.stringify(metadata)).byteLength - MAX_METADATA_BYTES;
  if (over > 0) throw new CatalogFailure(`the note is ${over} bytes longer than KV can keep; shorten it`);
  return metadata;
}

async function isWhole(store: Store, version: string, snapshot: Uint8Array<ArrayBuffer>, parts = 1): Promise<boolean> {
  return isEqual(await readParts(store, version, "snapshot", parts), snapshot);
}

function split(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const count = Math.max(1, Math.ceil(bytes.byteLength / PART_BYTES));
  return Array.from({ length: count }, (_, part) => bytes.slice(part * PART_BYTES, (part + 1) * PART_BYTES));
}
