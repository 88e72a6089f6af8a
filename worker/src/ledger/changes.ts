//! The bills of a ledger object since a reader, which is a pacer, last asked.
//!
//! Each change reaches the reader exactly once: a batch is sent again until the reader acknowledges it. All of this is
//! in memory only. So after a restart of the object, or if the reader missed a batch, the next batch has everything.

import { type Bill, QUARTER_SECONDS } from "../../../shared/ledger/rows.ts";
import { type Sum, Sums } from "../../../shared/ledger/sums.ts";
import { MAX_CHANGES } from "../../../shared/limits.ts";
import type { Held, Written } from "./tables.ts";

/** The last batch that a reader has taken. */
export interface Ack {
  /** The instance of the object. */
  instance: string;
  batch: number;
  /** How many times the reader had named its campaigns before this answer; calls that came late count too. */
  named: number;
}

/** A reader, of which an object may have several. */
export interface Reader {
  name: string;
  /** The hashes of the campaigns whose bills it wants; null: those that it named before. */
  only: readonly string[] | null;
}

/** The answer to a reader. */
export interface Batch extends Ack {
  /** Whether `rows` are all bills, and not only new ones. */
  whole: boolean;
  /**
   * Lines `CAMPAIGN SSP ISSUED COUNT NANOS BID HELD CUR`: the bills of bids of one second or, if whole, of the time
   * from one of the reader's midnights to the next; without midnights, of one quarter of an hour. Campaign and SSP are
   * hashes of 16 hex digits, ISSUED is in seconds since the epoch. NANOS is the cost of COUNT bills, and the change in the
   * prices of earlier ones: it may be negative. BID is the sum of the bids of COUNT bills. HELD is the change in the
   * bid prices of refused notices, which count against the budget: it is negative when such a bid is booked. CUR is the
   * campaign's currency, of all amounts.
   */
  rows: string;
  /** It must name its campaigns again: the object has restarted, or a late call has named others. */
  isForgotten?: boolean;
}

/** A change: its campaign, SSP and time, and its amounts, which {@link Batch} explains. */
interface Change extends Pick<Bill, "campaign" | "ssp" | "issued" | "ownCur"> {
  count: number;
  nanos: bigint;
  bid: bigint;
  held: bigint;
}

const newChanges = () => new Sums<Change>(["campaign", "ssp", "issued", "ownCur"], ["nanos", "bid", "held"]);

export class Changes {
  readonly #instance = crypto.randomUUID();
  readonly #all: () => Iterable<Sum<number>>;
  readonly #held: () => Iterable<Held>;
  #batch = 0;
  /** The rows of the last batch, in case they must be sent again; null if that batch was whole. */
  #sent: string | null = null;
  /** The changes since then; null if nothing is kept, because no reader asks. */
  #since: Sums<Change> | null = null;
  /** The campaigns that the reader wants; undefined: all. */
  #only: ReadonlySet<string> | undefined;
  #named = 0;

  /** `all`: the sums of all bills. `held`: all {@link Held} bids. */
  constructor(all: () => Iterable<Sum<number>>, held: () => Iterable<Held>) {
    [this.#all, this.#held] = [all, held];
  }

  /** Adds a bill that was booked, or that has changed the price of its bid. */
  add(bill: Bill, { booking, ownNanos, released }: Omit<Written, "now">): void {
    const { campaign, ssp, issued, ownCur, bidNanos } = bill;
    const [count, bid] = booking === true ? [1, BigInt(bidNanos)] : [0, 0n];
    this.#add({ campaign, ssp, issued, ownCur, count, nanos: BigInt(ownNanos), bid, held: -BigInt(released) });
  }

  /** Adds a bid that counts against its budget although it is not booked. */
  hold({ bidNanos, ...of }: Held): void {
    this.#add({ ...of, count: 0, nanos: 0n, bid: 0n, held: BigInt(bidNanos) });
  }

  #add(change: Change): void {
    if (this.#only?.has(change.campaign) === false) return;
    // If there are too many, the reader has gone. When it returns, it gets everything.
    if (this.#since?.add(change, MAX_CHANGES) === false) this.#since = null;
  }

  /**
   * The next batch; the last one again if the reader has not taken it. `midnights`: when the days begin by which the
   * reader adds up, in seconds since the epoch, in order. They make a whole batch up to 25 times shorter. `only`: the
   * campaigns that the reader wants; if null, those that it named before.
   */
  take(ack: Ack | null, midnights: number[] = [], only?: Reader["only"]): Batch {
    const isKnown = this.#only !== undefined && ack?.named === this.#named;
    if (only === null && !isKnown) return { ...this.#answer("", false), isForgotten: true };
    if (only !== null) {
      this.#only = only && new Set(only);
      if (only) this.#named++;
    }
    const taken = ack?.instance === this.#instance ? ack.batch : Number.NaN;
    if (this.#since !== null && taken === this.#batch) {
      this.#sent = textOf(this.#since);
      this.#since = newChanges();
      this.#batch++;
      return this.#answer(this.#sent, false);
    }
    if (this.#since !== null && this.#sent !== null && taken === this.#batch - 1) {
      return this.#answer(this.#sent, false);
    }
    const all = newChanges();
    const startOf = (issued: number) =>
      midnights.findLast((midnight) => midnight <= issued) ?? issued - (issued % QUARTER_SECONDS);
    const isWanted = (campaign: string) => this.#only?.has(campaign) !== false;
    for (const { period, campaign, ssp, ownCur, count, ownNanos: nanos, bidNanos: bid = 0n } of this.#all()) {
      if (isWanted(campaign))
        all.add({ campaign, ssp, ownCur, issued: startOf(period * QUARTER_SECONDS), count, nanos, bid, held: 0n });
    }
    for (const { issued, bidNanos, ...of } of this.#held()) {
      if (isWanted(of.campaign))
        all.add({ ...of, issued: startOf(issued), count: 0, nanos: 0n, bid: 0n, held: BigInt(bidNanos) });
    }
    [this.#since, this.#sent] = [newChanges(), null];
    this.#batch++;
    return this.#answer(textOf(all), true);
  }

  #answer(rows: string, whole: boolean): Batch {
    return { instance: this.#instance, batch: this.#batch, named: this.#named, whole, rows };
  }
}

function textOf(changes: Sums<Change>): string {
  const line = ({ campaign, ssp, issued, count, nanos, bid, held, ownCur }: Change) =>
    `${campaign} ${ssp} ${issued} ${count} ${nanos} ${bid} ${held} ${ownCur}\n`;
  return Array.from(changes, line).join("");
}
