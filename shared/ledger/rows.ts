//! The rows that the Worker, the ledger's objects and the report pass to each other.
//!
//! A quarter is a number of quarters of an hour since the epoch, taken from the time when the bid was made. So the
//! quarters of a day in any time zone add up to that day.

/** Seconds of a quarter. */
export const QUARTER_SECONDS = 900;

/**
 * The campaign, creative and SSP of a bid, and when it was made. All three are the 16 hex digits of a hash;
 * {@link Names} has their names.
 */
export interface Subject {
  /** When the bid was made. */
  quarter: number;
  campaign: string;
  creative: string;
  ssp: string;
  /** The position in {@link VERSIONS} of what the bid is compared by. Absent or 0: nothing. */
  arm?: number;
}

/**
 * What bids are compared by, as a report names it: the versions of a split, and the bids that show what is paid without
 * learned shading. The first name is that of all other bids.
 */
export const VERSIONS = ["", "first", "second", "unshaded"] as const;

/** One impression to bill. */
export interface Bill extends Subject {
  /** `bid.id`, 18 hex digits. */
  bid: string;
  /** When the bid was made, in seconds since the epoch. */
  issued: number;
  /** The notice that billed it. */
  notice: "bill" | "imp" | "win";
  /** The currency of the price. */
  cur: string;
  /** The price of the impression in billionths of `cur`. */
  nanos: number;
  /** The same price in billionths of a US dollar. */
  usdNanos: number;
  /** The campaign's currency, and the same price in billionths of it. */
  ownCur: string;
  ownNanos: number;
  /** The price of the bid times its multiplier, in billionths of `ownCur`. */
  bidNanos: number;
  /** Whether the notice had no trusted price, so that the price of the bid was booked. */
  isAssumed: boolean;
  /** Whether this bills nothing, and only tells the price of a bid that a page bills. */
  isPrice?: boolean;
}

/** How much a bid counts against its budget if it was probably billed and cannot be booked yet. */
export type Weight = Pick<Bill, "issued" | "ownCur" | "bidNanos">;

/**
 * The effect of a bill. `true`: it is booked now. Otherwise its bid was booked before. `"raised"`: this bill has raised
 * the price. `"lowered"`: it has a lower price, which replaces one that is less certain. `"lower"`: it has a lower price
 * and changes nothing. `false`: it has the same price, or a higher one that is less certain.
 */
export type Booking = boolean | "raised" | "lowered" | "lower";

/** The effect of a bill, and what is booked for its bid now; null if nothing is. */
export interface Booked {
  booking: Booking;
  now: Pick<Bill, "notice" | "cur" | "nanos"> | null;
}

/** A number of events without a cost, since the last such row. */
export interface Count extends Subject {
  /**
   * `refused`: notices that booked nothing. `differs`: notices whose price differs from the bid or from the booking.
   */
  kind: "bid" | "win" | "loss" | "refused" | "differs";
  /** loss: the loss reason of OpenRTB; refused: the reason; differs: the kind of difference; otherwise empty. */
  detail: string;
  count: number;
}

/** What the ledger knows about a bid. */
export interface Known {
  /** The notice that billed it, and when the bid was made; null if nothing was booked. */
  booked: { notice: Bill["notice"]; quarter: number } | null;
  /** Why the first notice that booked nothing was refused; null if none was. */
  refused: string | null;
}

/** The names behind the hashes of a {@link Subject}. */
export interface Names {
  campaign: string;
  cid: string;
  creative: string;
  crid: string;
  ssp: string;
  sspId: string;
  /** The campaign's currency. */
  cur: string;
  /** The campaign's time zone; empty if it names none, which means UTC. */
  zone: string;
}

/** Which rows a report adds up. */
export interface Query {
  /** First and last day, `YYYY-MM-DD`, each in the time zone of the campaign. */
  from: string;
  to: string;
  /** The attributes by which rows are grouped. */
  by: readonly Dimension[];
  /** The id of the only campaign that the report is about; `by` has `campaign` then. */
  campaign?: string;
}

/** Digits of the hash of a campaign. */
export const HASH_DIGITS = 16;

/** The part of the campaigns whose hashes end with the digits of this parameter, as a condition in SQL. */
export function inPart(parameter: string): string {
  // A refused notice may name no campaign, which counts like the hash 0.
  return `'${"0".repeat(HASH_DIGITS)}' || campaign LIKE '%' || ${parameter}`;
}

/** A part without campaigns. */
export const NO_PART = "-";

export const DIMENSIONS = ["day", "hour", "campaign", "ssp", "creative", "version"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** A sum over all rows of one group. The attributes that the query does not name are empty. */
export interface Total {
  day: string;
  /** The hour of UTC in which the bids were made, `YYYY-MM-DDTHH:00Z`; empty if the ledger no longer has it. */
  hour: string;
  /** `bid.cid`, or `#` and the hash if the name is unknown; empty if a refused notice names no campaign. */
  campaign: string;
  ssp: string;
  creative: string;
  /** One of {@link VERSIONS}. */
  version: string;
  /** The campaign's currency. */
  cur: string;
  kind: Count["kind"] | "bill";
  /** As in {@link Count}; bill: `assumed` or empty. */
  detail: string;
  count: number;
  /** Billionths of `cur`. */
  nanos: bigint;
  /** Billionths of a US dollar. */
  usdNanos: bigint;
}
