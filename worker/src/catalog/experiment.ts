//! An experiment with a second version of the catalog. In a *split* it answers a share of the requests. As a *shadow* it decides on a
//! share of the requests after the first version has answered, only to compare the bids.
//!
//! The module chooses the requests of the share, by their ids.

import { SHADOW_LOG_EVERY } from "../limits.ts";
import type { Counters } from "../telemetry/counters.ts";
import { LOTS } from "../wasm/abi.ts";
import type { Outcome } from "../wasm/answers.ts";
import { type Bidder, SILENT } from "../wasm/bidder.ts";

/** The second version, ready to decide. */
export interface Experiment {
  version: string;
  bidder: Bidder;
  mode: "split" | "shadow";
  /** Of the requests, in per cent. */
  share: number;
}

/** One request to decide on. */
export interface Incoming {
  body: Uint8Array;
  /** Whether the body is in protobuf. */
  protobuf: boolean;
  sspId: string;
  now: number;
  /** Milliseconds since it arrived. */
  waited: number;
  seed: [high: number, low: number];
  /** Which events the decision produces: see `Bidder.decide`. */
  weight: number;
}

/** A request on which two versions bid differently. */
export interface Difference {
  ssp: string;
  request: string;
  /** The version that answered. The outcome is `bid` or the no-bid reason. */
  first: { version: string | null; outcome: string; bids: unknown[] };
  second: { version: string; outcome: string; bids: unknown[] };
}

/** Decides with the version that answers this request. Raises the counters `split`, `shadow` and `shadow-different`. */
export function decideInExperiment(
  first: { bidder: Bidder; version: string | null },
  second: Experiment,
  { body, protobuf, sspId, now, waited, seed, weight }: Incoming,
  ctx: Background,
  counters: Counters,
): Outcome {
  const decide = (bidder: Bidder, ssp: number, weight: number) =>
    bidder.decide(body, ssp, now, ...seed, weight, protobuf, waited);
  const [firstSsp, secondSsp] = [first.bidder.ssp(sspId) ?? -1, second.bidder.ssp(sspId)];
  // A request of an SSP that only the first version knows is not in the share.
  const isInShare = secondSsp !== undefined && second.bidder.lot(body, protobuf) < (second.share / 100) * LOTS;
  if (isInShare && second.mode === "split") {
    counters.add("split");
    return decide(second.bidder, secondSsp, weight);
  }
  const outcome = decide(first.bidder, firstSsp, weight);
  if (isInShare) {
    const compare = async () => {
      // The answer goes out first.
      await scheduler.wait(0);
      counters.add("shadow");
      const difference = differenceOf(outcome, decide(second.bidder, secondSsp, SILENT));
      if (difference === null) return;
      const [{ request, ...one }, { request: _, ...two }] = difference;
      log(
        {
          ssp: sspId,
          request,
          first: { version: first.version, ...one },
          second: { version: second.version, ...two },
        },
        counters.add("shadow-different"),
      );
    };
    ctx.waitUntil(compare());
  }
  return outcome;
}

/** Logs the first of every {@link SHADOW_LOG_EVERY} differences. `count` is the number of differences so far. */
function log(difference: Difference, count: number): void {
  if (count % SHADOW_LOG_EVERY === 1) console.info(JSON.stringify({ shadow: difference }));
}

/** The parts of an outcome that are compared, and the request's id, which is not compared. */
interface Summary {
  request: string;
  outcome: string;
  bids: unknown[];
}

/** The summaries of two outcomes that differ; null if they do not. The catalog version in a bid is not compared. */
function differenceOf(first: Outcome, second: Outcome): [Summary, Summary] | null {
  const [one, two] = [summaryOf(first), summaryOf(second)];
  return JSON.stringify([one.outcome, one.bids]) === JSON.stringify([two.outcome, two.bids])
    ? null
    : // A no-bid has no body, so the request's id may be known from one outcome only.
      [{ ...one, request: one.request || two.request }, two];
}

interface Response {
  id: string;
  cur?: string;
  seatbid?: { seat: string; bid: Record<string, unknown>[] }[];
}

function summaryOf({ body, count }: Outcome): Summary {
  if (body === null) return { request: "", outcome: count, bids: [] };
  const { id, cur, seatbid = [] }: Response = JSON.parse(new TextDecoder().decode(body));
  const bids = seatbid.flatMap(({ seat, bid }) =>
    bid.map(({ impid, price, dealid, cid, crid }) => ({ seat, impid, price, cur, dealid, cid, crid })),
  );
  return { request: id, outcome: count, bids };
}
