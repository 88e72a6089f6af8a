//! `POST /bid/:ssp`: answers one bid request, and counts the outcome. The decision itself is left to the module.
//!
//! A failure inside becomes a 204, because exchanges throttle bidders with errors and timeouts.

import { gzipSync } from "node:zlib";
import { BODY_MS, LATE_MS } from "../../../shared/limits.ts";
import { UNAUTHORIZED, UNTARGETED } from "../../../shared/telemetry/counters.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Format } from "../../../shared/wasm/abi.ts";
import type { Outcome, SspFacts } from "../../../shared/wasm/answers.ts";
import type { Bidder, Question } from "../../../shared/wasm/bidder.ts";
import type { Second } from "../catalog/keeper.ts";
import { REFUSAL_HEADERS } from "../http/attempts.ts";
import { readBody, takeDropped } from "../http/body.ts";
import { acceptsGzip, BODY_TYPES, bearerToken, bodyType } from "../http/headers.ts";
import type { Call } from "../isolate.ts";
import { NO_NOTICES } from "../notices/settings.ts";
import type { Decided } from "../seams.ts";
import { replaceGrown } from "../wasm/replace.ts";

const OPENRTB = { "x-openrtb-version": "2.6" };
/**
 * Answers without a body, by status. Requests share them, so no code may change one. Making one takes longer than reading
 * all headers of a request.
 */
const EMPTY = new Map<number, Response>();
/** Status and headers of answers with a body, by media type. A response takes them fastest from another response. */
const PLAIN = patternsByType({});
const GZIP = patternsByType({ "content-encoding": "gzip" });

/** A call that the bidder may decide on. */
interface Accepted {
  bidder: Bidder;
  /** The SSP's number in the bidder's catalog. */
  position: number;
  ssp: SspFacts;
  /** The media type of the request and of the answer, and the format that it means. */
  type: string;
  format: Format;
}

/** A bid request, read. */
interface Read extends Accepted {
  body: Uint8Array;
  /** The time of the decision, and the milliseconds since the request arrived. */
  now: number;
  waited: number;
}

/** Answers a bid request of the SSP in the path. It waits only where something is awaited here. */
export async function bid(call: Call): Promise<Response> {
  const { request, env, ctx, isolate } = call;
  const { keeper, counters, metrics, notices, seams } = isolate;
  const arrived = Date.now();
  metrics.due(env, ctx);
  try {
    if (request.method !== "POST") return empty(405, { allow: "POST" });
    const accepted = accept(call, keeper.use(env, ctx) ?? (await keeper.first()));
    if (accepted instanceof Response || accepted instanceof Promise) return await accepted;
    const deadline = accepted.ssp.tmax || BODY_MS;
    const body = await readBody(request, deadline, ctx, call.rest);
    const { second } = keeper;
    const fetched = body instanceof Uint8Array ? seams.fetch(accepted.bidder, second?.bidder, call) : undefined;
    if (fetched) await fetched;
    const read = received(call, accepted, body, arrived, deadline);
    if (read instanceof Response) return read;
    const settings = notices.of(request, env);
    // Nothing is awaited from here to the decision, so no other request can change the bidders' settings.
    prepare(call, read.bidder, settings, true);
    if (second) prepare(call, second.bidder, settings, second.mode === "split");
    const decided = decide(call, read, second);
    const asked = seams.ask(decided, call, arrived);
    if (asked) decided.outcome = await asked;
    replaceGrown(read.bidder, ctx, counters);
    if (second) replaceGrown(second.bidder, ctx, counters);
    count(call, read, decided);
    // The JSON is completed before anything encodes it.
    const completed = seams.complete(decided.outcome, call);
    if (completed) await completed;
    return written(call, read, decided.outcome);
  } catch (error) {
    // The SSP gets a 204 even after this failure.
    fail("failure", error);
    counters.add("failure");
    return empty(204);
  }
}

/** Whether the route takes this call: its catalog, SSP, credentials and Content-Type. */
function accept(
  { request, rest: sspId, env, isolate }: Call,
  bidder: Bidder | undefined,
): Accepted | Response | Promise<Response> {
  const { counters, attempts } = isolate;
  if (bidder === undefined) {
    counters.add("no-catalog");
    return empty(204);
  }
  const position = bidder.ssp(sspId);
  if (position === undefined) {
    counters.add("unknown-ssp");
    return empty(404);
  }
  const ssp = bidder.factsOf(position);
  if (ssp.closed && (attempts.isShutOut(sspId, request) || !bidder.authorize(position, bearerToken(request)))) {
    counters.add(`${UNAUTHORIZED}${sspId}`);
    return attempts.refuse(sspId, request, env).then((status) => empty(status, REFUSAL_HEADERS[status]));
  }
  const type = bodyType(request.headers.get("content-type"));
  const format = BODY_TYPES.get(type ?? "");
  if (type === null || format === undefined) {
    counters.add("refused-body");
    return empty(415);
  }
  return { bidder, position, ssp, type, format };
}

