//! An experiment with a second version of the catalog. In a *split* it answers a share of the requests. As a *shadow*
//! it decides on a share of the requests after the first version has answered, only to compare the bids.
//!
//! The module chooses the requests of the share, by their ids.

import { SHADOW_LOG_EVERY } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { LOTS } from "../../../shared/wasm/abi.ts";
import type { Outcome } from "../../../shared/wasm/answers.ts";
import { type Bidder, type Question, SILENT } from "../../../shared/wasm/bidder.ts";
import type { Second } from "../catalog/keeper.ts";
import type { Decided, Option, Visit } from "../seams.ts";

export class Experiments implements Option {
  readonly #counters: Counters;

  /** Raises the counters `split`, `shadow` and `shadow-different`. */
  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Decides with the version that answers this request. */
  decide(bidder: Bidder, second: Second, question: Question, { rest: sspId, ctx }: Visit): Decided {
    const ssp = second.bidder.ssp(sspId);
    // A request of an SSP that only the first version knows is not in the share, and not in the result of the split.
    if (ssp === undefined) return { bidder, question, outcome: bidder.decide(question) };
    const isInShare = second.bidder.lot(question.body, question.format) < (second.share / 100) * LOTS;
    const isSplit = second.mode === "split";
    if (isInShare && isSplit) {
      this.#counters.add("split");
      const asked: Question = { ...question, ssp, arm: 2 };
      return { bidder: second.bidder, question: asked, outcome: second.bidder.decide(asked) };
    }
    const asked: Question = isSplit ? { ...question, arm: 1 } : question;
    const outcome = bidder.decide(asked);
    if (isInShare)
      ctx.waitUntil(this.#compare({ bidder, outcome }, second, { ...question, ssp, weight: SILENT }, sspId));
    return { bidder, question: asked, outcome };
  }

  /** Compares an outcome of the first version with that of the shadow. */
  async #compare(
    first: Pick<Decided, "bidder" | "outcome">,
    { bidder, version }: Second,
    question: Question,
    ssp: string,
  ): Promise<void> {
    // The answer goes out first.
    await scheduler.wait(0);
    this.#counters.add("shadow");
    const [one, two] = [summaryOf(first.outcome), summaryOf(bidder.decide(question))];
    if (JSON.stringify(one.bid) === JSON.stringify(two.bid)) return;
    // The first of every SHADOW_LOG_EVERY differences is logged.
    if (this.#counters.add("shadow-different") % SHADOW_LOG_EVERY !== 1) return;
    const difference = {
      ssp,
      // A no-bid has no body, so perhaps only one outcome shows the request's id.
      request: one.request || two.request,
      first: { version: first.bidder.version, ...one.bid },
      second: { version, ...two.bid },
    };
    console.info(JSON.stringify({ shadow: difference }));
  }
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
