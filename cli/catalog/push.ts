//! Pushes a catalog: uploads the new version, checks the upload, and moves the pointer last. If a push stops before it
//! moves the pointer, the served catalog does not change.

import type { Current } from "../../worker/src/catalog/listing.ts";
import type { Place } from "../../worker/src/catalog/pointer.ts";
import { Failure } from "../failure.mjs";
import { type Moved, move, readBefore, type SecondUse, withFirst, withSecond } from "./move.ts";
import { isEqual, type MoveOptions, type Store } from "./store.ts";
import { type Compiled, isWhole, partsFor, placeOf, upload, uploadDocument } from "./upload.ts";
import { readParts } from "./versions.ts";

type Compile = (document: Uint8Array<ArrayBuffer>) => Promise<Compiled> | Compiled;

/** Makes this document the served catalog, or with `second` the second version. Writes nothing if `compile` throws. */
export async function push(
  store: Store,
  document: Uint8Array<ArrayBuffer>,
  compile: Compile,
  options: MoveOptions & { second?: SecondUse | undefined },
): Promise<Moved> {
  const { step, second } = options;
  const compiled = await step("compiling", () => compile(document));
  const place = await placeOf(document, compiled, options.sign);
  const before = await readBefore(store, options);
  const { signature } = before.pointer ?? {};
  if (signature && !place.signature && !options.force) {
    throw new Failure(
      "the version that is served is signed, and this push is not, so nothing was changed: use --sign KEY.pem, " +
        "or --force if the bidder has no CATALOG_KEYS any more",
    );
  }
  const bytes = compiled.snapshot.byteLength;
  const again = () => upload(store, document, compiled, options);
  if (second) {
    // Throws before anything is uploaded.
    const pointer = withSecond(before, place, second);
    await upload(store, document, compiled, options);
    return move(store, before, pointer, { bytes, of: place, again }, options);
  }
  const served = before.pointer;
  const isServed = served?.version === place.version;
  const isSame = isServed && (served.documents ?? 1) === (place.documents ?? 1) && served.signature === place.signature;
  if (isSame && (await step("comparing", () => isWhole(store, served, compiled.snapshot)))) {
    return keepSource(store, place, document, compiled, before, options);
  }
  const plain = served ? null : await keepPlain(store, before, compile, options);
  await upload(store, document, compiled, options);
  const previous = served ? (isServed ? served.previous : served.version) : plain;
  return move(store, before, withFirst(place, previous, options), { bytes, of: place, again }, options);
}

/** For a document that compiles to the served version: changes only the version's source and note. */
async function keepSource(
  store: Store,
  place: Place,
  document: Uint8Array<ArrayBuffer>,
  compiled: Compiled,
  { pointer, stopped = null }: Current,
  options: MoveOptions,
): Promise<Moved> {
  const bytes = compiled.snapshot.byteLength;
  const { previous = null, second = null } = pointer ?? {};
  const same = { ...place, bytes, previous, second, dropped: null, stopped };
  const source = await readParts(store, place.version, "document", partsFor(document.byteLength));
  const isSameSource = isEqual(source, document);
  if (isSameSource && options.note === undefined) return { ...same, changed: "nothing" };
  await uploadDocument(store, place.version, document, compiled, options);
  return { ...same, changed: isSameSource ? "note" : "source" };
}

/**
 * Uploads the plain document that the pointer will replace, because it would be lost otherwise. Returns its version.
 */
async function keepPlain(
  store: Store,
  { stored }: Current,
  compile: Compile,
  { now, step }: MoveOptions,
): Promise<string | null> {
  if (stored === null) return null;
  let compiled: Compiled;
  try {
    compiled = await compile(stored);
  } catch {
    return null; // A document with errors was never served, so it need not be kept.
  }
  const { version } = await upload(store, stored, compiled, { note: "was stored as a plain document", now, step });
  return version;
}
