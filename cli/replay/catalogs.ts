//! Finds the catalogs that replay compares: files, folders, or versions in KV, named as in `edgebid catalog diff`.

import { versionOf } from "../../worker/src/catalog/pointer.ts";
import { compiledAside } from "../catalog/compiling.ts";
import { inStore, type StoreOptions } from "../catalog/open.ts";
import { step } from "../catalog/progress.ts";
import { sourceOrVersion } from "../catalog/read.ts";
import { type Source, sourceOfBytes } from "../catalog/source.ts";
import type { Store } from "../catalog/store.ts";
import { findVersion, listVersions, readCurrent, readNamed, readSnapshot } from "../catalog/versions.ts";
import { open } from "../catalog/write.ts";
import { Failure } from "../failure.mjs";

/** A compiled catalog. */
export interface Named {
  /** As the command names it, or the whole name of the version. */
  name: string;
  version: string;
  snapshot: Uint8Array;
}

/** Opens the catalogs. Without a name, that is the version that is served in KV. Opens KV only if it is needed. */
export async function openAll(names: (string | undefined)[], options: StoreOptions): Promise<Named[]> {
  const sources = names.map((name) => ({ name, source: sourceOrVersion(name) }));
  if (sources.every(({ source }) => source !== null)) return opened(sources, null);
  return inStore(options, (store) => opened(sources, store));
}

async function opened(
  sources: { name: string | undefined; source: Source | null }[],
  store: Store | null,
): Promise<Named[]> {
  const found: Named[] = [];
  for (const { name, source } of sources) {
    if (source) found.push(await compiled(source));
    else if (store) found.push(await inKv(name, store));
  }
  return found;
}

async function compiled(source: Source, name = source.path): Promise<Named> {
  const { snapshot } = await step(`compiling ${name}`, () => compiledAside(source));
  return { name, version: await versionOf(snapshot), snapshot };
}

/** Reads a version. One that another build of edgebid has pushed is compiled from its source. */
async function inKv(named: string | undefined, store: Store): Promise<Named> {
  const current = await readCurrent(store);
  const wanted = named ?? current.version;
  if (wanted === null)
    throw new Failure(current.problem ?? `no catalog is served; push one: npx edgebid catalog push ${store.where}`);
  if (current.pointer || named !== undefined) {
    const version = findVersion(await listVersions(store, current), wanted, store);
    const name = version.version;
    const snapshot = await step(`reading ${name}`, () => readSnapshot(store, version));
    if (snapshot && isUsable(snapshot)) return { name, version: name, snapshot };
  }
  const { name, document } = await readNamed(store, current, wanted);
  return { ...(await compiled(sourceOfBytes(name, document))), name };
}

/** Whether this build of edgebid can serve a snapshot. */
function isUsable(snapshot: Uint8Array): boolean {
  try {
    return open(snapshot).campaigns >= 0;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
