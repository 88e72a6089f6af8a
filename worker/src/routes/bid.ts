//! `POST /bid/:ssp`: answers one bid request, and counts the outcome. The decision itself is left to the module.
//!
//! A failure inside becomes a 204, because exchanges throttle bidders with errors and timeouts.

import { gzipSync } from "node:zlib";
import { decideWithSecond } from "../catalog/second.ts";
import { settled } from "../frequency/settle.ts";
import { REFUSAL_HEADERS } from "../http/attempts.ts";
import { readBody, takeDropped } from "../http/body.ts";
import { acceptsGzip, BODY_TYPES, bearerToken, bodyType, JSON_TYPE } from "../http/headers.ts";
import { BODY_MS, LATE_MS } from "../limits.ts";
import { NO_NOTICES } from "../notices/settings.ts";
import { sign } from "../skadn/signer.ts";
import { fail } from "../telemetry/failures.ts";
import { replaceGrown } from "../wasm/replace.ts";
import type { Isolate } from "./isolate.ts";

const OPENRTB = { "x-openrtb-version": "2.6" };
/** The headers of answers, by media type. */
const PLAIN = Object.fromEntries(BODY_TYPES.map((type) => [type, { ...OPENRTB, "content-type": type }]));
const GZIP = Object.fromEntries(
  BODY_TYPES.map((type) => [type, { ...OPENRTB, "content-type": type, "content-encoding": "gzip" }]),
);

/** Answers a bid request of the SSP in the path. */
export async function bid(
  request: Request,
  sspId: string,
  env: Env,
  ctx: ExecutionContext,
  { keeper, counters, events, metrics, attempts, notices, tally, pacing, skadn, tap }: Isolate,
): Promise<Response> {
  const arrived = Date.now();
  metrics.due(env, ctx);
  try {
    if (request.method !== "POST") return empty(405, { allow: "POST" });
    const bidder = keeper.use(env, ctx) ?? (await keeper.first());
    if (bidder === undefined) {
      counters.add("no-catalog");
      return empty(204);
    }
    const ssp = bidder.ssp(sspId);
    if (ssp === undefined) return empty(404);
    if (bidder.isClosed(ssp) && (attempts.isShutOut(sspId, request) || !bidder.authorize(ssp, bearerToken(request)))) {
      const status = await attempts.refuse(sspId, request, env);
      return empty(status, REFUSAL_HEADERS[status]);
    }
    const type = bodyType(request.headers.get("content-type"));
    if (type === null) return empty(415);
    const protobuf = type !== JSON_TYPE;

    const deadline = bidder.tmax(ssp) || BODY_MS;
    const body = await readBody(request, deadline, ctx, sspId);
    const dropped = takeDropped();
    if (dropped > 0) counters.add("aborted", dropped);
    if (!(body instanceof Uint8Array)) {
      counters.add(body.count);
      return empty(body.status);
    }
    const { second } = keeper;
    const key = bidder.hasSkadn || second?.bidder.hasSkadn ? await skadn.of(env) : null;
    const now = Date.now();
    // A deployed clock stands still while the isolate computes, so this is all of the wait that can be seen.
    const waited = Math.max(0, now - arrived);
    if (waited > LATE_MS) counters.add("late");
    // Reading had the same deadline, but in an isolate with many requests even the timer is late.
    if (waited > deadline) {
      counters.add("waited");
      return empty(204);
    }
    const settings = notices.of(request, env);
    // From here on nothing waits, so no other request can change the bidder's settings before the decision.
    notices.use(bidder, settings);
    // The bids of a shadow are not sent, so they must not be counted.
    if (second) notices.use(second.bidder, second.mode === "split" ? settings : NO_NOTICES);
    // Without notices, no spend is known. So campaigns with a budget get no share.
    if (settings !== NO_NOTICES) {
      tally.watch(bidder, env, ctx);
      pacing.use(bidder, true, request, env, ctx);
      if (second) {
        tally.watch(second.bidder, env, ctx);
        pacing.use(second.bidder, second.mode === "split", request, env, ctx);
      }
    }
    bidder.useSkadn(key !== null);
    second?.bidder.useSkadn(key !== null);
    const weight = events.weight(env);
    const decided =
      second === undefined
        ? bidder.decide(body, ssp, now, ...nextSeed(), weight, protobuf, waited)
        : decideWithSecond(
            { bidder, version: keeper.version },
            second,
            { body, protobuf, sspId, now, waited, seed: nextSeed(), weight },
            ctx,
            counters,
          );
    const { capped } = decided;
    const outcome =
      capped === null ? decided : await settled(decided, capped, { request, env, ctx, counters, arrived });
    replaceGrown(bidder, ctx, counters);
    if (second !== undefined) replaceGrown(second.bidder, ctx, counters);
    events.take(outcome.records, env, ctx);
    if (tap.isOn(env)) tap.take({ ssp: sspId, at: now, outcome: outcome.count, body }, env, ctx);
    // The module knows the `tmax` of the request itself.
    counters.add(outcome.count === "tmax" && waited > LATE_MS ? "waited" : outcome.count);
    if (outcome.gaveUp) counters.add("work");
    if (outcome.dropped > 0) counters.add("events-dropped", outcome.dropped);
    if (outcome.hasMoreImps) counters.add("more-imps");
    if (outcome.test) counters.add("test");
    if (outcome.body === null) return empty(outcome.status);
    if (key !== null) await sign(outcome.body, outcome.unsigned, key);
    // The answer has the format of the request. It is encoded last, because signatures are written into the JSON.
    const answer = protobuf ? bidder.encode(outcome.body) : outcome.body;
    if (answer === null) throw new Error("the answer could not be encoded");
    if (bidder.takesGzip(ssp) && acceptsGzip(request)) return gzipped(answer, outcome.status, type);
    return new Response(answer, { status: outcome.status, headers: PLAIN[type] ?? OPENRTB });
  } catch (error) {
    // Even after this failure the SSP gets a 204.
    fail("failure", error);
    counters.add("failure");
    return empty(204);
  }
}

function empty(status: number, headers?: Record<string, string>): Response {
  return new Response(null, { status, headers: headers ? { ...OPENRTB, ...headers } : OPENRTB });
}

/** A compressed response. It is compressed here, not by the runtime, so that it has a Content-Length. */
function gzipped(body: Uint8Array, status: number, type: string): Response {
  return new Response(gzipSync(body), { status, headers: GZIP[type] ?? OPENRTB, encodeBody: "manual" });
}

/** The next seed. Each isolate starts with a random seed, so that no two isolates make the same bid ids. */
let seeds: Uint32Array | undefined;

/** The two halves of the next request's seed. No two requests of an isolate get the same seed. */
function nextSeed(): [high: number, low: number] {
  // The platform allows random numbers only within a request.
  seeds ??= crypto.getRandomValues(new Uint32Array(2));
  const [high = 0, low = 0] = seeds;
  seeds[1] = low + 1;
  return [high, low];
}
