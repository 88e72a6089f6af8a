//! `GET` or `POST /n/:kind/:token`: a notice that a bid has won, is billed or has lost, or that its ad was shown. The
//! module reads it; a bill goes into the ledger.
//!
//! The answer is 204, even if nothing is booked. It is 503 only if the ledger cannot book, or keep what a refused bill
//! weighs, after some attempts, if our price keys or our rates may be wrong, or if a newer build made the token:
//! exchanges send a notice again unless they get 200 or 204, and money must not be lost. Browsers and players never
//! send a notice again. This is the only route toward an SSP that answers 5xx.

import { type Event, SCHEMA_VERSION } from "../events/schema.ts";
import { billed } from "../frequency/ask.ts";
import { operatorOnly } from "../http/operator.ts";
import type { Call, Isolate } from "../isolate.ts";
import { ledgerOf, quarterAt } from "../ledger/places.ts";
import type { Bill, Booking, Count, Names, Subject, Weight } from "../ledger/rows.ts";
import {
  BOOK_ATTEMPTS,
  BOOK_BACKOFF_MS,
  MAX_WAITING_NOTICES,
  NOTICE_RETRY_SECONDS,
  NOTICE_WAIT_MS,
} from "../limits.ts";
import { NO_NOTICES } from "../notices/settings.ts";
import { fail } from "../telemetry/failures.ts";
import { retrying } from "../time/retry.ts";
import type { Verdict } from "../wasm/answers.ts";

const HEADERS = { "cache-control": "no-store" };

/** A verdict on a token of ours. */
type Ours = Verdict &
  Required<Pick<Verdict, "bid" | "issued" | "quarter" | "shard" | "frequency" | "campaign" | "creative" | "ssp">>;

/** Refusals that say nothing about the bid itself, so that the ledger need not remember them. */
const UNREMEMBERED = ["test", "expired", "future"];

/** The exchange sends the notice again. */
const LATER = { "retry-after": `${NOTICE_RETRY_SECONDS}` };

/** Answers a notice. */
export async function notice(call: Call): Promise<Response> {
  const { request, rest, env, ctx, isolate } = call;
  if (rest.startsWith("why/")) return why(call);
  if (request.method !== "GET" && request.method !== "POST") return empty(405, { allow: "GET, POST" });
  isolate.metrics.due(env, ctx);
  try {
    const verdict = await read(call);
    if (verdict instanceof Response) return verdict;
    isolate.counters.add(`notice-${verdict.notice}`);
    if (isOurs(verdict)) return await settle(verdict, call);
    const reason = verdict.why ?? "";
    isolate.counters.add(`notice-${reason}`);
    const unknown = { quarter: quarterAt(Date.now()), campaign: "", creative: "", ssp: "" };
    isolate.tally.add({ ...unknown, kind: "refused", detail: reason, count: 1 }, env, ctx);
    return answerTo(verdict);
  } catch (error) {
    fail("notice", error);
    return later("failed", isolate);
  }
}

/**
 * `GET /n/why/:token`: shows the operator the bid of a token, what its notice would do now with this query, and what
 * the ledger knows about the bid.
 */
async function why(call: Call): Promise<Response> {
  const { request, env, isolate } = call;
  const refusal = await operatorOnly(request, env, isolate.attempts);
  if (refusal) return refusal;
  const verdict = await read(call);
  if (verdict instanceof Response) return verdict;
  try {
    const known = isOurs(verdict) ? await ledgerOf(env, verdict.quarter, verdict.shard).why(verdict.bid) : null;
    return Response.json({ now: verdict, ledger: known }, { headers: HEADERS });
  } catch (error) {
    fail("notice-why", error);
    return later("failed", isolate);
  }
}

/** The module's verdict on the notice; or the answer, if there is no verdict. */
async function read({ request, rest, env, ctx, isolate }: Call): Promise<Verdict | Response> {
  const { keeper, notices } = isolate;
  const settings = notices.of(request, env);
  if (settings === NO_NOTICES) return empty(404);
  const bidder = keeper.use(env, ctx) ?? (await keeper.first(NOTICE_WAIT_MS, MAX_WAITING_NOTICES));
  if (bidder === undefined) return later("no-catalog", isolate);
  notices.use(bidder, settings);
  const query = request.url.indexOf("?");
  const verdict = bidder.notice(written(rest) + (query < 0 ? "" : request.url.slice(query)), Date.now());
  if (verdict === "trap") return later("trap", isolate);
  return verdict ?? empty(404);
}

/** The path as we wrote it. Some callers escape characters that need none (RFC 3986, section 2.3), or end it with a `/`. */
function written(path: string): string {
  const plain = path.replace(/%(2[de]|5f|7e|3\d|[46][1-9a-f]|[57][\da])/gi, decodeURIComponent);
  return plain.replace(/\/$/, "");
}

function isOurs(verdict: Verdict): verdict is Ours {
  return verdict.bid !== undefined;
}

