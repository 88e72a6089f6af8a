//! Pushes a catalog: uploads the new version, checks the upload, and moves the pointer last. If a push stops before it
//! moves the pointer, the served catalog does not change.

import type { Current } from "../../worker/src/catalog/listing.ts";
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
  const served = before.pointer;
  if (served?.signature && !place.signature && !options.force) {
    throw new Failure(
      "the version that is served is signed, and this push is not, so nothing was changed: use --sign KEY.pem, " +
        "or --force if the bidder has no CATALOG_KEYS any more",
    );
  }
  const bytes = compiled.snapshot.byteLength;
  const again = () => upload(store, document, compiled, options);
  // Throws before anything is uploaded.
  let pointer = second && withSecond(before, place, second);
  if (!pointer) {
    const isServed = served?.version === place.version;
    const isSame =
      isServed && (served.documents ?? 1) === (place.documents ?? 1) && served.signature === place.signature;
    if (isSame && (await step("comparing", () => isWhole(store, served, compiled.snapshot)))) {
      const { previous, second = null } = served;
      const changed = await keepSource(store, place.version, document, compiled, options);
      return { ...place, bytes, previous, second, dropped: null, stopped: before.stopped ?? null, changed };
    }
    const replaced = served ? served.version : await keepPlain(store, before, compile, options);
    pointer = withFirst(place, isServed ? served.previous : replaced, options);
  }
  await upload(store, document, compiled, options);
  return move(store, before, pointer, { place, bytes, again }, options);
}

/** For a document that compiles to the served version: changes only the version's source and note. Tells what changed. */
async function keepSource(
  store: Store,
  version: string,
  document: Uint8Array<ArrayBuffer>,
  compiled: Compiled,
  options: MoveOptions,
): Promise<Moved["changed"]> {
  const source = await readParts(store, version, "document", partsFor(document.byteLength));
  const isSameSource = isEqual(source, document);
  if (isSameSource && options.note === undefined) return "nothing";
  await uploadDocument(store, version, document, compiled, options);
  return isSameSource ? "note" : "source";
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
