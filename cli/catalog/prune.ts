//! Deletes old versions: all except the last pushed versions and the versions that the pointer names.

import type { Current } from "../../worker/src/catalog/listing.ts";
import { Failure } from "../failure.mjs";
import type { Step, Store } from "./store.ts";
import { listVersions, readCurrent } from "./versions.ts";

/** The versions that were deleted (or would be, with `dryRun`), and the versions that are kept. */
export interface Pruned {
  deleted: string[];
  kept: { version: string; why: string }[];
}

/** Deletes old versions. With `dryRun`, only returns what it would delete. */
export async function prune(
  store: Store,
  { keep, dryRun }: { keep: number; dryRun?: boolean | undefined },
  step: Step,
): Promise<Pruned> {
  const listed = await step("listing the versions", async () => listVersions(store, await readCurrent(store)));
  // The pointer is read after the list, so that a version that is pushed again meanwhile is kept.
  const current = await step("reading the pointer", () => readCurrent(store));
  if (current.problem !== null) throw new Failure(`${current.problem}; nothing was deleted`);
  const named = namedBy(current);
  const kept = listed.flatMap(({ version }, place) => {
    const why = named.get(version) ?? (place < keep ? `among the ${keep} pushed last` : null);
    return why === null ? [] : [{ version, why }];
  });
  const old = listed.filter(({ version }) => !kept.some((entry) => entry.version === version));
  const deleted = old.map(({ version }) => version);
  if (old.length > 0 && !dryRun) {
    await step(`deleting ${old.length} versions`, () => store.delete(old.flatMap(({ keys }) => keys)));
    const after = namedBy(await step("reading the pointer again", () => readCurrent(store)));
    const missed = deleted.filter((version) => after.has(version));
    if (missed.length > 0) {
      throw new Failure(
        `${missed.join(", ")} was pushed again while it was deleted, and may be incomplete; push it again now`,
      );
    }
  }
  return { deleted, kept };
}

/** The versions that the pointer names, each with its role. */
function namedBy({ pointer }: Current): Map<string, string> {
  const { version: served, previous, second } = pointer ?? {};
  return new Map([
    ...(previous ? [[previous, "is the previous version"] as const] : []),
    ...(second ? [[second.version, "is the second version"] as const] : []),
    ...(served ? [[served, "is served"] as const] : []),
  ]);
}
