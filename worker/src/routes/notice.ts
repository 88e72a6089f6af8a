//! `GET` or `POST /n/:kind/:token`: a notice that a bid has won, is billed or has lost, or that its ad was shown. The
//! module reads it; a bill goes into the ledger.
//!
//! The answer is 204, even if nothing is booked. It is 503 only if the ledger cannot book, or keep what a refused bill
//! weighs, after some attempts, if our price keys or our rates may be wrong, or if a newer build made the token:
//! exchanges send a notice again unless they get 200 or 204, and money must not be lost. Browsers and players never
//! send a notice again. This is the only route toward an SSP that answers 5xx.

import { type Event, SCHEMA_VERSION } from "../../../shared/events/schema.ts";
import type { Bill, Booked, Count, Names, Subject, Weight } from "../../../shared/ledger/rows.ts";
import {
  BOOK_ATTEMPTS,
  BOOK_BACKOFF_MS,
  MAX_WAITING_NOTICES,
  NOTICE_BODY_MS,
  NOTICE_RETRY_SECONDS,
  NOTICE_WAIT_MS,
} from "../../../shared/limits.ts";
import { assert } from "../../../shared/telemetry/assertions.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Cost, Ours, Verdict } from "../../../shared/wasm/answers.ts";
import { readBody } from "../http/body.ts";
import { operatorOnly } from "../http/operator.ts";
import type { Call, Isolate } from "../isolate.ts";
import { ledgerOf, quarterAt, sealedAt } from "../ledger/shards.ts";
import { NO_NOTICES } from "../notices/settings.ts";
import { retrying } from "../time/retry.ts";

/** A verdict that books an impression. */
type Bills = Extract<Ours, { outcome: "bill" }>;

const HEADERS = { "cache-control": "no-store" };

/** Refusals that say nothing about the bid itself, so that the ledger need not remember them. */
const UNREMEMBERED = ["test", "expired", "future"];

/** Refusals because there is no price. */
const WITHOUT_PRICE = ["price-missing", "price-unreplaced"];

/** The exchange sends the notice again. */
const LATER = { "retry-after": `${NOTICE_RETRY_SECONDS}` };

