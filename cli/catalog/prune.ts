//! Deletes old versions: all but the ones pushed last, and those that the pointer names.

import { CatalogFailure, type Step, type Store } from "./store.ts";
import { listVersions, readCurrent } from "./versions.ts";

/** Returns the versions that it deleted. */
export async function prune(store: Store, keep: number, step: Step): Promise<string[]> {
  const current = await step("reading the pointer", () => readCurrent(store));
  if (current.problem !== null) throw new CatalogFailure(`${current.problem}; nothing was deleted`);
  const versions = await step("listing the versions", () => listVersions(store, current));
  const { version: served, previous, second } = current.pointer ?? {};
  const kept = new Set([...versions.slice(0, keep).map(({ version }) => version), served, previous, second?.version]);
  const old = versions.filter(({ version }) => !kept.has(version));
  if (old.length > 0)
    await step(`deleting ${old.length} versions`, () => store.delete(old.flatMap(({ keys }) => keys)));
  return old.map(({ version }) => version);
}