/** Books, counts or refuses a notice of ours. */
async function settle(verdict: Ours, { request, env, ctx, isolate }: Call): Promise<Response> {
  const { counters, tally, events, repeats, pacing } = isolate;
  const { outcome, why = "", loss, ownNanos, observed, isAbsurd = false } = verdict;
  const subject = subjectOf(verdict);
  const count = (kind: Count["kind"], detail = "", of = subject) =>
    tally.add({ ...of, kind, detail, count: 1 }, env, ctx);
  // A later bill of a bid may raise its price.
  const key = `${outcome} ${why} ${verdict.bid} ${ownNanos ?? ""}`;
  const isRepeated = repeats.has(key);
  if (outcome === "refused") {
    counters.add(`notice-${why}`);
    if (UNREMEMBERED.includes(why)) count("refused", why, { ...subject, quarter: quarterAt(Date.now()) });
    else if (isRepeated) count("refused", why);
    else {
      await refuse(verdict, why, env, ctx);
      if (observed) pacing.observe(observed, request, env, ctx);
    }
  } else if (isRepeated) {
    counters.add("notice-duplicate");
    return empty(204);
  } else if (outcome === "bill") {
    const isNew = await book(verdict, { env, ctx, isolate }, count);
    if (isNew && observed) pacing.observe(observed, request, env, ctx);
  } else {
    count(outcome, outcome === "loss" ? String(loss ?? "unknown") : "");
    events.add(eventOf(outcome, verdict), env, ctx);
    if (observed) pacing.observe(observed, request, env, ctx);
  }
  if (isAbsurd) counters.add("notice-absurd-min-to-win");
  repeats.add(key);
  return answerTo(verdict);
}

function answerTo({ isMendable }: Verdict): Response {
  return isMendable ? empty(503, LATER) : empty(204);
}

/** Books a bill; true if it is new. Throws if the ledger cannot book. */
async function book(
  verdict: Ours,
  { env, ctx, isolate }: Pick<Call, "env" | "ctx" | "isolate">,
  count: (kind: Count["kind"], detail?: string) => void,
): Promise<boolean> {
  const bill = billOf(verdict);
  let attempts = 0;
  const booked = async (): Promise<Booking> => {
    attempts++;
    return ledgerOf(env, bill.quarter, verdict.shard).book(bill, namesOf(verdict));
  };
  const booking = await retrying(BOOK_ATTEMPTS, BOOK_BACKOFF_MS, booked);
  // Every bill is told: if the answer to an earlier attempt was lost, nobody has told the object. It counts a bid once.
  if (verdict.frequency > 0) ctx.waitUntil(billed(env, verdict.frequency, bill.bid));
  // A failed attempt may have booked the bid, and only its answer was lost.
  const isNew = booking === true || (booking === false && attempts > 1);
  // So may the attempts of another isolate, so a repeated bill is told too, and an event may come twice. If its price is
  // assumed, another one may be booked. After a failed attempt, a notice with another price may have come in between.
  const mayBeUntold = booking === true || attempts > 1 || (booking === false && !bill.isAssumed);
  if (mayBeUntold) isolate.events.add(eventOf("bill", verdict, bill), env, ctx);
  if (!isNew) {
    if (booking !== false) count("differs", booking);
    isolate.counters.add("notice-duplicate");
    return false;
  }
  if (verdict.differs) count("differs", verdict.differs);
  if (verdict.notice === "win") count("win");
  return true;
}

function subjectOf({ quarter, campaign, creative, ssp, arm = 0 }: Ours): Subject {
  return { quarter, campaign, creative, ssp, arm };
}

function billOf(verdict: Ours): Bill {
  const { notice, bid, issued, cur = "", nanos = 0, usdNanos = 0 } = verdict;
  const { ownCur = "", ownNanos = 0, bidNanos = ownNanos, isAssumed = false } = verdict;
  if (notice === "loss") throw new Error("a loss bills nothing");
  return { ...subjectOf(verdict), bid, issued, notice, cur, nanos, usdNanos, ownCur, ownNanos, bidNanos, isAssumed };
}

/**
 * Tells the ledger why a bid's notice booked nothing, and how much the bid counts against its budget. Only for the
 * latter does the exchange wait. Throws if the ledger cannot keep it.
 */
async function refuse(verdict: Ours, reason: string, env: Env, ctx: Background): Promise<void> {
  const { issued, ownCur = "", bidNanos } = verdict;
  const weight: Weight[] = bidNanos === undefined ? [] : [{ issued, ownCur, bidNanos }];
  const told = async () =>
    ledgerOf(env, verdict.quarter, verdict.shard).refuse(verdict.bid, reason, subjectOf(verdict), ...weight);
  if (bidNanos !== undefined) await retrying(BOOK_ATTEMPTS, BOOK_BACKOFF_MS, told);
  else ctx.waitUntil(told().catch((error) => fail("notice-refused", error)));
}

/** The names of a verdict's subject; none if the catalog does not have all of them. */
function namesOf({ campaign, creative, ssp, cid, crid, sspId, zone, ownCur = "" }: Ours): Names[] {
  if (cid === undefined || crid === undefined || sspId === undefined || zone === undefined) return [];
  return [{ campaign, creative, ssp, cid, crid, sspId, zone, cur: ownCur }];
}

/** The event of a notice. Its price is the booked price or, for a win, the price in the notice. */
function eventOf(type: "win" | "bill" | "loss", verdict: Ours, bill?: Bill): Event {
  const { notice, bid, sspId, cid, crid, loss, priceMicros, minToWin, cur } = verdict;
  const outcome = bill ? notice : loss?.toString();
  const price = bill?.nanos ?? priceMicros;
  return {
    ...{ v: SCHEMA_VERSION, type, id: bid, time: Date.now() },
    ...(sspId && { ssp: sspId }),
    ...(cid && { cid }),
    ...(crid && { crid }),
    ...(outcome !== undefined && { outcome }),
    ...(price !== undefined && { price_micros: price }),
    ...(minToWin !== undefined && { min_to_win_micros: minToWin }),
    ...(cur !== undefined && (price ?? minToWin) !== undefined && { cur }),
  };
}

/** The answer if the Worker cannot handle the notice now. */
function later(count: string, { counters }: Isolate): Response {
  counters.add(`notice-later-${count}`);
  return empty(503, LATER);
}

function empty(status: number, headers?: Record<string, string>): Response {
  return new Response(null, { status, headers: { ...HEADERS, ...headers } });
}
