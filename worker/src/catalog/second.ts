//! A second version of the catalog beside the one that is served: it answers a share of the requests
//! (split), or is only asked, after the answer, what it would have bid (shadow).
//!
//! Which requests are in the share is up to the module, by their ids; nothing here decides on bids.

import { SHADOW_LOG_EVERY } from "../limits.ts";
import type { Counters } from "../telemetry/counters.ts";
import { type Bidder, LOTS, type Outcome, SILENT } from "../wasm/bidder.ts";

/** The second version, ready to decide. */
export interface Second {
  version: string;
  bidder: Bidder;
  mode: "split" | "shadow";
  /** Of the requests, in per cent. */
  share: number;
}

/** One request on its way to a decision. */
export interface Incoming {
  body: Uint8Array;
  sspId: string;
  now: number;
  seed: [high: number, low: number];
  /** Which events are wanted of the answer: see `Bidder.decide`. */
  weight: number;
}

/** What two versions bid differently on a request. */
export interface Difference {
  ssp: string;
  request: string;
  /** The version that has answered and what it has bid, else its reason. */
  first: { version: string | null; outcome: string; bids: unknown[] };
  second: { version: string; outcome: string; bids: unknown[] };
}

/** Decides with the one whose turn it is. Counts `split`, `shadow`, and `shadow-different`. */
export function decideBeside(
  first: { bidder: Bidder; version: string | null },
  second: Second,
  { body, sspId, now, seed, weight }: Incoming,
  ctx: Pick<ExecutionContext, "waitUntil">,
  counters: Counters,
): Outcome {
  const decide = (bidder: Bidder, ssp: number, told: number) => bidder.decide(body, ssp, now, ...seed, told);
  const [own, other] = [first.bidder.ssp(sspId) ?? -1, second.bidder.ssp(sspId)];
  const isIn = other !== undefined && second.bidder.lot(body) < (second.share / 100) * LOTS;
  if (isIn && second.mode === "split") {
    counters.add("split");
    return decide(second.bidder, other, weight);
  }
  const outcome = decide(first.bidder, own, weight);
  if (isIn) {
    const compared = async () => {
      // Nobody shall wait for it: the answer goes out first.
      await scheduler.wait(0);
      counters.add("shadow");
      const difference = differenceOf(outcome, decide(second.bidder, other, SILENT));
      if (difference === null) return;
      const [{ request, ...one }, { request: _, ...two }] = difference;
      emit(
        {
          ssp: sspId,
          request,
          first: { version: first.version, ...one },
          second: { version: second.version, ...two },
        },
        counters.add("shadow-different"),
      );
    };
    ctx.waitUntil(compared());
  }
  return outcome;
}

/** Where differences go: now and then one into the log. `count` is how many there were. */
function emit(difference: Difference, count: number): void {
  if (count % SHADOW_LOG_EVERY === 1) console.info(JSON.stringify({ shadow: difference }));
}

interface Told {
  request: string;
  outcome: string;
  bids: unknown[];
}

/** Both sides, where they are not the same; the version that a bid may tell is no difference. */
function differenceOf(first: Outcome, second: Outcome): [Told, Told] | null {
  const [one, two] = [told(first), told(second)];
  // Without a bid there is nothing to compare but the reason.
  return JSON.stringify([one.outcome, one.bids]) === JSON.stringify([two.outcome, two.bids])
    ? null
    : [{ ...one, request: one.request || two.request }, two];
}

interface Response {
  id: string;
  cur?: string;
  seatbid?: { seat: string; bid: Record<string, unknown>[] }[];
}

function told({ body, count }: Outcome): Told {
  if (body === null) return { request: "", outcome: count, bids: [] };
  const { id, cur, seatbid = [] }: Response = JSON.parse(new TextDecoder().decode(body));
  const bids = seatbid.flatMap(({ seat, bid }) =>
    bid.map(({ impid, price, dealid, cid, crid }) => ({ seat, impid, price, cur, dealid, cid, crid })),
  );
  return { request: id, outcome: count, bids };
}
