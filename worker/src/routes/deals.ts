//! `POST /deals/:ssp`: the Deal Sync API of the IAB Tech Lab. An SSP with credentials tells about its deals, or asks what
//! the buyer has decided. `/deals` shows the operator all deals, and records decisions. Nothing of this bids.
//!
//! The specification names no status codes. 200 is a `BuyerSeat`; every other answer has `{"error"}`, except a 401 and a
//! 404 for an SSP that is not known or has no credentials.

import { type AllDeals, ARCHIVED, COMPLETE, type Deal, type Decided, updatedAt } from "../../../shared/deals/deal.ts";
import { EXPLAIN_BODY_MS, KEEP_OVER_DAYS, MAX_DEAL_BYTES, MAX_DEAL_TEXT, MAX_DEALS } from "../../../shared/limits.ts";
import { UNAUTHORIZED } from "../../../shared/telemetry/counters.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import { timeIn } from "../../../shared/time/days.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import type { BuyerSeat, Message } from "../deals/deals.ts";
import { messageIn } from "../deals/message.ts";
import { REFUSAL_HEADERS } from "../http/attempts.ts";
import { isText, jsonIn, readBody } from "../http/body.ts";
import { bearerToken, bodyType, JSON_TYPE } from "../http/headers.ts";
import { askLater, json, operatorOnly, refused } from "../http/operator.ts";
import type { Call } from "../isolate.ts";

/** More than any time in milliseconds. */
const AFTER_ALL = 1e15;

const NO_ROOM = `${MAX_DEALS} messages are kept already, or too many bytes; deals that are over make room after ${KEEP_OVER_DAYS} days`;

/** Takes a message of an SSP. */
export async function deals(call: Call): Promise<Response> {
  const { request, rest: ssp, env, ctx, isolate } = call;
  const { keeper, attempts, counters } = isolate;
  const bidder = keeper.use(env, ctx) ?? (await keeper.first());
  if (bidder === undefined) return askLater("there is no catalog yet; try again");
  const position = bidder.ssp(ssp);
  if (position === undefined || !bidder.factsOf(position).closed) return new Response(null, { status: 404 });
  if (attempts.isShutOut(ssp, request) || !bidder.authorize(position, bearerToken(request))) {
    counters.add(`${UNAUTHORIZED}${ssp}`);
    const status = await attempts.refuse(ssp, request, env);
    return new Response(null, { status, headers: REFUSAL_HEADERS[status] });
  }
  const answer = await answerTo(call, objectOf(env, ssp));
  if (answer.status >= 400) counters.add("deal-refused");
  return answer;
}

type DealsStub = ReturnType<Env["DEALS"]["getByName"]>;

async function answerTo({ request, ctx, isolate }: Call, object: DealsStub): Promise<Response> {
  if (bodyType(request.headers.get("content-type")) !== JSON_TYPE) return refused(`expected ${JSON_TYPE}`, 415);
  const tooLong = refused(`the message is too long; expected at most ${MAX_DEAL_BYTES} bytes`, 413);
  if (Number(request.headers.get("content-length")) > MAX_DEAL_BYTES) return tooLong;
  const body = await readBody(request, EXPLAIN_BODY_MS, ctx, "/deals");
  if (!(body instanceof Uint8Array)) {
    if (body.status === 204) return askLater("the body did not arrive in time; try again");
    return body.status === 413 ? tooLong : refused("the body cannot be read", body.status);
  }
  if (body.byteLength > MAX_DEAL_BYTES) return tooLong;
  const read = messageIn(body, Date.now());
  if (Array.isArray(read)) return refused(read.join("\n"), 400);
  try {
    if ("question" in read) return told(await object.status(read.question.id, read.question.origin));
    const message = await messageOf(read.deal);
    const kept = await object.keep(message);
    if (kept === "full") return refused(NO_ROOM, 409);
    isolate.counters.add(`deal-${kept}`);
    return told(await object.status(message.id, message.origin));
  } catch (error) {
    fail("deals", error);
    return askLater("the deals cannot be reached now; try again");
  }
}

function told(seat: BuyerSeat | "several origins" | null): Response {
  if (seat === null) return refused("this deal was never sent; a deal has id, origin and terms", 404);
  if (seat === "several origins") return refused("several origins have a deal with this id; name the origin", 400);
  return json(seat);
}

/** `GET /deals`: an {@link AllDeals}. `POST /deals`: takes a {@link Decided}. 503 with `{"error"}` if the object of the SSP cannot answer. */
export async function operatorsDeals({ request, env, ctx, isolate }: Call): Promise<Response> {
  const refusal = await operatorOnly(request, env, isolate.attempts);
  if (refusal) return refusal;
  const bidder = isolate.keeper.use(env, ctx) ?? (await isolate.keeper.first());
  if (bidder === undefined) return askLater("there is no catalog yet; try again");
  try {
    if (request.method === "GET") return json(await allDeals(env, bidder));
    const body = await readBody(request, EXPLAIN_BODY_MS, ctx, "/deals");
    const decided = body instanceof Uint8Array ? decisionIn(body) : null;
    if (decided === null) return refused("expected ssp, origin, id, digest, seat, and status 1 or 2", 400);
    const { ssp } = decided;
    const isKnown = bidder.ssp(ssp) !== undefined && (await objectOf(env, ssp).decide(decided));
    return isKnown ? json({}) : refused("the seller has sent no such message about this deal", 409);
  } catch (error) {
    fail("deals", error);
    return askLater("the deals cannot be reached now; try again");
  }
}

async function allDeals(env: Env, bidder: Bidder): Promise<AllDeals> {
  const silent: string[] = [];
  const of = async (ssp: string) => {
    try {
      return (await objectOf(env, ssp).all()).map((deal) => ({ ssp, ...deal }));
    } catch (error) {
      fail("deals", error);
      silent.push(ssp);
      return [];
    }
  };
  const closed = bidder.ssps.filter((ssp) => bidder.factsOf(bidder.ssp(ssp) ?? 0).closed);
  return { deals: (await Promise.all(closed.map(of))).flat(), silent };
}

function objectOf(env: Pick<Env, "DEALS">, ssp: string): DealsStub {
  return env.DEALS.getByName(ssp);
}

async function messageOf(whole: Deal): Promise<Message> {
  // The state of a deal and its texts for people are not what the buyer agrees to.
  const { sellerstatus = 0, name, desc, created, ext, ...terms } = whole;
  const deal = JSON.stringify(whole);
  return {
    ...{ origin: whole.origin, id: whole.id, deal },
    ...{ digest: await hashOf(deal), terms: await hashOf(JSON.stringify(terms)) },
    rank: updatedAt(whole) + (sellerstatus === ARCHIVED ? AFTER_ALL : 0),
    over: sellerstatus === COMPLETE || sellerstatus === ARCHIVED ? 0 : (timeIn(whole.terms.enddate) ?? AFTER_ALL),
  };
}

async function hashOf(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}

function decisionIn(body: Uint8Array): Decided | null {
  try {
    const decided: Decided = { ...jsonIn<Decided>(body), at: Date.now() };
    const { ssp, origin, id, digest, seat, campaign = "", reason = "" } = decided;
    const texts = [ssp, origin, id, digest, seat, campaign, reason];
    return texts.every((text) => isText(text, MAX_DEAL_TEXT)) && [1, 2].includes(decided.status) ? decided : null;
  } catch {
    return null;
  }
}
