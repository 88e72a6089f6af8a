//! Moves the pointer: back, to a second version beside the one that is served, and to that one alone.
//!
//! One value is written, last, and not if somebody else has written it meanwhile.

import {
  MAX_NOTE_BYTES,
  type Place,
  POINTER_KEY,
  type Pointer,
  PointerRefused,
  partsOf,
  pointerBytes,
  type SecondPlace,
  VERSIONS_PREFIX,
  versionOf,
} from "../../worker/src/catalog/pointer.ts";
import { countText } from "./print.ts";
import { CatalogFailure, isEqual, type MoveOptions, type Store } from "./store.ts";
import { type Current, findVersion, listVersions, readCurrent, readParts } from "./versions.ts";

/** How a second version stands beside the one that is served. */
export type Beside = Pick<SecondPlace, "mode" | "share">;

/** What came of a command that moves the pointer. */
export interface Moved extends Place {
  /** Bytes of the snapshot. */
  bytes: number;
  /** The version that was served before. */
  previous: string | null;
  /** The second version now. */
  second: SecondPlace | null;
  /** The second version that was, where it is one no longer. */
  dropped: string | null;
  /**
   * `nothing`: it is as asked for already. `source`: it decides as before, and only the source kept with it is new, or the
   * note with it. `note`: only the note is new.
   * `second`: the one that is served stays.
   */
  changed: "catalog" | "second" | "source" | "note" | "nothing";
}

/** Throws when the module cannot use a snapshot. */
type Open = (snapshot: Uint8Array) => { campaigns: number };

/** Moves the pointer back: to the version named; without a name, away from the second version, else to the version before. */
export async function rollback(
  store: Store,
  name: string | undefined,
  open: Open,
  options: MoveOptions,
): Promise<Moved> {
  const before = await readBefore(store, options);
  const { pointer } = before;
  if (name === undefined && pointer?.second) {
    const { second, ...rest } = pointer;
    const alone = { ...rest, ...(options.note && { note: options.note }) };
    const bytes = (await found(store, before, pointer.version, open, options)).bytes;
    return move(store, before, alone, { bytes, of: pointer }, options);
  }
  const target = name ?? pointer?.previous;
  if (!target) {
    throw new CatalogFailure(
      `the pointer names no version before this one; name one of these: npx edgebid catalog list ${store.where}`,
    );
  }
  const { place, bytes } = await found(store, before, target, open, options);
  const previous = pointer?.version ?? null;
  if (previous === place.version && !pointer?.second) {
    return { ...place, bytes, previous, second: null, dropped: null, changed: "nothing" };
  }
  const to = previous === place.version ? (pointer?.previous ?? null) : previous;
  return move(store, before, withFirst(place, to, options), { bytes, of: place }, options);
}

/** Puts a version that is in the store beside the one that is served. */
export async function putBeside(
  store: Store,
  name: string,
  beside: Beside,
  open: Open,
  options: MoveOptions,
): Promise<Moved> {
  const before = await readBefore(store, options);
  const { place, bytes } = await found(store, before, name, open, options);
  return move(store, before, with2nd(before, place, beside), { bytes, of: place }, options);
}

/** Serves the second version alone. */
export async function promote(store: Store, open: Open, options: MoveOptions): Promise<Moved> {
  const before = await readBefore(store, options);
  const { pointer } = before;
  if (!pointer?.second) {
    throw new CatalogFailure(
      "there is no second version beside the one that is served, and nothing was changed; first let one answer a share:\n" +
        `  npx edgebid catalog push FILE --split 10% ${store.where}\n` +
        `  npx edgebid catalog split ${pointer?.previous ?? "VERSION"} 10% ${store.where}`,
    );
  }
  const { place, bytes } = await found(store, before, pointer.second.version, open, options);
  return move(store, before, withFirst(place, pointer.version, options), { bytes, of: place }, options);
}

/** The command that gets the source of a version. */
export function pullHint(version: string, where: string): string {
  return `npx edgebid catalog pull ${version} --out ${version}.json ${where}`;
}

/** A pointer to this version alone. */
export function withFirst(place: Place, previous: string | null, { note, now }: MoveOptions): Pointer {
  return { format: 1, ...place, pushed: now.toISOString(), previous, ...(note && { note }) };
}

/** The pointer as it is, with this version beside the one that is served. */
export function with2nd({ pointer }: Current, place: Place, beside: Beside): Pointer {
  if (pointer === null)
    throw new CatalogFailure("no version is served that another could stand beside; push one first");
  if (pointer.version === place.version) {
    throw new CatalogFailure(`${place.version} is what is served already; a second version has to be another`);
  }
  return { ...pointer, second: { ...place, ...beside } };
}

