//! `GET /inspect/api/versions`: the versions in KV, as `edgebid catalog list --json` shows them.

import { currentOf, isDocument, versionsOf } from "../catalog/listing.ts";
import { VERSIONS_PREFIX } from "../catalog/pointer.ts";
import { getPointer } from "../catalog/versions.ts";
import type { Inspected } from "./beside.ts";

/** What the pointer names, what this isolate serves, and all versions, newest push first. */
export async function list(env: Env, { keeper }: Pick<Inspected, "keeper">): Promise<object> {
  const current = await currentOf(await getPointer(env));
  const { pointer, problem, stopped, version } = current;
  const keys: { name: string; metadata?: unknown }[] = [];
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await env.CATALOG.list({ prefix: VERSIONS_PREFIX, cursor });
    keys.push(...page.keys);
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return {
    served: version,
    plain: isDocument(current),
    problem,
    previous: pointer?.previous ?? null,
    second: pointer?.second ?? null,
    stopped: stopped ?? null,
    serving: keeper.state(),
    versions: versionsOf(keys, current).map(({ keys, ...version }) => version),
  };
}
