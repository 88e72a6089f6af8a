//! `GET /inspect/api/diff?old=&new=`: what differs between two versions, as `edgebid catalog diff --json` shows it.

import { diff } from "../catalog/diff.ts";
import { MAX_LISTED } from "../limits.ts";
import { documentOf } from "./documents.ts";

/** The first changes, and the number of `more`. */
export async function changes(old: string, now: string, env: Env): Promise<object> {
  const [before, after] = [await documentOf(old, env), await documentOf(now, env)];
  const all = diff(before, after);
  const shown = all.slice(0, MAX_LISTED).map((change) => ({ ...change, at: null }));
  return { old, new: now, errors: 0, changes: shown, more: all.length - shown.length };
}
