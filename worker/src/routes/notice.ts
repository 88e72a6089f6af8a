//! `GET` or `POST /n/:kind/:token`: a notice that a bid has won, is billed or has lost, or that its ad was shown. The
//! module reads it; a bill goes into the ledger.
//!
//! The answer is 204, even if nothing is booked. It is 503 only if the ledger cannot book after some attempts, or our keys
//! of prices or our rates may be what is wrong: exchanges send a notice again unless they get 200 or 204, and money must not
//! be lost. Browsers and players never send one again. This is the only route toward an SSP that answers 5xx.

import { type Event, SCHEMA_VERSION } from "../events/schema.ts";
import { billed } from "../frequency/ask.ts";
import { operatorOnly } from "../http/operator.ts";
import { ledgerOf, quarterAt } from "../ledger/places.ts";
import type { Bill, Booking, Names, Subject, Weight } from "../ledger/rows.ts";
import { BOOK_ATTEMPTS, BOOK_BACKOFF_MS, NOTICE_RETRY_SECONDS, NOTICE_WAIT_MS } from "../limits.ts";
import { NO_NOTICES } from "../notices/settings.ts";
import { unknownSubject } from "../notices/tally.ts";
import { retrying } from "../post/retry.ts";
import { fail } from "../telemetry/failures.ts";
import type { Verdict } from "../wasm/answers.ts";
import type { Bidder } from "../wasm/bidder.ts";
import type { Isolate } from "./isolate.ts";

const HEADERS = { "cache-control": "no-store" };

/** A verdict on a token of ours. */
type Ours = Verdict &
  Required<Pick<Verdict, "bid" | "issued" | "quarter" | "shard" | "frequency" | "campaign" | "creative" | "ssp">>;

/** Refusals that say nothing about the bid itself, so that the ledger need not remember them. */
const UNREMEMBERED = ["test", "expired", "future"];

/** The exchange sends the notice again. */
const LATER = { "retry-after": `${NOTICE_RETRY_SECONDS}` };

/** Answers a notice. `path` is the part of the URL after `/n/`. */
export async function notice(
  request: Request,
  path: string,
  env: Env,
  ctx: ExecutionContext,
  isolate: Isolate,
): Promise<Response> {
  if (path.startsWith("why/")) return why(request, path.slice("why/".length), env, ctx, isolate);
  if (request.method !== "GET" && request.method !== "POST") return empty(405, { allow: "GET, POST" });
  const { counters, tally, events, metrics, repeats } = isolate;
  metrics.due(env, ctx);
  try {
    const bidder = await bidderOf(request, env, ctx, isolate);
    if (bidder === undefined) return later("no-catalog", isolate);
    if (bidder === "off") return empty(404);
    const now = Date.now();
    const verdict = bidder.notice(path + queryOf(request.url), now);
    if (verdict === null) return empty(404);
    if (verdict === "trap") return later("trap", isolate);
    const { outcome, why: reason = "", loss, ownNanos, differs } = verdict;
    counters.add(`notice-${verdict.notice}`);
    if (!isOurs(verdict)) {
      counters.add(`notice-${reason}`);
      tally.add("refused", reason, unknownSubject(now), env, ctx);
      return empty(204);
    }
    const subject = subjectOf(verdict);
    // A later bill of a bid may raise its price.
    const key = `${outcome} ${reason} ${verdict.bid} ${ownNanos ?? ""}`;
    const isRepeated = repeats.has(key);
    if (outcome === "refused") {
      counters.add(`notice-${reason}`);
      if (UNREMEMBERED.includes(reason))
        tally.add("refused", reason, { ...subject, quarter: quarterAt(now) }, env, ctx);
      else if (isRepeated) tally.add("refused", reason, subject, env, ctx);
      else ctx.waitUntil(refuse(verdict, reason, env));
      repeats.add(key);
      return verdict.isMendable ? empty(503, LATER) : empty(204);
    }
    if (isRepeated) {
      counters.add("notice-duplicate");
      return empty(204);
    }
    if (outcome === "bill") {
      const bill = billOf(verdict);
      const booking = await retrying(
        BOOK_ATTEMPTS,
        BOOK_BACKOFF_MS,
        async (): Promise<Booking> => ledgerOf(env, bill.quarter, verdict.shard).book(bill, namesOf(verdict)),
      );
      repeats.add(key);
      const isNew = booking === true;
      if (typeof booking === "string") tally.add("differs", booking, subject, env, ctx);
      else if (isNew && differs) tally.add("differs", differs, subject, env, ctx);
      if (isNew && verdict.frequency > 0) ctx.waitUntil(billed(env, verdict.frequency, bill.bid));
      if (isNew) events.add(eventOf("bill", verdict, now, bill), env, ctx);
      else counters.add("notice-duplicate");
      if (isNew && verdict.notice === "win") tally.add("win", "", subject, env, ctx);
      return empty(204);
    }
    repeats.add(key);
    tally.add(outcome, outcome === "loss" ? String(loss ?? "unknown") : "", subject, env, ctx);
    events.add(eventOf(outcome, verdict, now), env, ctx);
    return empty(204);
  } catch (error) {
    fail("notice", error);
    return later("failed", isolate);
  }
}

