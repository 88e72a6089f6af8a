//! Pushes a catalog: uploads the new version, checks the upload, and moves the pointer last. If a push stops before it
//! moves the pointer, the served catalog does not change.

import { Failure } from "../../build/failure.mjs";
import type { Current } from "../../shared/catalog/listing.ts";
import {
  type ApprovedOptions,
  begin,
  formerOf,
  type Moved,
  move,
  type SecondUse,
  withFirst,
  withSecond,
} from "./move.ts";
import { isEqual, type MoveOptions, type Store } from "./store.ts";
import {
  type Compile,
  type Compiled,
  deleteOtherParts,
  isWhole,
  type Made,
  manifestOf,
  partsFor,
  upload,
  uploadDocument,
} from "./upload.ts";
import { readParts, readServed } from "./versions.ts";

/**
 * Makes this document the served catalog, or with `second` the second version. Writes nothing if `compile` or `approve`
 * throws.
 */
export async function push(
  store: Store,
  document: Uint8Array<ArrayBuffer>,
  compile: Compile,
  options: ApprovedOptions & { second?: SecondUse | undefined },
): Promise<Moved> {
  const { step, second, approve } = options;
  const made = { document, ...(await step("compiling", () => compile(document))) };
  const manifest = await manifestOf(made, options.sign);
  const to = await begin(store, options);
  const { pointer: served, stopped = null } = to.before;
  if (served?.signature && !manifest.signature && !options.force) {
    throw new Failure(
      "the version that is served is signed, and this push is not, so nothing was changed: use --sign KEY.pem, " +
        "or --force if the bidder has no CATALOG_KEYS any more",
    );
  }
  const bytes = made.snapshot.byteLength;
  const again = () => upload(store, made, options);
  const isServed = served?.version === manifest.version;
  const isSame =
    isServed && (served.documents ?? 1) === (manifest.documents ?? 1) && served.signature === manifest.signature;
  if (!second && isSame && (await step("comparing", () => isWhole(store, served, made.snapshot)))) {
    const { previous, second = null } = served;
    const changed = await keepSource(store, manifest.version, made, options);
    // A push that was killed may have left them.
    await deleteOtherParts(store, manifest);
    return { ...manifest, bytes, previous, left: null, second, dropped: null, stopped, changed };
  }
  // Throws before anything is uploaded.
  const beside = second && withSecond(to, manifest, second);
  if (to.before.stored !== null) await approve?.(to.before, manifest.version);
  const former = async () => (served ? formerOf(served) : keepPlain(store, to.before, compile, options));
  const pointer = beside ?? withFirst(manifest, await former(), options);
  await again();
  const moved = await move(to, pointer, { manifest, bytes, again });
  // The catalog is served. If the parts are left, the next push deletes them.
  await deleteOtherParts(store, manifest).catch(() => undefined);
  return moved;
}

/** The served document; null if the pointer or the document is damaged, which a push may be about to repair. */
export async function servedDocument(store: Store, current: Current): Promise<Uint8Array<ArrayBuffer> | null> {
  if (current.problem !== null) return null;
  try {
    return await readServed(store, current);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * For a document that compiles to the served version: changes only the version's source and note. Returns what changed.
 */
async function keepSource(store: Store, version: string, made: Made, options: MoveOptions): Promise<Moved["changed"]> {
  const source = await readParts(store, version, "document", partsFor(made.document));
  const isSameSource = isEqual(source, made.document);
  if (isSameSource && options.note === undefined) return "nothing";
  await uploadDocument(store, version, made, options);
  return isSameSource ? "note" : "source";
}

/**
 * Uploads the plain document that the pointer will replace, because it would be lost otherwise. Returns its version, if
 * there is one.
 */
async function keepPlain(
  store: Store,
  { stored }: Current,
  compile: Compile,
  { now, step }: MoveOptions,
): Promise<string[]> {
  if (stored === null) return [];
  let compiled: Compiled;
  try {
    compiled = await compile(stored);
  } catch {
    return []; // A document with errors was never served, so it need not be kept.
  }
  const note = "was stored as a plain document";
  return [(await upload(store, { document: stored, ...compiled }, { note, now, step })).version];
}
