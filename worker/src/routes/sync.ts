//! `GET /sync/:ssp`: user sync in both directions of OpenRTB 2.6, Appendix C.
//!
//! - The exchange keeps the match table: the browser is redirected with our id, to the `redirect` of the call if its
//!   host is one of the exchange's `sync_redirect_hosts`, otherwise to the exchange's `sync_url`.
//! - The exchange sends its own id as `uid`: the browser stores it next to ours. Such a call is never redirected, so
//!   that exchange and bidder cannot redirect to each other without end.
//!
//! The privacy gate in the module decides whether an id may be stored. Only the catalog decides which hosts a redirect
//! may lead to. A refusal or a failure is a 204 without a cookie.
//!
//! `GET /optout` deletes the browser's ids, and remembers the opt-out. Exchanges keep the data of earlier syncs: only
//! an exchange's own opt-out can delete its data.

import { SCHEMA_VERSION } from "../../../shared/events/schema.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { OUR_ID } from "../../../shared/wasm/abi.ts";
import type { SyncParameters } from "../../../shared/wasm/answers.ts";
import {
  FORGET_IDS,
  type Ids,
  keepIds,
  newIds,
  REMEMBER_OPT_OUT,
  readCookies,
  withPartner,
} from "../cookies/browser.ts";
import type { Call } from "../isolate.ts";

/** A transparent image of one pixel. */
const PIXEL = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

/**
 * The answer, and the result to count. `redirected`: our id went to the exchange. `kept`: the browser stored the
 * exchange's id. `nothing`: the call had no id, and the exchange wants none. Other results are refusals and failures.
 */
type Outcome = [result: string, answer: Response];

/**
 * Answers a sync call of the SSP in the path, and counts the result. If it passed on or stored an id, adds an event.
 */
export async function sync(call: Call): Promise<Response> {
  const { rest: ssp, env, ctx, isolate } = call;
  const [outcome, response] = await synced(call).catch((error): Outcome => {
    // The answer is a 204 even after this failure.
    fail("failure", error);
    return empty("failure");
  });
  isolate.counters.add(`sync-${outcome}`);
  // All other calls are counted but have no event, so that nobody can fill the queue with events.
  const catalog = isolate.keeper.version;
  if (catalog !== null && (outcome === "redirected" || outcome === "kept")) {
    const [id, time] = [crypto.randomUUID(), Date.now()];
    isolate.events.add({ v: SCHEMA_VERSION, type: "sync", id, time, catalog, ssp, outcome }, env, ctx);
  }
  return response;
}

async function synced({ request, rest: sspId, env, ctx, isolate }: Call): Promise<Outcome> {
  const { keeper } = isolate;
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  if (bidder === undefined) return empty("no-catalog");
  const ssp = bidder.ssp(sspId);
  if (ssp === undefined) return empty("unknown-ssp", 404);
  const now = Math.floor(Date.now() / 1000);
  const { optedOut, ids } = readCookies(request.headers.get("cookie"), now);
  // Each site has its own cookie with ids, so an opt-out on another site could not delete the cookie of this site.
  if (optedOut) return empty("opted-out", 204, ids && { "set-cookie": FORGET_IDS });
  const query = request.url.indexOf("?");
  const read = query < 0 ? "" : request.url.slice(query + 1);
  const call = bidder.readSync(read, ssp, sendsOptOut(request.headers));
  if ("refused" in call) return empty(call.refused);
  const known = ids ?? newIds(now);
  if (call.uid !== "") {
    const headers = { ...keeping(withPartner(known, sspId, call.uid, now), now), "content-type": "image/gif" };
    return ["kept", new Response(PIXEL, { headers })];
  }
  const location = call.redirect.replaceAll(OUR_ID, known.own) || filled(bidder.factsOf(ssp).sync_url, call, known);
  if (location === "") return empty("nothing");
  return ["redirected", new Response(null, { status: 302, headers: { ...keeping(known, now), location } })];
}

/** The exchange's address with our id and the call's values filled in. */
function filled(url: string, call: SyncParameters, { own }: Ids): string {
  const values: Record<string, string> = { ...call, buyeruid: own };
  return url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

function empty(result: string, status = 204, headers: HeadersInit = {}): Outcome {
  return [result, new Response(null, { status, headers })];
}

/** The headers of an answer that stores the ids. */
function keeping(ids: Ids, now: number): Record<string, string> {
  return { "set-cookie": keepIds(ids, now), "cache-control": "no-store" };
}

/** Whether the browser itself sends an opt-out: Global Privacy Control or Do Not Track. */
function sendsOptOut(headers: Headers): boolean {
  return headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";
}

/** Answers with a text for people. The opt-out also works if a page loads the address as an image or a frame. */
export function optOut({ isolate }: Call): Response {
  isolate.counters.add("opt-out");
  const headers = new Headers({ "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" });
  for (const cookie of [FORGET_IDS, ...REMEMBER_OPT_OUT]) headers.append("set-cookie", cookie);
  return new Response("You have opted out: this browser no longer gets an id from us.\n", { headers });
}