/**
 * `GET /n/why/:token`: tells the operator what a token is about, what its notice would do now with this query,
 * and what the ledger knows about its bid.
 */
async function why(
  request: Request,
  token: string,
  env: Env,
  ctx: ExecutionContext,
  isolate: Isolate,
): Promise<Response> {
  const refusal = await operatorOnly(request, env, isolate.attempts);
  if (refusal) return refusal;
  const bidder = await bidderOf(request, env, ctx, isolate);
  if (bidder === undefined) return later("no-catalog", isolate);
  if (bidder === "off") return empty(404);
  const verdict = bidder.notice(`why/${token}${queryOf(request.url)}`, Date.now());
  if (verdict === null) return empty(404);
  if (verdict === "trap") return later("trap", isolate);
  try {
    const known = isOurs(verdict) ? await ledgerOf(env, verdict.quarter, verdict.shard).why(verdict.bid) : null;
    return Response.json({ now: verdict, ledger: known }, { headers: HEADERS });
  } catch (error) {
    fail("notice-why", error);
    return later("failed", isolate);
  }
}

/** The bidder, ready to read notices; `off` without keys; undefined without a catalog. */
async function bidderOf(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  { keeper, notices }: Isolate,
): Promise<Bidder | "off" | undefined> {
  const settings = notices.of(request, env);
  if (settings === NO_NOTICES) return "off";
  const bidder = keeper.use(env, ctx) ?? (await keeper.first(NOTICE_WAIT_MS));
  if (bidder) notices.use(bidder, settings);
  return bidder;
}

function isOurs(verdict: Verdict): verdict is Ours {
  return verdict.bid !== undefined;
}

function subjectOf({ quarter, campaign, creative, ssp }: Ours): Subject {
  return { quarter, campaign, creative, ssp };
}

function billOf(verdict: Ours): Bill {
  const {
    notice,
    bid,
    issued,
    cur = "",
    nanos = 0,
    usdNanos = 0,
    ownCur = "",
    ownNanos = 0,
    bidNanos = ownNanos,
    isAssumed = false,
  } = verdict;
  if (notice === "loss") throw new Error("a loss bills nothing");
  return { ...subjectOf(verdict), bid, issued, notice, cur, nanos, usdNanos, ownCur, ownNanos, bidNanos, isAssumed };
}

/** Tells the ledger why a bid's notice booked nothing, and what it weighs. The exchange does not wait for it. */
async function refuse(verdict: Ours, reason: string, env: Env): Promise<void> {
  try {
    const { issued, ownCur = "", bidNanos } = verdict;
    const weight: Weight[] = bidNanos === undefined ? [] : [{ issued, ownCur, bidNanos }];
    await ledgerOf(env, verdict.quarter, verdict.shard).refuse(verdict.bid, reason, subjectOf(verdict), ...weight);
  } catch (error) {
    fail("notice-refused", error);
  }
}

/** The names of a verdict's subject; none if the catalog does not have all of them. */
function namesOf({ campaign, creative, ssp, cid, crid, sspId, zone, ownCur = "" }: Ours): Names[] {
  if (cid === undefined || crid === undefined || sspId === undefined || zone === undefined) return [];
  return [{ campaign, creative, ssp, cid, crid, sspId, zone, cur: ownCur }];
}

/** The event of a notice. Its price is what was booked, or what the exchange told of a win. */
function eventOf(type: "win" | "bill" | "loss", verdict: Ours, time: number, bill?: Bill): Event {
  const { notice, bid, sspId, cid, crid, loss, priceMicros, minToWin, cur } = verdict;
  const event: Event = { v: SCHEMA_VERSION, type, id: bid, time };
  if (sspId) event.ssp = sspId;
  if (cid) event.cid = cid;
  if (crid) event.crid = crid;
  if (bill) event.outcome = notice;
  else if (loss !== undefined) event.outcome = String(loss);
  const price = bill?.nanos ?? priceMicros;
  if (price !== undefined) event.price_micros = price;
  if (minToWin !== undefined) event.min_to_win_micros = minToWin;
  if (cur !== undefined && (price ?? minToWin) !== undefined) event.cur = cur;
  return event;
}

/** The query of a URL with its `?`, or nothing. */
function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

/** The answer if the Worker cannot handle the notice now. */
function later(count: string, { counters }: Isolate): Response {
  counters.add(`notice-later-${count}`);
  return empty(503, LATER);
}

function empty(status: number, headers?: Record<string, string>): Response {
  return new Response(null, { status, headers: { ...HEADERS, ...headers } });
}