/** The pointer that is about to be replaced. Throws {@link CatalogFailure} for a note that is too long to keep. */
export async function readBefore(store: Store, { note = "", force, step }: MoveOptions): Promise<Current> {
  const over = new TextEncoder().encode(JSON.stringify(note).slice(1, -1)).byteLength - MAX_NOTE_BYTES;
  if (over > 0) {
    throw new CatalogFailure(
      `the note is ${countText(over, "byte")} too long, and nothing was changed; ` +
        `expected at most ${MAX_NOTE_BYTES} bytes, where a line break, " and \\ count two: shorten it`,
    );
  }
  const before = await step("reading the pointer", () => readCurrent(store));
  if (before.problem === null || force) return before;
  throw new CatalogFailure(`${before.problem}; nothing was changed, --force replaces it`);
}

/** A move of the pointer: the bytes of the snapshot, and the version that the command is about. */
interface Move {
  bytes: number;
  of: Place;
  /** Brings the version into KV again; absent where only its source is there. */
  again?: () => Promise<unknown>;
}

/**
 * Moves the pointer, unless it is no longer the one that was read before. Looks again afterwards: of two who move it at the
 * same time, the one whose pointer is not there is told, and a version that was pruned meanwhile comes back.
 */
export async function move(
  store: Store,
  before: Current,
  pointer: Pointer,
  { bytes, of, again }: Move,
  { force, step }: MoveOptions,
): Promise<Moved> {
  const now = await step("reading the pointer again", () => readCurrent(store));
  if (!force && !isEqual(now.stored, before.stored)) throw outrun(now, of, store);
  const value = readable(pointer);
  await step("moving the pointer", () => store.put(POINTER_KEY, value));
  const after = await step("looking at what is there", () => readCurrent(store));
  if (!isEqual(after.stored, value)) throw outrun(after, of, store);
  if (!(await isThere(store, of))) {
    const { version } = of;
    if (!again) {
      throw new CatalogFailure(
        `version ${version} was deleted while the pointer moved to it; go on to another: npx edgebid catalog list ${store.where}`,
      );
    }
    await again();
  }
  const { second = null, previous } = pointer;
  const was = before.pointer?.second?.version;
  const dropped = was !== undefined && was !== second?.version && was !== pointer.version ? was : null;
  const { version, parts, documents, campaigns, zones } = of;
  return {
    ...{ version, parts, ...(documents && { documents }), campaigns, ...(zones && { zones }) },
    ...{ bytes, previous, second, dropped },
    changed:
      before.pointer?.version === pointer.version && before.pointer.pushed === pointer.pushed ? "second" : "catalog",
  };
}

/** The failure of a move that gives way to another one. */
function outrun({ version, pointer }: Current, of: Place, { where }: Store): CatalogFailure {
  const note = pointer?.note ? ` ("${pointer.note}")` : "";
  return new CatalogFailure(
    `somebody else has moved the pointer meanwhile, to ${version ?? "nothing"}${note}; it stays there. ` +
      `Yours is uploaded as ${of.version}: compare with ` +
      `\`npx edgebid catalog diff ${version} ${of.version} ${where}\`, then push again, or go on with --force`,
  );
}

/** Whether all keys of a version are there. */
async function isThere(store: Store, { version, parts, documents = 1 }: Place): Promise<boolean> {
  const keys = (await store.list(`${VERSIONS_PREFIX}${version}/`)).map(({ name }) => name);
  return partsOf(version, "snapshot", keys) >= parts && partsOf(version, "document", keys) >= documents;
}

/** The pointer's bytes. Throws {@link CatalogFailure} where no isolate could read them. */
function readable(pointer: Pointer): Uint8Array<ArrayBuffer> {
  try {
    return pointerBytes(pointer);
  } catch (error) {
    if (!(error instanceof PointerRefused)) throw error;
    throw new CatalogFailure(`no isolate could read the new pointer, and the old one stays: ${error.message}`);
  }
}

/** The one version in the store whose name starts so, whole and of use. */
async function found(store: Store, before: Current, name: string, open: Open, { step }: MoveOptions) {
  const entry = findVersion(await step("listing the versions", () => listVersions(store, before)), name, store);
  const { version, zones, keys } = entry;
  const [parts, documents] = [partsOf(version, "snapshot", keys), partsOf(version, "document", keys)];
  const snapshot = await step("checking", () => readParts(store, version, "snapshot", parts));
  if (snapshot === null || (await versionOf(snapshot)) !== version) {
    throw new CatalogFailure(`version ${version} is not whole in KV, and nothing was changed; push its document again`);
  }
  const { campaigns } = opened(open, snapshot, version, store);
  const place: Place = { version, parts, ...(documents > 1 && { documents }), campaigns, ...(zones && { zones }) };
  return { place, bytes: snapshot.byteLength };
}

/** Throws {@link CatalogFailure} with what to do about a snapshot that this version of the bidder cannot use. */
function opened(open: Open, snapshot: Uint8Array, version: string, { where }: Store) {
  try {
    return open(snapshot);
  } catch (error) {
    if (!(error instanceof CatalogFailure)) throw error;
    throw new CatalogFailure(`${error.message}; its source can be pushed: ${pullHint(version, where)}`);
  }
}
