//! The outcomes of the measured requests, and the comparison of edgebid's bids with the twin's.

/** The outcome of one request. */
export interface Outcome {
  status: number;
  /** Size of the response. */
  bytes: number;
  /** Candidates examined; null for the twin, which does not count them. */
  examined: number | null;
  /** One entry per bid: impression, campaign, creative, deal and price. */
  bids: string[];
  /** Whether the decision reached its limit on work. The twin has no limit. */
  isCutOff: boolean;
}

interface BidResponse {
  seatbid: { bid: { impid: string; cid: string; crid: string; dealid?: string; price: number }[] }[];
}

/** The outcome of an answer; `body` is null if the answer has none. */
export function outcomeOf(status: number, body: string | null, examined: number | null, isCutOff = false): Outcome {
  const { seatbid }: BidResponse = body === null ? { seatbid: [] } : JSON.parse(body);
  const bids = seatbid.flatMap(({ bid }) => bid);
  return {
    status,
    bytes: body === null ? 0 : new TextEncoder().encode(body).byteLength,
    examined,
    bids: bids.map(({ impid, cid, crid, dealid, price }) => [impid, cid, crid, dealid, price].join(" ")),
    isCutOff,
  };
}

/** Means over all requests. */
export interface Summary {
  /** The share of requests that got a bid. */
  bid_rate: number;
  /** Mean size of a response. */
  response_bytes: number;
  /** Mean number of candidates per request; null if candidates were not counted. */
  examined: number | null;
}

export function summarize(outcomes: Outcome[]): Summary {
  const answered = outcomes.filter(({ status }) => status === 200);
  const sum = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  const examined = outcomes.flatMap(({ examined }) => examined ?? []);
  return {
    bid_rate: answered.length / outcomes.length,
    response_bytes: sum(answered.map(({ bytes }) => bytes)) / answered.length,
    examined: examined.length === outcomes.length ? sum(examined) / outcomes.length : null,
  };
}

/** The share of requests that may reach the limit on work. With more, the suite would measure the limit. */
const MOST_CUT_OFF = 0.03;

/**
 * Throws if edgebid and the twin bid differently on a request that edgebid decides completely, or if too many requests
 * reach the limit on work.
 */
export function expectSameBids(ours: Outcome[], twins: Outcome[], requests: string[]): void {
  const answer = ({ status, bids }: Outcome) => JSON.stringify([status, bids.toSorted()]);
  const cutOff = ours.filter(({ isCutOff }) => isCutOff).length;
  if (cutOff > MOST_CUT_OFF * ours.length)
    throw new Error(`${cutOff} of ${ours.length} decisions reached the limit on work`);
  for (const [at, request] of requests.entries()) {
    if (ours[at]?.isCutOff) continue;
    const [one, other] = [ours[at], twins[at]];
    if (!one || !other || answer(one) !== answer(other)) {
      const found = `edgebid ${one && answer(one)}, twin ${other && answer(other)}`;
      throw new Error(`the twin gives another answer to a request of the mix: ${found}\n${request.slice(0, 2000)}`);
    }
  }
}
