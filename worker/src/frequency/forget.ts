//! `POST /forget`: deletes everything that the caps have counted about a person. The body names an id, which is never in a
//! URL or in a log.

import type { CatalogKeeper } from "../catalog/keeper.ts";
import type { Attempts } from "../http/attempts.ts";
import { readBody } from "../http/body.ts";
import { askLater, type OperatorEnv, operatorOnly, refused, told } from "../http/operator.ts";
import { EXPLAIN_BODY_MS } from "../limits.ts";
import { NO_NOTICES, type NoticeSettings } from "../notices/settings.ts";
import { fail } from "../telemetry/failures.ts";
import { inAllRegions, placesOf } from "./places.ts";

/** The kinds of ids: see `Kind` in `crates/bidder-wasm/src/caps/person.rs`. */
export const KINDS = ["buyeruid", "ifa", "eid", "user"] as const;

/** The body of the call. Without a kind, the id may be of any kind; an `eid` needs its source. */
interface Query {
  id: string;
  kind?: string;
  source?: string;
}

/** What was deleted: the rows in all objects. */
export interface Forgotten {
  rows: number;
}

interface Isolate {
  keeper: CatalogKeeper;
  attempts: Attempts;
  notices: NoticeSettings;
}

/**
 * {@link Forgotten} as JSON; 400 or 503 with `{"error"}`. 404 if no operator is configured, and 401 or 429 for everybody
 * else.
 */
export async function forget(
  request: Request,
  env: Env & OperatorEnv,
  ctx: ExecutionContext,
  { keeper, attempts, notices }: Isolate,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, attempts, "POST");
  if (refusal) return refusal;
  const body = await readBody(request, EXPLAIN_BODY_MS, ctx, "/forget");
  const query = body instanceof Uint8Array ? queryIn(body) : null;
  if (query === null) return refused('expected {"id":"…"}, and perhaps "kind" and "source"', 400);
  const { id, kind, source = "" } = query;
  const kinds = KINDS.filter((one) => one === (kind ?? one) && (one !== "eid" || source !== ""));
  if (kinds.length === 0) return refused(`kind: expected one of ${KINDS.join(", ")}; an eid needs its source`, 400);
  const settings = notices.of(request, env);
  if (settings === NO_NOTICES) return refused("there are no NOTICE_KEYS, so nothing was counted about anybody", 400);
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  if (bidder === undefined) return askLater("there is no catalog yet; try again");
  notices.use(bidder, settings);
  const scopes = { buyeruid: [""], ifa: [""], eid: [source], user: bidder.ssps };
  const placesIn = (kind: (typeof KINDS)[number], scope: string) =>
    placesOf(bidder.keysOf(kind, scope, id), Date.now());
  const places = kinds.flatMap((one) => scopes[one].flatMap((scope) => placesIn(one, scope)));
  try {
    const deleted = places.flatMap(({ key, object }) => inAllRegions(env, object).map((stub) => stub.forget(key)));
    const rows = (await Promise.all(deleted)).reduce((sum, rows) => sum + rows, 0);
    return told({ rows } satisfies Forgotten);
  } catch (error) {
    fail("forget", error);
    return askLater("an object cannot answer now; try again");
  }
}

function queryIn(body: Uint8Array): Query | null {
  try {
    const query: Query = JSON.parse(new TextDecoder().decode(body));
    const texts = [query.id, query.kind ?? "", query.source ?? ""];
    const isText = texts.every((text) => typeof text === "string" && !text.includes("\n"));
    return isText && query.id !== "" ? query : null;
  } catch {
    return null;
  }
}
