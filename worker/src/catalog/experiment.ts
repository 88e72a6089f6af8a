//! An experiment with a second version of the catalog. In a *split* it answers a share of the requests. As a *shadow*
//! it decides on a share of the requests after the first version has answered, only to compare the bids.
//!
//! The module chooses the requests of the share, by their ids.

import { SHADOW_LOG_EVERY } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { LOTS } from "../../../shared/wasm/abi.ts";
import type { Outcome } from "../../../shared/wasm/answers.ts";
import { type Bidder, type Question, SILENT } from "../../../shared/wasm/bidder.ts";
import type { Loaded } from "./versions.ts";

/** The second version, ready to decide. */
export interface Experiment extends Loaded {
  mode: "split" | "shadow";
  /** Of the requests, in per cent. */
  share: number;
}

/**
 * Decides with the version that answers this request. `question` is for the first version. Raises the counters `split`, `shadow` and
 * `shadow-different`.
 */
export function decideInExperiment(
  first: { bidder: Bidder; version: string | null },
  second: Experiment,
  question: Question,
  sspId: string,
  ctx: Background,
  counters: Counters,
): Outcome {
  const secondSsp = second.bidder.ssp(sspId);
  // A request of an SSP that only the first version knows is not in the share, and not in the result of the split.
  const isInShare =
    secondSsp !== undefined && second.bidder.lot(question.body, question.protobuf) < (second.share / 100) * LOTS;
  const isSplit = secondSsp !== undefined && second.mode === "split";
  if (isInShare && isSplit) {
    counters.add("split");
    return second.bidder.decide({ ...question, ssp: secondSsp, arm: 2 });
  }
  const outcome = first.bidder.decide({ ...question, arm: isSplit ? 1 : 0 });
  const compare = async (ssp: number) => {
    // The answer goes out first.
    await scheduler.wait(0);
    counters.add("shadow");
    const [one, two] = [summaryOf(outcome), summaryOf(second.bidder.decide({ ...question, ssp, weight: SILENT }))];
    if (JSON.stringify(one.bid) === JSON.stringify(two.bid)) return;
    // The first of every SHADOW_LOG_EVERY differences is logged.
    if (counters.add("shadow-different") % SHADOW_LOG_EVERY !== 1) return;
    const difference = {
      ssp: sspId,
      // A no-bid has no body, so perhaps only one outcome shows the request's id.
      request: one.request || two.request,
      first: { version: first.version, ...one.bid },
      second: { version: second.version, ...two.bid },
    };
    console.info(JSON.stringify({ shadow: difference }));
  };
  if (isInShare) ctx.waitUntil(compare(secondSsp));
  return outcome;
}

interface Response {
  id: string;
  cur?: string;
  seatbid?: { seat: string; bid: Record<string, unknown>[] }[];
}

/**
 * The request's id, and the compared parts of an outcome: the bid without the catalog version, or the no-bid reason.
 */
function summaryOf({ body, count }: Outcome): { request: string; bid: { outcome: string; bids: unknown[] } } {
  if (body === null) return { request: "", bid: { outcome: count, bids: [] } };
  const { id, cur, seatbid = [] }: Response = JSON.parse(new TextDecoder().decode(body));
  const bids = seatbid.flatMap(({ seat, bid }) =>
    bid.map(({ impid, price, dealid, cid, crid }) => ({ seat, impid, price, cur, dealid, cid, crid })),
  );
  return { request: id, bid: { outcome: count, bids } };
}
