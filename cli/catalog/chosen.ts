//! The catalog that a command decides with or explains: a file, a folder, a version in KV, or the one that is served.

import { existsSync } from "node:fs";
import { EXIT, Failure } from "../../build/failure.mjs";
import type { Current } from "../../shared/catalog/listing.ts";
import { defaultCatalog } from "../defaults.ts";
import { hasLocalState } from "./local.ts";
import { type CatalogOptions, inStore, isNamed, type StoreOptions } from "./open.ts";
import { type Source, sourceOf, sourceOfBytes } from "./source.ts";
import type { Store } from "./store.ts";
import { readCurrent, readNamed } from "./versions.ts";

/** A version in KV, or the plain document that is served there. */
export interface InKv {
  store: Store;
  current: Current;
  /** Its name, or the start of it. */
  version: string;
}

/** What becomes of a chosen catalog. */
export interface Open<T> {
  onDisk: (source: Source) => Promise<T>;
  inKv: (found: InKv) => Promise<T>;
}

/**
 * Opens these catalogs. A missing name means the one that is served: in the KV that the options name, else in that of
 * `npm start` in this folder, and if nothing is served there, the catalog that `npm start` would serve. Opens KV only if
 * it is needed.
 */
export async function openAll<T>(
  names: readonly (string | undefined)[],
  options: StoreOptions,
  { onDisk, inKv }: Open<T>,
): Promise<T[]> {
  const sources = names.map((name) => ({ name, source: sourceOrVersion(name) }));
  const isOnDisk = sources.every(({ source }) => source !== null);
  // Opening KV would make its folder.
  if (isOnDisk || (!names.some(Boolean) && !isNamed(options) && !hasLocalState(options.persistTo)))
    return inOrder(sources, ({ source }) => onDisk(source ?? sourceOf(defaultCatalog())));
  return inStore(isNamed(options) ? options : { ...options, local: true }, async (store) => {
    const current = await readCurrent(store);
    return inOrder(sources, ({ name, source }) => {
      const version = name ?? current.version;
      if (source !== null) return onDisk(source);
      if (version !== null) return inKv({ store, current, version });
      if (!isNamed(options) && current.problem === null) return onDisk(sourceOf(defaultCatalog()));
      const push = `no catalog is served; push one: npx edgebid catalog push FILE ${store.where}`;
      throw new Failure(current.problem ?? push, EXIT.found);
    });
  });
}

/** The source of the catalog that the options choose. */
export async function chosenSource({ catalog, ...options }: CatalogOptions): Promise<Source> {
  const open: Open<Source> = {
    onDisk: async (source) => source,
    inKv: async ({ store, current, version }) => {
      const { name, document } = await readNamed(store, current, version);
      return sourceOfBytes(`version ${name} of ${store.where}`, document);
    },
  };
  const [source] = await openAll([catalog], options, open);
  return source as Source;
}

/** The catalog in a file or folder; null if the name can only be that of a version. */
export function sourceOrVersion(name: string | undefined): Source | null {
  if (name === undefined || (!existsSync(name) && /^[0-9a-f]{1,16}$/i.test(name))) return null;
  return sourceOf(name);
}

async function inOrder<F, T>(all: F[], open: (one: F) => Promise<T>): Promise<T[]> {
  const opened: T[] = [];
  for (const one of all) opened.push(await open(one));
  return opened;
}
