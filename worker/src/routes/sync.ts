//! `GET /sync/:ssp`: user sync in both directions of OpenRTB 2.6, Appendix C.
//!
//! - The exchange keeps the match table: the browser is redirected with our id, to the `redirect` of the call if its host
//!   is one of the exchange's `sync_redirect_hosts`, otherwise to the exchange's `sync_url`.
//! - The exchange sends its own id as `uid`: the browser stores it next to ours. Such a call is never redirected, so
//!   that exchange and bidder cannot redirect to each other without end.
//!
//! The privacy gate in the module decides whether an id may be stored. Only the catalog decides which hosts a redirect
//! may lead to. A refusal or a failure is a 204 without a cookie.

import type { CatalogKeeper } from "../catalog/keeper.ts";
import { FORGET_IDS, type Ids, keepIds, newIds, readCookies, withPartner } from "../cookies/browser.ts";
import { SCHEMA_VERSION } from "../events/schema.ts";
import { fail } from "../telemetry/failures.ts";
import { OUR_ID } from "../wasm/abi.ts";
import type { SyncParameters, SyncRefusal } from "../wasm/answers.ts";
import type { Isolate } from "./isolate.ts";

/**
 * The result of a sync call. `redirected`: our id went to the exchange. `kept`: the browser stored the exchange's id.
 * `nothing`: the call had no id and the exchange wants none.
 */
export type SyncOutcome =
  | "redirected"
  | "kept"
  | "nothing"
  | SyncRefusal
  | "opted-out"
  | "no-catalog"
  | "unknown-ssp"
  | "failure";

interface Answer {
  outcome: SyncOutcome;
  response: Response;
}

/** A transparent image of one pixel. */
const PIXEL = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

/** Answers a sync call of the SSP in the path, and counts the result. If it passed on or stored an id, adds an event. */
export async function sync(
  request: Request,
  sspId: string,
  env: Env,
  ctx: ExecutionContext,
  { keeper, counters, events }: Pick<Isolate, "keeper" | "counters" | "events">,
): Promise<Response> {
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });
  const { outcome, response } = await answer(request, sspId, env, ctx, keeper);
  counters.add(`sync-${outcome}`);
  // Other calls are only counted, so that nobody can fill the queue with calls.
  const catalog = keeper.version;
  if (catalog !== null && (outcome === "redirected" || outcome === "kept")) {
    const [id, time] = [crypto.randomUUID(), Date.now()];
    events.add({ v: SCHEMA_VERSION, type: "sync", id, time, catalog, ssp: sspId, outcome }, env, ctx);
  }
  return response;
}

async function answer(
  request: Request,
  sspId: string,
  env: Env,
  ctx: ExecutionContext,
  keeper: CatalogKeeper,
): Promise<Answer> {
  try {
    const bidder = keeper.use(env, ctx) ?? (await keeper.first());
    if (bidder === undefined) return empty("no-catalog");
    const ssp = bidder.ssp(sspId);
    if (ssp === undefined) return empty("unknown-ssp", 404);
    const now = Math.floor(Date.now() / 1000);
    const { optedOut, ids } = readCookies(request.headers.get("cookie"), now);
    // Each site has its own cookie with ids, so an opt-out on another site could not delete the cookie of this site.
    if (optedOut) return empty("opted-out", 204, ids && { "set-cookie": FORGET_IDS });
    const call = bidder.readSync(queryOf(request.url), ssp, sendsOptOut(request.headers));
    if ("refused" in call) return empty(call.refused);
    const known = ids ?? newIds(now);
    if (call.uid !== "") return kept(withPartner(known, sspId, call.uid, now), now);
    const location = call.redirect.replaceAll(OUR_ID, known.own) || filled(bidder.factsOf(ssp).sync_url, call, known);
    return location === "" ? empty("nothing") : redirected(location, known, now);
  } catch (error) {
    // Even after this failure the answer is a 204.
    fail("failure", error);
    return empty("failure");
  }
}

function kept(ids: Ids, now: number): Answer {
  return {
    outcome: "kept",
    response: new Response(PIXEL, { headers: { ...keeping(ids, now), "content-type": "image/gif" } }),
  };
}

/** The exchange's address with our id and the call's values in their places. */
function filled(url: string, call: SyncParameters, { own }: Ids): string {
  const values: Record<string, string> = { ...call, buyeruid: own };
  return url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

function redirected(location: string, ids: Ids, now: number): Answer {
  return {
    outcome: "redirected",
    response: new Response(null, { status: 302, headers: { ...keeping(ids, now), location } }),
  };
}

function empty(outcome: SyncOutcome, status = 204, headers: HeadersInit = {}): Answer {
  return { outcome, response: new Response(null, { status, headers }) };
}

/** The headers of an answer that stores the ids. */
function keeping(ids: Ids, now: number): Record<string, string> {
  return { "set-cookie": keepIds(ids, now), "cache-control": "no-store" };
}

/** Whether the browser itself sends an opt-out: Global Privacy Control or Do Not Track. */
function sendsOptOut(headers: Headers): boolean {
  return headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";
}

function queryOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? "" : url.slice(query + 1);
}
