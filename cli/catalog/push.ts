//! Pushes a catalog: everything of the new version first, checked back, and the pointer last. Until
//! the pointer has moved, nothing that serves has changed, wherever it stops.

import type { Place } from "../../worker/src/catalog/pointer.ts";
import { type Beside, type Moved, move, readBefore, with2nd, withFirst } from "./move.ts";
import { isEqual, type MoveOptions, type Store } from "./store.ts";
import { type Compiled, isWhole, partsFor, placeOf, upload, uploadDocument } from "./upload.ts";
import { type Current, readParts } from "./versions.ts";

type Compile = (document: Uint8Array<ArrayBuffer>) => Promise<Compiled> | Compiled;

/**
 * Makes this document the catalog, or with `beside` the second version. `compile` throws when it is refused, and nothing is
 * written then.
 */
export async function push(
  store: Store,
  document: Uint8Array<ArrayBuffer>,
  compile: Compile,
  options: MoveOptions & { beside?: Beside | undefined },
): Promise<Moved> {
  const { step, beside } = options;
  const compiled = await step("compiling", () => compile(document));
  const place = await placeOf(document, compiled);
  const before = await readBefore(store, options);
  const bytes = compiled.snapshot.byteLength;
  const again = () => upload(store, document, compiled, options);
  if (beside) {
    // Refused before anything is uploaded.
    const pointer = with2nd(before, place, beside);
    await upload(store, document, compiled, options);
    return move(store, before, pointer, { bytes, of: place, again }, options);
  }
  const served = before.pointer;
  const isServed = served?.version === place.version;
  const isSame = isServed && (served.documents ?? 1) === (place.documents ?? 1);
  if (isSame && (await step("comparing", () => isWhole(store, served, compiled.snapshot)))) {
    return keepSource(store, place, document, compiled, before, options);
  }
  const plain = served ? null : await keepPlain(store, before, compile, options);
  await upload(store, document, compiled, options);
  const previous = served ? (isServed ? served.previous : served.version) : plain;
  return move(store, before, withFirst(place, previous, options), { bytes, of: place, again }, options);
}

/** What is served decides like this document: only the source and the note that are kept with it may be others. */
async function keepSource(
  store: Store,
  place: Place,
  document: Uint8Array<ArrayBuffer>,
  compiled: Compiled,
  { pointer }: Current,
  options: MoveOptions,
): Promise<Moved> {
  const bytes = compiled.snapshot.byteLength;
  const { previous = null, second = null } = pointer ?? {};
  const same = { ...place, bytes, previous, second, dropped: null };
  const source = await readParts(store, place.version, "document", partsFor(document.byteLength));
  const isSameSource = isEqual(source, document);
  if (isSameSource && options.note === undefined) return { ...same, changed: "nothing" };
  await uploadDocument(store, place.version, document, compiled, options);
  return { ...same, changed: isSameSource ? "note" : "source" };
}

/** The version of the plain document that the pointer is about to replace; without it, it would be lost. */
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
    return null; // Nobody ever bid with it.
  }
  const { version } = await upload(store, stored, compiled, { note: "was under the key itself", now, step });
  return version;
}
