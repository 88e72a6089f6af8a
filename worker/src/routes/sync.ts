//! `GET /sync/:ssp`: HTTP around user sync, in both directions of OpenRTB 2.6, Appendix C.
//!
//! - The exchange keeps the match table: the browser is redirected to its `sync_url` with our id, or where the call itself
//!   says, as `redirect`, if that is one of the exchange's `sync_redirect_hosts`.
//! - The exchange brings its own id as `uid`: the browser keeps it, beside ours. Never a redirect then, or two sides that
//!   redirect to one another would never end.
//!
//! Whether anything may be kept is up to the privacy gate in the module, and to which hosts a redirect leads to the catalog
//! alone.
//! Without either, and whatever goes wrong, it is a 204 and no cookie.

import type { CatalogKeeper } from "../catalog/keeper.ts";
import { FORGET_IDS, type Ids, keepIds, newIds, readCookies, withPartner } from "../cookies/browser.ts";
import { SCHEMA_VERSION } from "../events/schema.ts";
import { fail } from "../telemetry/failures.ts";
import type { SyncCall, SyncRefusal } from "../wasm/bidder.ts";
import type { Isolate } from "./isolate.ts";

/**
 * What a sync call came to: our id `redirected` to the exchange, the exchange's `kept`, `nothing` that either wants; why it
 * was refused; a person who `opted-out`; no catalog yet; an SSP that it does not know; something that failed inside.
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

/** The smallest transparent image. */
const PIXEL = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

/** Answers one sync call of the SSP that the path names, and counts what it came to; where an id was passed on or kept, that is an event. */
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
  // Of others nothing is kept but the count, and whoever likes to call cannot fill the queue.
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
    // An opt-out on another site could not take away what was kept on this one.
    if (optedOut) return empty("opted-out", 204, ids && { "set-cookie": FORGET_IDS });
    const call = bidder.readSync(queryOf(request.url), ssp, saysNo(request.headers));
    if (typeof call === "string") return empty(call);
    const known = ids ?? newIds(now);
    if (call.uid !== "") return kept(withPartner(known, sspId, call.uid, now), now);
    const location = call.redirect.replaceAll("$UID", known.own) || filled(bidder.syncUrl(ssp), call, known);
    return location === "" ? empty("nothing") : redirected(location, known, now);
  } catch (error) {
    // Answered with 204.
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

/** The exchange's address with what it has places for. */
function filled(url: string, call: SyncCall, { own }: Ids): string {
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

function keeping(ids: Ids, now: number): Record<string, string> {
  return { "set-cookie": keepIds(ids, now), "cache-control": "no-store" };
}

/** Whether the browser itself says that the person wants none of this: Global Privacy Control, Do Not Track. */
function saysNo(headers: Headers): boolean {
  return headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";
}

function queryOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? "" : url.slice(query + 1);
}
