//! The types of the serving module's answers. `bidder.ts` reads the answers.

/** The result of one decision. */
export interface Outcome {
  /** The HTTP status to answer with. */
  status: 200 | 204 | 400;
  /** The response body; null unless the status is 200. */
  body: Uint8Array<ArrayBuffer> | null;
  /** The events of the decision as lines of JSON; null if there are none. */
  records: Uint8Array<ArrayBuffer> | null;
  /** Whether the decision reached its limit of work and took the best bid found so far. */
  gaveUp: boolean;
  /** Whether the request had more impressions than the module reads. */
  hasMoreImps: boolean;
  /** Whether a TCF string of the request is not valid, or does not disclose our vendor. */
  refusesTcf: boolean;
  /** The number of events that were left out because there were too many. */
  dropped: number;
  /** Whether the auction is a test, which is never billed. */
  test: boolean;
  /** What options have left for the host, by the option's name: `crates/auction/src/options`; null if nothing. */
  left: Readonly<Record<string, unknown>> | null;
  /** The counter to raise: `bid`, `bad-request`, `trap`, `unsound`, or the name of the no-bid reason. */
  count: string;
}

/** The verdict of the module on a notice: `NoticeReader::write` in `crates/notices/src/settle/verdict.rs`. */
export type Verdict = Foreign | Ours;

/** What each verdict has: prices per thousand impressions in micros of `cur`, if they are readable. */
interface Said {
  /** The price in the notice. */
  priceMicros?: number;
  /** The highest price of another bidder. */
  minToWin?: number;
}

/** The verdict on a notice whose token is not ours, or whose layout is not known. */
export interface Foreign extends Said, Refused {
  bid?: never;
}

/** The verdict on a notice with a token of ours. */
export type Ours = OfBid & (Billed | Won | Lost | Refused);

/** Nothing is to be booked. */
interface Refused {
  notice: "win" | "bill" | "loss" | "imp";
  outcome: "refused";
  why: string;
  /** Whether it may be booked when it comes again: our keys or rates may be wrong, or a newer build made the token. */
  isMendable?: boolean;
  /** For an impression that was probably billed: see {@link Cost}. */
  bidNanos?: number;
}

/** An impression is to be booked. */
interface Billed extends Cost {
  notice: "win" | "bill" | "imp";
  outcome: "bill";
}

/** The bid has won. It tells the cost if a page bills the bid and the price is not that of the bid. */
type Won = { notice: "win"; outcome: "win" } & (Cost | { nanos?: never });

/** The bid has lost, with the exchange's code. */
interface Lost {
  notice: "loss";
  outcome: "loss";
  loss?: number;
}

/** The price of one impression in billionths of `cur`, of a US dollar, and of the campaign's currency. */
export interface Cost {
  nanos: number;
  usdNanos: number;
  ownNanos: number;
  /** The price of the bid times its multiplier, in billionths of `ownCur`. */
  bidNanos?: number;
  /** Whether the notice had no trusted price, so that the price of the bid is used. */
  isAssumed: boolean;
  /** How the price in the notice differs from the bid. */
  differs?: "over-bid" | "under-bid";
}

/** The bid in the token of a notice. */
interface OfBid extends Said {
  /** `bid.id`, 18 hex digits. */
  bid: string;
  /** When the bid was made, in seconds and in quarters of an hour since the epoch. */
  issued: number;
  quarter: number;
  /** The shard of the ledger that books the bid. */
  shard: number;
  /** The object that counts the person's impressions, as `frequencyOf` takes it; 0: none. */
  frequency: number;
  /** The position in `VERSIONS` of `shared/ledger/rows.ts` of what the bid is compared by; absent: nothing. */
  arm?: number;
  /** Hashes of `cid`, `crid` and the SSP's id, 16 hex digits, and the ids themselves if the catalog has them. */
  campaign: string;
  creative: string;
  ssp: string;
  cid?: string;
  crid?: string;
  sspId?: string;
  /** The campaign's time zone, if the catalog has the campaign; empty for UTC. */
  zone?: string;
  /** The campaign's currency. */
  ownCur: string;
  /** The price of the bid, in micros per thousand impressions. */
  bidMicros: number;
  bidCur: string;
  /** The currency of the prices in the notice. */
  cur: string;
  /** A hash of the encoded price, 16 hex digits, if a page has shown it and it counts. */
  sealed?: string;
  /** What the notice tells learned shading, as a line without its count: see `crates/pacing/src/counts.rs`. */
  observed?: string;
  /** Whether that would be so if the price to win were not absurd. */
  isAbsurd?: boolean;
}

/** The bids of an instance since they were last taken: `Tally::take` in `crates/auction/src/write/counts.rs`. */
export interface Tallied {
  bids?: TalliedBids[];
  /** Bids that have no row, because there were too many rows. */
  uncounted: number;
}

/** The bids of one campaign and creative at one SSP in one quarter of an hour, by one version. */
export interface TalliedBids {
  quarter: number;
  campaign: string;
  creative: string;
  ssp: string;
  /** As in {@link Ours}. */
  arm?: number;
  count: number;
  cid: string;
  crid: string;
  sspId: string;
  /** The currency and the time zone of the campaign. */
  cur: string;
  zone: string;
}

/** A sync call, or why it is refused. */
export type SyncCall = SyncParameters | { refused: SyncRefusal };

/**
 * The parameters in the query of a sync call; a missing one is empty. `uid` is the exchange's id for the person.
 * `redirect` is the address to send the browser to, with `$UID` in place of our id; the module has checked that the SSP
 * allows its host.
 */
export type SyncParameters = Record<SyncParameter, string>;
type SyncParameter = "uid" | "gdpr" | "gdpr_consent" | "gpp" | "gpp_sid" | "us_privacy" | "redirect";

/** Why a sync call was refused. */
export type SyncRefusal = "bad-call" | "no-consent" | "tcf-refused" | "bad-redirect" | "trap";

/** Facts about a loaded catalog: see `load` in `crates/bidder-wasm/src`. */
export interface Facts {
  campaigns: number;
  budgets: number;
  ssps?: SspFacts[];
  reasons: string[];
  untargeted: [from: number, to: number];
  /** The names of the options that the catalog uses. */
  options?: string[];
  /** Whether it takes part in pacing. */
  paced: boolean;
}

/** Facts about an SSP. */
export interface SspFacts {
  id: string;
  /** The address to which the SSP wants our id sent, with placeholders; empty if the SSP wants no id. */
  sync_url: string;
  /** Whether the SSP must send credentials. */
  closed: boolean;
  /** Whether the SSP accepts answers in gzip. */
  gzip: boolean;
  /** The SSP's usual `tmax` in milliseconds; 0 if the catalog has none. */
  tmax: number;
}