/** The request, unless its body is refused or came too late to answer. */
function received(
  { isolate: { counters } }: Call,
  accepted: Accepted,
  body: Awaited<ReturnType<typeof readBody>>,
  arrived: number,
  deadline: number,
): Read | Response {
  const dropped = takeDropped();
  if (dropped > 0) counters.add("aborted", dropped);
  if (!(body instanceof Uint8Array)) {
    if (body.count !== null) counters.add(body.count);
    return empty(body.status);
  }
  const now = Date.now();
  // The clock of a deployed isolate stands still while it computes, so only this part of the wait can be measured.
  const waited = Math.max(0, now - arrived);
  if (waited > LATE_MS) counters.add("late");
  // Reading had the same deadline, but in an isolate with many requests even the timer is late.
  if (waited > deadline) {
    counters.add("waited");
    return empty(204);
  }
  return { ...accepted, body, now, waited };
}

/** Gives a bidder the newest settings. `isSent`: its bids are sent, and so they count; false for a shadow. */
function prepare(call: Call, bidder: Bidder, settings: Uint8Array, isSent: boolean): void {
  const { request, env, ctx, isolate } = call;
  isolate.notices.use(bidder, isSent ? settings : NO_NOTICES);
  isolate.seams.prepare(bidder);
  // Without notices, no spend is known. So campaigns with a budget get no share.
  if (settings !== NO_NOTICES) {
    isolate.tally.watch(bidder, env, ctx);
    isolate.pacing.use(bidder, isSent, request, env, ctx);
  }
}

/** Decides with the newest lot and seed. */
function decide(call: Call, read: Read, second: Second | undefined): Decided {
  const { seams, events } = call.isolate;
  const { bidder, position: ssp, body, now, waited } = read;
  const lot = Math.floor(Math.random() * 2 ** 32);
  const question: Question = {
    body,
    ssp,
    now,
    seed: nextSeed(),
    weight: events.weight(call.env),
    format: read.format,
    waited,
    lot,
  };
  return seams.decide(bidder, second, question, call);
}

/** Passes the outcome to the events, the options and the counters. */
function count(call: Call, read: Read, decided: Decided): void {
  const { rest: ssp, env, ctx, isolate } = call;
  const { events, seams, counters, keeper } = isolate;
  const { outcome } = decided;
  events.take(outcome.records, env, ctx);
  seams.take(decided, call);
  // The module knows the `tmax` of the request itself.
  counters.add(outcome.count === "tmax" && read.waited > LATE_MS ? "waited" : outcome.count);
  if (read.bidder.untargeted.has(outcome.count)) counters.add(`${UNTARGETED}${ssp}`);
  if (outcome.gaveUp) counters.add("work");
  if (outcome.dropped > 0) counters.add("events-dropped", outcome.dropped);
  if (outcome.hasMoreImps) counters.add("more-imps");
  if (outcome.refusesTcf) counters.add("tcf-refused");
  if (outcome.test) counters.add("test");
  if (keeper.isSupplyOld(read.now)) counters.add("supply-old");
}

/** The response, in the format of the request, and compressed if both sides want that. */
function written({ request }: Call, { bidder, ssp, type, format }: Read, { status, body }: Outcome): Response {
  if (body === null) return empty(status);
  const answer = bidder.encode(body, format);
  if (answer === null) throw new Error("the answer could not be encoded");
  if (!ssp.gzip || !acceptsGzip(request)) return new Response(answer, PLAIN[type]);
  // Compressed here and not by the runtime, so that the answer has a Content-Length.
  return new Response(gzipSync(answer), GZIP[type]);
}

function empty(status: number, headers?: Record<string, string>): Response {
  if (headers) return new Response(null, { status, headers: { ...OPENRTB, ...headers } });
  const shared = EMPTY.get(status);
  if (shared) return shared;
  const answer = new Response(null, { status, headers: OPENRTB });
  EMPTY.set(status, answer);
  return answer;
}

function patternsByType(more: Record<string, string>): Record<string, Response> {
  const pattern = (type: string) =>
    new Response(null, { headers: { ...OPENRTB, "content-type": type, ...more }, encodeBody: "manual" });
  return Object.fromEntries([...BODY_TYPES.keys()].map((type) => [type, pattern(type)]));
}

/** The next seed. Each isolate starts with a random seed, so that two isolates do not make the same bid ids. */
let seeds: Uint32Array | undefined;

/** The two halves of the next request's seed. No two requests of an isolate get the same seed. */
function nextSeed(): [high: number, low: number] {
  // The platform allows random numbers only within a request.
  seeds ??= crypto.getRandomValues(new Uint32Array(2));
  const [high = 0, low = 0] = seeds;
  seeds[1] = low + 1;
  return [high, low];
}
