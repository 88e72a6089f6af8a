//! Moves the catalog pointer, the KV value that names the served version: rolls back, and sets or promotes a second
//! version.
//!
//! The pointer is written last, and only if nobody else has moved it meanwhile. `upload.ts` uploads versions.

import { EXIT, Failure } from "../../build/failure.mjs";
import { CatalogRefused } from "../../shared/catalog/compile.ts";
import { type Current, servedBefore, type Version } from "../../shared/catalog/listing.ts";
import {
  MAX_NOTE_BYTES,
  type Manifest,
  POINTER_KEY,
  type Pointer,
  PointerRefused,
  partKeys,
  partsOf,
  pointerBytes,
  type SecondManifest,
  signatureKey,
  VERSIONS_PREFIX,
  versionOf,
} from "../../shared/catalog/pointer.ts";
import type { Stopped } from "../../shared/catalog/stopped.ts";
import { countText } from "../../shared/compare/text.ts";
import { MAX_COMPILED_BYTES } from "../../shared/limits.ts";
import { isEqual, type MoveOptions, manifestWith, type Store } from "./store.ts";
import type { Compile } from "./upload.ts";
import { listVersions, readCurrent, readParts, readSnapshot, versionNamed } from "./versions.ts";

/** How a second version is used. */
export type SecondUse = Pick<SecondManifest, "mode" | "share">;

/**
 * The result of a command that changes which catalog version is served, or the second version: it writes the pointer
 * in KV.
 */
export interface Moved extends Manifest {
  /** Bytes of the snapshot. */
  bytes: number;
  /** The version to which a rollback goes back from here. */
  previous: string | null;
  /** The version that a rollback has left; null after other commands. */
  left: string | null;
  /** The second version now. */
  second: SecondManifest | null;
  /** The second version that the pointer no longer names; null if there is none. */
  dropped: string | null;
  /** What stays stopped; null if nothing is stopped. */
  stopped: Stopped | null;
  /**
   * `catalog`: another version is served. `second`: only the second version has changed. `source`: the served version
   * has a new source, and perhaps a new note. `note`: only the note is new. `nothing`: no change was needed.
   */
  changed: "catalog" | "second" | "source" | "note" | "nothing";
}

/** The state of the store before a command moves the pointer. */
export interface Move {
  store: Store;
  before: Current;
  options: MoveOptions;
}

/** The version that a command serves, or makes the second version. */
export interface Moving {
  manifest: Manifest;
  /** Bytes of the snapshot. */
  bytes: number;
  /** Uploads the version again; absent if the command does not have the version's bytes. */
  again?: () => Promise<unknown>;
}

/** Compares the version that a command is about to use with what is served. Throws to stop the command. */
export type Approve = (current: Current, version: string) => Promise<void>;

/** The options of a command that needs an approval. */
export type ApprovedOptions = MoveOptions & { approve?: Approve | undefined };

/** What the modules of this bidder make of a version. */
export interface Modules {
  /** Opens a snapshot. Throws {@link Failure} if this bidder cannot use it. */
  open: (snapshot: Uint8Array) => { campaigns: number };
  /** Throws {@link CatalogRefused} for a source with errors. */
  compile: Compile;
}

/**
 * Serves the named version. Without a name, removes the second version or, if there is none, serves the version that was
 * served before and not rolled back.
 */
export async function rollback(
  store: Store,
  name: string | undefined,
  modules: Modules,
  options: MoveOptions,
): Promise<Moved> {
  const to = await begin(store, options);
  const { pointer, stopped = null, version: left } = to.before;
  const versions = await options.step("listing the versions", () => listVersions(store, to.before));
  if (name === undefined && pointer?.second) {
    const { second, ...rest } = pointer;
    // Isolates serve the first version already, so nothing has to be checked.
    const { bytes = 0 } = versions.find(({ current }) => current) ?? {};
    return move(to, { ...rest, ...(options.note && { note: options.note }) }, { manifest: pointer, bytes });
  }
  const former = servedBefore(to.before, versions);
  const target = name ?? former[0];
  if (target === undefined) {
    const none = left === null ? "no version is served" : `no version was served before ${left} and not rolled back`;
    throw new Failure(`${none}; name one of this list: npx edgebid catalog list ${store.where}`);
  }
  const found = await foundIn(to, target, modules);
  const { manifest, bytes } = found;
  if (pointer?.version !== manifest.version) return move(to, rolledBack(to, former, manifest, versions), found);
  if (pointer.second) return move(to, withFirst(manifest, former, options), found);
  const { previous } = pointer;
  return { ...manifest, bytes, previous, left: null, second: null, dropped: null, stopped, changed: "nothing" };
}

/**
 * The pointer to a version that a rollback has chosen. What was served since then is no longer among the former
 * versions. A version that was pushed later than the one that is served, such as one that was rolled back, is served as
 * after a push.
 */
