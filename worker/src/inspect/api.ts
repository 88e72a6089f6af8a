//! `GET /inspect/api/…`: what the inspector's page asks besides explanations and reports. Only for the operator.

import { type OperatorEnv, operatorOnly, refused, told } from "../http/operator.ts";
import { MAX_LISTED } from "../limits.ts";
import { type Inspected, refusalOf } from "./beside.ts";
import { catalog } from "./catalog.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./documents.ts";
import { list } from "./list.ts";

/** What can be asked for. */
const NAMES = ["versions", "catalog", "diff"];

/**
 * The answer as JSON, or `{"error"}`: 400 for a wrong query, 404 for an unknown version, 413 if a version is too large to
 * read here, 503 if it cannot be used. 404 if no operator is configured, and 401 or 429 for everybody else.
 */
export async function inspectApi(
  request: Request,
  name: string,
  env: Env & OperatorEnv,
  ctx: ExecutionContext,
  isolate: Inspected,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, isolate.attempts, "GET");
  if (refusal) return refusal;
  if (!NAMES.includes(name)) return refused(`expected one of ${NAMES.join(", ")}`, 404);
  const { searchParams } = new URL(request.url);
  const served = isolate.keeper.use(env, ctx) ?? (await isolate.keeper.first());
  try {
    if (name === "versions") return told(await list(env, isolate));
    if (name === "diff") {
      const [old, now] = [searchParams.get("old"), searchParams.get("new")];
      if (!old || !now) return refused("old, new: expected the names of two versions", 400);
      return told(await changes(old, now, env));
    }
    if (served === undefined) return refused("there is no catalog yet", 503);
    const prefix = searchParams.get("cid") ?? "";
    return told(await catalog(searchParams.get("version"), prefix, served, env, ctx, isolate));
  } catch (error) {
    const { message, status } = refusalOf(error);
    return refused(message, status);
  }
}

/** What differs between two versions, as `edgebid catalog diff --json` shows it: the first changes, and how many more. */
async function changes(old: string, now: string, env: Env): Promise<object> {
  const [before, after] = [await documentOf(old, env), await documentOf(now, env)];
  const all = diff(before, after);
  const shown = all.slice(0, MAX_LISTED).map((change) => ({ ...change, at: null }));
  return { old, new: now, errors: 0, changes: shown, more: all.length - shown.length };
}
