//! Finds the catalogs that replay compares: files, folders, or versions in KV, named as in `edgebid catalog diff`.

import { partsOf, versionOf } from "../../worker/src/catalog/pointer.ts";
import { Bidder, SnapshotRefused } from "../../worker/src/wasm/bidder.ts";
import { compiledAside } from "../catalog/compiling.ts";
import { inStore, type StoreOptions } from "../catalog/open.ts";
import { step } from "../catalog/progress.ts";
import { sourceOrVersion } from "../catalog/read.ts";
import { type Source, sourceOfBytes } from "../catalog/source.ts";
import type { Store } from "../catalog/store.ts";
import { findVersion, listVersions, readCurrent, readDocument, readParts } from "../catalog/versions.ts";
import { module } from "../module.ts";
import { Failure } from "../process.mjs";

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
async function inKv(name: string | undefined, store: Store): Promise<Named> {
  const current = await readCurrent(store);
  const wanted = name ?? current.pointer?.version;
  if (wanted === undefined) {
    if (current.stored === null || current.version === null)
      throw new Failure(current.problem ?? `no catalog is served; push one: npx edgebid catalog push ${store.where}`);
    return compiled(sourceOfBytes(current.version, current.stored));
  }
  const version = findVersion(await listVersions(store, current), wanted, store);
  const parts = partsOf(version.version, "snapshot", version.keys);
  const snapshot = await step(`reading ${version.version}`, () => readParts(store, version.version, "snapshot", parts));
  if (snapshot && canServe(snapshot)) return { name: version.version, version: version.version, snapshot };
  return {
    ...(await compiled(sourceOfBytes(version.version, await readDocument(store, version)))),
    name: version.version,
  };
}

function canServe(snapshot: Uint8Array): boolean {
  try {
    return new Bidder(snapshot, module).campaigns >= 0;
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    return false;
  }
}