/** Answers a notice. */
export async function notice(call: Call): Promise<Response> {
  const { request, rest, env, ctx, isolate } = call;
  if (rest.startsWith("why/")) return why(call);
  if (request.method !== "GET" && request.method !== "POST") return empty(405, { allow: "GET, POST" });
  isolate.metrics.due(env, ctx);
  try {
    const body = await bodyOf(call);
    const verdict = await read(call, body);
    if (verdict instanceof Response) return verdict;
    isolate.counters.add(`notice-${verdict.notice}`);
    // The price may be in a body that we cannot read.
    if (body !== "" && verdict.outcome === "refused" && WITHOUT_PRICE.includes(verdict.why)) verdict.isMendable = true;
    if (isOurs(verdict)) return await settle(verdict, call, body);
    isolate.counters.add(`notice-${verdict.why}`);
    const unknown = { quarter: quarterAt(Date.now()), campaign: "", creative: "", ssp: "" };
    isolate.tally.add({ ...unknown, kind: "refused", detail: verdict.why, count: 1 }, env, ctx);
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

/** The body of a POST, as the query that it stands for; empty if there is none. */
async function bodyOf({ request, ctx }: Call): Promise<string> {
  if (request.method !== "POST" || request.body === null) return "";
  const body = await readBody(request, NOTICE_BODY_MS, ctx, "/n");
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body).trim() : "?";
  try {
    const named = Object.entries<unknown>(JSON.parse(text)).map(([name, value]) => [name, String(value)]);
    return new URLSearchParams(named).toString() || text;
  } catch {
    return text;
  }
}

/** The module's verdict on the notice with `more` at the start of its query; or the answer, if there is no verdict. */
async function read({ request, rest, env, ctx, isolate }: Call, ...more: string[]): Promise<Verdict | Response> {
  const { keeper, notices } = isolate;
  const settings = notices.of(request, env);
  if (settings === NO_NOTICES) return empty(404);
  const bidder = keeper.use(env, ctx) ?? (await keeper.first(NOTICE_WAIT_MS, MAX_WAITING_NOTICES));
  if (bidder === undefined) return later("no-catalog", isolate);
  notices.use(bidder, settings);
  const query = [...more.filter((part) => part !== ""), ...request.url.split("?").slice(1)].join("&");
  const verdict = bidder.notice(`${written(rest)}?${query}`, Date.now());
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
async function settle(verdict: Ours, call: Call, body: string): Promise<Response> {
  const { request, env, ctx, isolate } = call;
  const { counters, tally, events, repeats, pacing } = isolate;
  const { outcome, observed, isAbsurd = false } = verdict;
  const subject = subjectOf(verdict);
  const count = (kind: Count["kind"], detail = "", of = subject) =>
    tally.add({ ...of, kind, detail, count: 1 }, env, ctx);
  // A later bill of a bid may change its price, and so may another kind of notice with the same price.
  const [why, cost] = [outcome === "refused" ? verdict.why : "", costOf(verdict)];
  const key = `${verdict.notice} ${outcome} ${why} ${verdict.bid} ${cost?.ownNanos ?? ""}`;
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
    const isNew = await book(await believed(verdict, call, body), call, count);
    if (isNew && observed) pacing.observe(observed, request, env, ctx);
  } else {
    if (cost !== null) await book({ ...verdict, ...cost }, call, count);
    count(outcome, outcome === "loss" ? String(verdict.loss ?? "unknown") : "");
    events.add(eventOf(outcome, verdict), env, ctx);
    if (observed) pacing.observe(observed, request, env, ctx);
  }
  if (isAbsurd) counters.add("notice-absurd-min-to-win");
  repeats.add(key);
  return answerTo(verdict);
}

function answerTo(verdict: Verdict): Response {
  return verdict.outcome === "refused" && verdict.isMendable ? empty(503, LATER) : empty(204);
}

/** What a bill costs, or what a win tells about the cost. */
function costOf(verdict: Ours): Cost | null {
  return (verdict.outcome === "bill" || verdict.outcome === "win") && verdict.nanos !== undefined ? verdict : null;
}

/** Books a bill, or the price of a win for the bill of a page; true if a bill is new. Throws if the ledger cannot book. */
async function book(
  verdict: Ours & Cost,
  { env, ctx, isolate }: Pick<Call, "env" | "ctx" | "isolate">,
  count: (kind: Count["kind"], detail?: string) => void,
): Promise<boolean> {
  const [bill, isBill] = [billOf(verdict), verdict.outcome === "bill"];
  let attempts = 0;
  const booked = async (): Promise<Booked> => {
    attempts++;
    const ledger = ledgerOf(env, bill.quarter, verdict.shard);
    return isBill ? ledger.book(bill, namesOf(verdict)) : ledger.price(bill);
  };
  const { booking, now } = await retrying(BOOK_ATTEMPTS, BOOK_BACKOFF_MS, booked);
  assert(!isBill || now !== null, "a bill that is answered is booked");
  assert(isBill || booking !== true, "a price alone books no bid");
  // Every bill is told: the answer to an earlier attempt may have got lost.
  if (isBill) isolate.seams.bill(verdict, { env, ctx });
  // So is the event: the answer to a call that has booked the bid may be lost, and nobody else may ever learn of it.
  if (now !== null) isolate.events.add(eventOf("bill", verdict, now), env, ctx);
  // A failed attempt may have booked the bid, and only its answer was lost.
  const isNew = isBill && (booking === true || (booking === false && attempts > 1));
  if (!isNew) {
    if (typeof booking === "string") count("differs", booking);
    if (isBill) isolate.counters.add("notice-duplicate");
    return false;
  }
  if (verdict.differs) count("differs", verdict.differs);
  if (verdict.notice === "win") count("win");
  return true;
}

/**
 * The verdict without an encoded price that a page has shown for another bid. If the ledger cannot say whose it is, the
 * price is not believed: the notice of a page does not come again.
 */
async function believed(verdict: Bills, call: Call, body: string): Promise<Bills> {
  const { sealed, bid } = verdict;
  if (sealed === undefined) return verdict;
  try {
    const claimed = async () => sealedAt(call.env, sealed).claim(sealed, bid);
    if (await retrying(BOOK_ATTEMPTS, BOOK_BACKOFF_MS, claimed)) return verdict;
  } catch (error) {
    fail("notice-sealed", error);
  }
  const other = await read(call, "r=1", body);
  if (other instanceof Response || !isOurs(other) || other.outcome !== "bill")
    throw new Error("the notice cannot be read again");
  return other;
}

function subjectOf({ quarter, campaign, creative, ssp, arm = 0 }: Ours): Subject {
  return { quarter, campaign, creative, ssp, arm };
}

function billOf(verdict: Ours & Cost): Bill {
  const { notice, bid, issued, cur, nanos, usdNanos, ownCur, ownNanos, bidNanos = ownNanos, isAssumed } = verdict;
  if (notice === "loss") throw new Error("a loss bills nothing");
  return { ...subjectOf(verdict), bid, issued, notice, cur, nanos, usdNanos, ownCur, ownNanos, bidNanos, isAssumed };
}

/**
 * Tells the ledger why a bid's notice booked nothing, and how much the bid counts against its budget. Only for the
 * latter does the exchange wait. Throws if the ledger cannot keep it.
 */
async function refuse(
  verdict: Extract<Ours, { outcome: "refused" }>,
  reason: string,
  env: Env,
  ctx: Background,
): Promise<void> {
  const { issued, ownCur, bidNanos } = verdict;
  const weight: Weight[] = bidNanos === undefined ? [] : [{ issued, ownCur, bidNanos }];
  const told = async () =>
    ledgerOf(env, verdict.quarter, verdict.shard).refuse(verdict.bid, reason, subjectOf(verdict), ...weight);
  if (bidNanos !== undefined) await retrying(BOOK_ATTEMPTS, BOOK_BACKOFF_MS, told);
  else ctx.waitUntil(told().catch((error) => fail("notice-refused", error)));
}

/** The names of a verdict's subject; none if the catalog does not have all of them. */
function namesOf({ campaign, creative, ssp, cid, crid, sspId, zone, ownCur }: Ours): Names[] {
  if (cid === undefined || crid === undefined || sspId === undefined || zone === undefined) return [];
  return [{ campaign, creative, ssp, cid, crid, sspId, zone, cur: ownCur }];
}

/** The event of a notice. Its price is the booked price or, for a win, the price in the notice. */
function eventOf(type: "win" | "bill" | "loss", verdict: Ours, booked?: Booked["now"]): Event {
  const { bid, sspId, cid, crid, priceMicros, minToWin } = verdict;
  const outcome = booked ? booked.notice : verdict.outcome === "loss" ? verdict.loss?.toString() : undefined;
  const [price, cur] = booked ? [booked.nanos, booked.cur] : [priceMicros, verdict.cur];
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
