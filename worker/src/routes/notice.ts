//! `GET` or `POST /n/:kind/:token`: a notice that a bid has won, is billed or has lost, or that its ad was shown. The
//! module reads it; a bill goes into the ledger.
//!
//! The answer is 204, even if nothing is booked. It is 503 only if the ledger cannot book: exchanges send a notice again
//! unless they get 200 or 204, and money must not be lost. This is the only route toward an SSP that answers 5xx.

import type { Event } from "../events/schema.ts";
import { SCHEMA_VERSION } from "../events/schema.ts";
import { operatorOnly } from "../http/operator.ts";
import { ledgerOf } from "../ledger/places.ts";
import type { Bill, Subject } from "../ledger/rows.ts";
import { NOTICE_RETRY_SECONDS } from "../limits.ts";
import { nobody } from "../notices/tally.ts";
import { fail } from "../telemetry/failures.ts";
import type { Bidder, Verdict } from "../wasm/bidder.ts";
import type { Isolate } from "./isolate.ts";

const HEADERS = { "cache-control": "no-store" };

/** A verdict on a token of ours. */
type Ours = Verdict & Required<Pick<Verdict, "bid" | "quarter" | "campaign" | "creative" | "ssp">>;

/** Refusals that say nothing about the bid itself, so that the ledger need not remember them. */
const UNREMEMBERED = ["test", "expired", "future"];

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
  const { counters, tally, events } = isolate;
  try {
    const bidder = await bidderOf(request, env, ctx, isolate);
    if (bidder === undefined) return later("no-catalog", isolate);
    if (bidder === "off") return empty(404);
    const now = Date.now();
    const verdict = bidder.notice(path + queryOf(request.url), now);
    if (verdict === null) return empty(404);
    if (verdict === "trap") return later("trap", isolate);
    const { outcome, why: reason = "", loss } = verdict;
    counters.add(`notice-${verdict.notice}`);
    if (!isOurs(verdict)) {
      counters.add(`notice-${reason}`);
      tally.add("refused", reason, nobody(now), env, ctx);
      return empty(204);
    }
    const subject = subjectOf(verdict);
    if (outcome === "refused") {
      counters.add(`notice-${reason}`);
      if (UNREMEMBERED.includes(reason)) tally.add("refused", reason, { ...subject, ...quarterOf(now) }, env, ctx);
      else ctx.waitUntil(refuse(verdict, reason, env));
      return empty(204);
    }
    if (outcome === "bill") {
      const bill = billOf(verdict);
      const isNew = await ledgerOf(env, bill.quarter, bill.bid).book(bill);
      if (isNew) events.add(eventOf(verdict, now, bill), env, ctx);
      else counters.add("notice-duplicate");
      return empty(204);
    }
    tally.add(outcome, outcome === "loss" ? String(loss ?? "unknown") : "", subject, env, ctx);
    events.add(eventOf(verdict, now), env, ctx);
    return empty(204);
  } catch (error) {
    fail("notice", error);
    return later("notice-failed", isolate);
  }
}
