//! `POST /forget`: deletes all counts of frequency caps that are kept under an id. The body names the id, which is never in
//! a URL or a log. A person is counted under the best id of each request, so others of his ids may have counts too.

import { EXPLAIN_BODY_MS } from "../../../shared/limits.ts";
import { fail, Refusal } from "../../../shared/telemetry/failures.ts";
import { countersOf, inAllRegions, keysOf } from "../frequency/objects.ts";
import { isText, jsonIn, readBody } from "../http/body.ts";
import { askLater, json } from "../http/operator.ts";
import type { Call } from "../isolate.ts";
import { NO_NOTICES } from "../notices/settings.ts";

/** The kinds of ids: see `Kind` in `crates/auction/src/options/caps/person.rs`. */
const KINDS = ["buyeruid", "ifa", "eid", "user", "household"] as const;

/**
 * The body of the call. Without a kind, the id may be of any kind; an `eid` needs its source. An id of an SSP's `user` is
 * looked for at the SSPs of the catalog, or at the one that `source` names.
 */
interface Query {
  id: string;
  kind?: string;
  source?: string;
}

/**
 * `{"rows", "kinds", "ssps"}`: the rows deleted in all objects, the kinds of ids that were looked for, and the SSPs whose
 * `user` it may be; 400 or 503 with `{"error"}`.
 */
export async function forget({ request, env, ctx, isolate }: Call): Promise<Response> {
  const { keeper, notices } = isolate;
  const body = await readBody(request, EXPLAIN_BODY_MS, ctx, "/forget");
  const query = body instanceof Uint8Array ? queryIn(body) : null;
  if (query === null) throw new Refusal('expected {"id":"…"}, and perhaps "kind" and "source"', 400);
  const { id, kind, source = "" } = query;
  const kinds = KINDS.filter((one) => one === (kind ?? one) && (one !== "eid" || source !== ""));
  if (kinds.length === 0) throw new Refusal(`kind: expected one of ${KINDS.join(", ")}; an eid needs its source`, 400);
  const settings = notices.of(request, env);
  if (settings === NO_NOTICES) throw new Refusal("there are no NOTICE_KEYS, so nothing was counted about anybody", 400);
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  if (bidder === undefined) return askLater("there is no catalog yet; try again");
  notices.use(bidder, settings);
  const known = kind === "user" && source !== "" ? [] : bidder.ssps;
  const ssps = kinds.includes("user") ? [...new Set([...known, source])].filter(Boolean) : [];
  const scopes = { buyeruid: [""], ifa: [""], eid: [source], user: ssps, household: [""] };
  const keys = kinds.flatMap((one) => scopes[one].map((scope) => keysOf(bidder, one, scope, id)));
  if (keys.some((own) => own.length === 0))
    throw new Refusal("the NOTICE_KEYS cannot be used, so nobody can be found: GET /healthz says why", 503);
  const counters = keys.flatMap(countersOf);
  try {
    const deleted = counters.flatMap(({ key, object }) => inAllRegions(env, object).map((stub) => stub.forget(key)));
    return json({ rows: (await Promise.all(deleted)).reduce((sum, rows) => sum + rows, 0), kinds, ssps });
  } catch (error) {
    fail("forget", error);
    return askLater("an object cannot answer now; try again");
  }
}

function queryIn(body: Uint8Array): Query | null {
  try {
    const query = jsonIn<Query>(body);
    const texts = [query.id, query.kind ?? "", query.source ?? ""];
    const areTexts = texts.every((text) => isText(text) && !text.includes("\n"));
    return areTexts && query.id !== "" ? query : null;
  } catch {
    return null;
  }
}