function rolledBack({ before, options }: Move, former: string[], manifest: Manifest, versions: Version[]): Pointer {
  const pushed = (name: string | null) => versions.find(({ version }) => version === name)?.pushed ?? "";
  const at = former.indexOf(manifest.version);
  if (before.version === null) return withFirst(manifest, former, options);
  if (at < 0 && pushed(manifest.version) > pushed(before.version))
    return withFirst(manifest, [before.version, ...former], options);
  const earlier = former.filter((name, n) => (at < 0 ? pushed(name) < pushed(manifest.version) : n > at));
  return { ...withFirst(manifest, earlier, options), left: before.version };
}

/** Makes a version in the store the second version. */
export async function setSecond(
  store: Store,
  name: string,
  use: SecondUse,
  modules: Modules,
  options: ApprovedOptions,
): Promise<Moved> {
  const to = await begin(store, options);
  const version = await foundIn(to, name, modules);
  const pointer = withSecond(to, version.manifest, use);
  await options.approve?.(to.before, version.manifest.version);
  return move(to, pointer, version);
}

/** Makes the second version the only one. */
export async function promote(store: Store, modules: Modules, options: ApprovedOptions): Promise<Moved> {
  const to = await begin(store, options);
  const { pointer } = to.before;
  if (!pointer?.second) {
    throw new Failure(
      "there is no second version, and nothing was changed; first let one answer a share:\n" +
        `  npx edgebid catalog push FILE --split 10% ${store.where}\n` +
        `  npx edgebid catalog split ${pointer?.previous ?? "VERSION"} 10% ${store.where}`,
    );
  }
  const version = await foundIn(to, pointer.second.version, modules);
  await options.approve?.(to.before, version.manifest.version);
  return move(to, withFirst(version.manifest, formerOf(pointer), options), version);
}

/** The most former versions in a pointer. */
const MOST_FORMER = 20;

/** The command that gets the source of a version. */
export function pullHint(version: string, where: string): string {
  return `npx edgebid catalog pull ${version} --out ${version}.json ${where}`;
}

/** A pointer to this version, without a second one. `former`: the versions that were served before, the last one first. */
export function withFirst(manifest: Manifest, former: string[], { note, now }: MoveOptions): Pointer {
  const [previous = null, ...earlier] = former.filter((version) => version !== manifest.version).slice(0, MOST_FORMER);
  return { format: 1, ...manifest, pushed: now.toISOString(), previous, earlier, ...(note && { note }) };
}

/** The versions that were served until now, the last one first. */
export function formerOf({ version, previous, earlier }: Pointer): string[] {
  return [version, previous, ...earlier].filter((name) => name !== null);
}

/** The current pointer with this second version. */
export function withSecond({ before: { pointer } }: Move, manifest: Manifest, use: SecondUse): Pointer {
  if (pointer === null) throw new Failure("no version is served yet, so there can be no second one; push one first");
  if (pointer.version === manifest.version) {
    throw new Failure(`${manifest.version} is already served; the second version must be another one`);
  }
  return { ...pointer, second: { ...manifest, ...use } };
}

/** Throws {@link Failure} for a note that is too long. */
export function checkNote(note = ""): void {
  const over = new TextEncoder().encode(JSON.stringify(note).slice(1, -1)).byteLength - MAX_NOTE_BYTES;
  if (over > 0) {
    throw new Failure(
      `the note is ${countText(over, "byte")} too long, and nothing was changed; ` +
        `expected at most ${MAX_NOTE_BYTES} bytes, where a line break, " and \\ count two each: shorten it`,
    );
  }
}

/** Reads the pointer that the command will replace. Throws {@link Failure} for a note that is too long. */
export async function begin(store: Store, options: MoveOptions): Promise<Move> {
  checkNote(options.note);
  const before = await options.step("reading the pointer", () => readCurrent(store));
  if (before.problem === null || options.force) return { store, before, options };
  throw new Failure(`${before.problem}; nothing was changed; --force replaces the pointer`, EXIT.found);
}

/**
 * Writes the pointer, unless it has changed since `before`, and reads it again afterwards. If two people write it at
 * the same time, the person whose pointer was overwritten gets a failure. If the version was pruned meanwhile, and the
 * command has its bytes, the version is uploaded again.
 *
 * Keeps the stop, even if it is newer than `before`.
 */
