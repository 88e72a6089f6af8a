//! Deletes old versions: all but the ones pushed last, and those that the pointer names.

import { CatalogFailure, type Step, type Store } from "./store.ts";
import { listVersions, readCurrent } from "./versions.ts";

/** What came of it, or would. */
export interface Pruned {
  deleted: string[];
  kept: { version: string; why: string }[];
}

/** With `dryRun`, only tells what it would delete. */
export async function prune(
  store: Store,
  { keep, dryRun }: { keep: number; dryRun?: boolean | undefined },
  step: Step,
): Promise<Pruned> {
  const current = await step("reading the pointer", () => readCurrent(store));
  if (current.problem !== null) throw new CatalogFailure(`${current.problem}; nothing was deleted`);
  const versions = await step("listing the versions", () => listVersions(store, current));
  const { version: served, previous, second } = current.pointer ?? {};
  const named = new Map([
    ...(previous ? [[previous, "was served before"] as const] : []),
    ...(second ? [[second.version, "stands beside what is served"] as const] : []),
    ...(served ? [[served, "is served"] as const] : []),
  ]);
  const kept = versions.flatMap(({ version }, place) => {
    const why = named.get(version) ?? (place < keep ? `among the ${keep} pushed last` : null);
    return why === null ? [] : [{ version, why }];
  });
  const old = versions.filter(({ version }) => !kept.some((entry) => entry.version === version));
  if (old.length > 0 && !dryRun)
    await step(`deleting ${old.length} versions`, () => store.delete(old.flatMap(({ keys }) => keys)));
  return { deleted: old.map(({ version }) => version), kept };
}
