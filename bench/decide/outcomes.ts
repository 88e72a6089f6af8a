//! What the Worker tells of a catalog and of the requests of the mix.

/** What a request came to. */
export interface Outcome {
  status: number;
  /** Of the response. */
  bytes: number;
  /** Candidates examined; null where nobody counts them. */
  examined: number | null;
  /** What is bid, one entry a bid: impression, campaign, creative, deal and price. */
  bids: string[];
  /** Whether the decision was cut off. The twin's never is. */
  isCutOff: boolean;
}

interface BidResponse {
  seatbid: { bid: { impid: string; cid: string; crid: string; dealid?: string; price: number }[] }[];
}

/** Looks at an answer; `body` is null where there is none. */
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

/** Over all requests. */
export interface Summary {
  /** The share of requests that got a bid. */
  bid_rate: number;
  /** Of a response, in the mean. */
  response_bytes: number;
  /** Candidates per request in the mean; null where nobody counts them. */
  examined: number | null;
}

export function summarize(seen: Outcome[]): Summary {
  const answered = seen.filter(({ status }) => status === 200);
  const sum = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  const examined = seen.flatMap(({ examined }) => examined ?? []);
  return {
    bid_rate: answered.length / seen.length,
    response_bytes: sum(answered.map(({ bytes }) => bytes)) / answered.length,
    examined: examined.length === seen.length ? sum(examined) / seen.length : null,
  };
}

/** The share of requests that may be cut off: more would measure the limit. */
const MOST_CUT_OFF = 0.03;

/** Throws unless both answer alike each request that edgebid looks at to the end, and there are few others. */
export function expectSameBids(ours: Outcome[], twins: Outcome[], requests: string[]): void {
  const told = ({ status, bids }: Outcome) => JSON.stringify([status, bids.toSorted()]);
  const cutOff = ours.filter(({ isCutOff }) => isCutOff).length;
  if (cutOff > MOST_CUT_OFF * ours.length) throw new Error(`${cutOff} of ${ours.length} decisions are cut off`);
  for (const [at, request] of requests.entries()) {
    if (ours[at]?.isCutOff) continue;
    const [one, other] = [ours[at], twins[at]];
    if (!one || !other || told(one) !== told(other)) {
      const found = `edgebid ${one && told(one)}, twin ${other && told(other)}`;
      throw new Error(`the twin answers a request of the mix otherwise: ${found}\n${request.slice(0, 2000)}`);
    }
  }
}