export async function move(to: Move, pointer: Pointer, { manifest, bytes, again }: Moving): Promise<Moved> {
  const { store, before, options } = to;
  const { force, step } = options;
  const now = await step("reading the pointer again", () => readCurrent(store));
  if (!force && !isEqual(now.stored, before.stored)) throw overtaken(now, manifest, store);
  const stopped = now.stopped ?? null;
  const value = readable({ ...pointer, ...(stopped && { stopped }) });
  await step("moving the pointer", () => store.put(POINTER_KEY, value));
  const after = await step("checking the pointer", () => readCurrent(store));
  if (!isEqual(after.stored, value)) throw overtaken(after, manifest, store);
  if (!(await isThere(store, manifest))) {
    if (!again) {
      throw new Failure(
        `version ${manifest.version} was deleted while the pointer moved to it; choose another: npx edgebid catalog list ${store.where}`,
        EXIT.found,
      );
    }
    await again();
  }
  const { version, pushed, second = null, previous, left = null } = pointer;
  const old = before.pointer?.second?.version ?? version;
  const isServed = before.pointer?.version === version && before.pointer.pushed === pushed;
  return {
    ...{ ...manifestWith(manifest), bytes, previous, second, left: isServed ? null : left },
    dropped: old !== second?.version && old !== version ? old : null,
    ...{ stopped, changed: isServed ? "second" : "catalog" },
  };
}

/** The failure of a move when another person has moved the pointer. */
function overtaken({ version, pointer }: Current, of: Manifest, { where }: Store): Failure {
  const note = pointer?.note ? ` ("${pointer.note}")` : "";
  return new Failure(
    `another person has moved the pointer meanwhile, to ${version ?? "nothing"}${note}; it stays there. ` +
      `Your version is uploaded as ${of.version}: compare the two with ` +
      `\`npx edgebid catalog diff ${version} ${of.version} ${where}\`, then run the command again, or use --force`,
    EXIT.found,
  );
}

/** Whether all keys of a version are in the store. */
async function isThere(store: Store, { version, parts, documents = 1 }: Manifest): Promise<boolean> {
  const keys = new Set((await store.list(`${VERSIONS_PREFIX}${version}/`)).map(({ name }) => name));
  const own = [...partKeys(version, "snapshot", parts), ...partKeys(version, "document", documents)];
  return own.every((key) => keys.has(key));
}

/** The pointer's bytes. Throws {@link Failure} if no isolate could read them. */
function readable(pointer: Pointer): Uint8Array<ArrayBuffer> {
  try {
    return pointerBytes(pointer);
  } catch (error) {
    if (!(error instanceof PointerRefused)) throw error;
    throw new Failure(`no isolate could read the new pointer, and the old one stays: ${error.message}`);
  }
}

/**
 * The one version in the store whose name starts with `name`. Throws unless it is complete and this bidder can use it;
 * with `force`, it is enough that its source compiles.
 */
async function foundIn(to: Move, name: string, modules: Modules): Promise<Moving> {
  const { store, before, options } = to;
  const { force, step } = options;
  const entry = await step("listing the versions", () => versionNamed(store, before, name));
  const { version, zones, supply, keys } = entry;
  const snapshot = await step("checking", () => readSnapshot(store, entry));
  if (snapshot === null || (await versionOf(snapshot)) !== version) {
    throw new Failure(
      `version ${version} is incomplete in KV, and nothing was changed; push its document again`,
      EXIT.found,
    );
  }
  const { campaigns } = await usable(snapshot, entry, modules, to);
  const signature = await store.get(signatureKey(version));
  if (!signature && before.pointer?.signature && !force) {
    throw new Failure(
      `version ${version} is not signed, and the version that is served is, so nothing was changed: push its source ` +
        `with --sign, or use --force if the bidder has no CATALOG_KEYS any more\n  ${pullHint(version, store.where)}`,
      EXIT.found,
    );
  }
  const [parts, documents] = [partsOf(version, "snapshot", keys), partsOf(version, "document", keys)];
  const manifest = { version, parts, documents, campaigns, zones, supply };
  return {
    manifest: manifestWith(manifest, signature ? new TextDecoder().decode(signature) : undefined),
    bytes: snapshot.byteLength,
  };
}

/**
 * Opens a snapshot. If this bidder cannot use it, then with `force` compiles the source, as isolates will. Throws a
 * {@link Failure} that says how to get the source.
 */
async function usable(
  snapshot: Uint8Array,
  { version, keys }: Version,
  { open, compile }: Modules,
  { store, options: { force, step } }: Move,
): Promise<{ campaigns: number }> {
  let why: string;
  try {
    return open(snapshot);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    why = error.message;
  }
  const next = `get its source and push that: ${pullHint(version, store.where)}`;
  const source = force ? await readParts(store, version, "document", partsOf(version, "document", keys)) : null;
  if (source === null || source.byteLength > MAX_COMPILED_BYTES) {
    const forced = "or use --force: isolates then compile its source, if it has at most 4 MiB";
    throw new Failure(`${why}; ${next}\n  ${forced}`, EXIT.found);
  }
  try {
    return await step("compiling", () => compile(source));
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    const refused = "isolates would refuse its source too, so nothing was changed";
    throw new Failure(`${why}; ${refused}; ${next}\n${error.message}`, EXIT.found);
  }
}
