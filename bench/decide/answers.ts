//! The answers of the bidder and its peer to the requests of the mix, and whether a comparison of their times is fair.

import type { Bidder } from "./module.ts";
import type { Peer } from "./peer.ts";

/** Counts of requests, and means over them. */
export interface Answers {
  bid_rate: number;
  /** Mean size of a response. */
  response_bytes: number;
  /** Mean number of candidates of a decision. */
  examined: number;
  /** Decisions that reached the limit on work. */
  cut_off: number;
  /** Impressions on which both bid, and those of them on which the peer bids at least as much. */
  both: number;
  agreed: number;
  /**
   * Requests on which only the peer bids, although a rule forbids it or nothing fits; and requests on which only
   * edgebid bids.
   */
  only_peer: number;
  only_ours: number;
}

/** The share of requests that may reach the limit on work. With more, a suite would measure the limit. */
const MOST_CUT_OFF = 0.03;
/**
 * The peer takes the highest price and ignores most rules. So if it understands the request as edgebid does, it bids at
 * least as much. It must do so on this share of the impressions.
 */
const LEAST_AGREED = 0.9;

/** The price in each impression with a bid. */
type Prices = Map<string, number>;

export function answersOf(texts: string[], bidder: Bidder, peer: Peer = () => null): Answers {
  const sums = { bids: 0, bytes: 0, examined: 0, cut_off: 0, both: 0, agreed: 0, only_peer: 0, only_ours: 0 };
  for (const text of texts) {
    const { body, isCutOff } = bidder.decide(new TextEncoder().encode(text));
    const [ours, peers] = [pricesIn(body && new TextDecoder().decode(body)), pricesIn(peer(text))];
    sums.bids += Number(ours.size > 0);
    sums.bytes += body?.byteLength ?? 0;
    sums.examined += bidder.instance.exports.examined();
    sums.cut_off += Number(isCutOff);
    sums.only_peer += Number(ours.size === 0 && peers.size > 0);
    sums.only_ours += Number(ours.size > 0 && peers.size === 0);
    for (const [imp, price] of ours) {
      const other = peers.get(imp);
      sums.both += Number(other !== undefined);
      sums.agreed += Number(other !== undefined && other >= price - 1e-6);
    }
  }
  const { bids, bytes, examined, ...counts } = sums;
  const means = { bid_rate: bids / texts.length, response_bytes: bytes / bids, examined: examined / texts.length };
  return { ...means, ...counts };
}

/** Throws if a comparison of times would compare too different work. */
export function expectFair({ cut_off, both, agreed }: Answers, requests: number): void {
  if (cut_off > MOST_CUT_OFF * requests) throw new Error(`${cut_off} decisions reached the limit on work`);
  if (agreed < LEAST_AGREED * both) throw new Error(`the peer bids less than edgebid on ${both - agreed} impressions`);
}

function pricesIn(response: string | null): Prices {
  const { seatbid }: { seatbid: { bid: { impid: string; price: number }[] }[] } = JSON.parse(
    response ?? '{"seatbid":[]}',
  );
  return new Map(seatbid.flatMap(({ bid }) => bid.map(({ impid, price }) => [impid, price])));
}
