//! What an object of the ledger has billed since its reader, the pacer, asked last.
//!
//! Each change reaches the reader exactly once: a batch is sent again until the reader acknowledges it. All of this is
//! in memory only. So a restarted object, or a reader that missed a batch, gets everything instead.

import { MAX_CHANGES } from "../limits.ts";
import type { Bill } from "./rows.ts";
import { QUARTER_SECONDS } from "./rows.ts";
import type { Sum } from "./sums.ts";
import type { Held, Written } from "./tables.ts";

/** The last batch that a reader has taken. */
export interface Ack {
  /** The instance of the object. */
  instance: string;
  batch: number;
}

/** The answer to a reader. */
export interface Batch extends Ack {
  /** Whether `rows` are all bills, and not only new ones. */
  whole: boolean;
  /**
   * Lines `CAMPAIGN SSP ISSUED COUNT NANOS BID HELD CUR`: the bills of bids of one second or, if whole, of one quarter.
   * Campaign and SSP are hashes of 16 hex digits, ISSUED is in seconds since the epoch. NANOS is what COUNT bills cost or,
   * with a COUNT of 0, by how much their price has risen; BID is what was bid for them. HELD is the change of what bids
   * weigh whose notices were refused: negative when such a bid is booked. CUR is the campaign's currency of all amounts.
   */
  rows: string;
}

/** What a change is about. */
type Of = Pick<Bill, "campaign" | "ssp" | "issued" | "ownCur">;

/** The amounts of a line. */
interface Amounts {
  count: number;
  nanos: bigint;
  bid: bigint;
  held: bigint;
}

export class Changes {
  readonly #instance = crypto.randomUUID();
  readonly #all: () => Iterable<Sum<number>>;
  readonly #held: () => Iterable<Held>;
  #batch = 0;
  /** The rows of the last batch, in case they must be sent again; null if that batch was whole. */
  #sent: string | null = null;
  /** The bills since then; null if nothing is kept, because no reader asks. */
  #since: Lines | null = null;

  /** `all`: the sums of all bills. `held`: all bids that weigh. */
  constructor(all: () => Iterable<Sum<number>>, held: () => Iterable<Held>) {
    [this.#all, this.#held] = [all, held];
  }

  /** A bill was booked, or has raised the price of its bid. */
  add(bill: Bill, { booking, ownNanos, released }: Written): void {
    const [count, bid] = booking === true ? [1, bill.bidNanos] : [0, 0];
    this.#add(bill, { count, nanos: BigInt(ownNanos), bid: BigInt(bid), held: -BigInt(released) });
  }

  /** A bid weighs that is not booked. */
  hold(held: Held): void {
    this.#add(held, { count: 0, nanos: 0n, bid: 0n, held: BigInt(held.bidNanos) });
  }

  #add(of: Of, amounts: Amounts): void {
    if (this.#since === null) return;
    this.#since.add(of, amounts);
    // The reader has gone away. When it comes back, it gets everything.
    if (this.#since.size > MAX_CHANGES) this.#since = null;
  }

  /** The next batch; the last one again if the reader has not taken it. */
  take(ack: Ack | null): Batch {
    const taken = ack?.instance === this.#instance ? ack.batch : Number.NaN;
    if (this.#since !== null && taken === this.#batch) {
      this.#sent = this.#since.text();
      this.#since = new Lines();
      this.#batch++;
      return this.#answer(this.#sent, false);
    }
    if (this.#since !== null && this.#sent !== null && taken === this.#batch - 1) {
      return this.#answer(this.#sent, false);
    }
    const lines = new Lines();
    const start = (issued: number) => issued - (issued % QUARTER_SECONDS);
    for (const { period, count, ownNanos: nanos, bidNanos: bid = 0n, ...of } of this.#all()) {
      lines.add({ ...of, issued: period * QUARTER_SECONDS }, { count, nanos, bid, held: 0n });
    }
    for (const { issued, bidNanos, ...of } of this.#held()) {
      lines.add({ ...of, issued: start(issued) }, { count: 0, nanos: 0n, bid: 0n, held: BigInt(bidNanos) });
    }
    [this.#since, this.#sent] = [new Lines(), null];
    this.#batch++;
    return this.#answer(lines.text(), true);
  }

  #answer(rows: string, whole: boolean): Batch {
    return { instance: this.#instance, batch: this.#batch, whole, rows };
  }
}

/** The lines of a batch: one for each campaign, currency, SSP and time. */
class Lines {
  readonly #held = new Map<string, Of & Amounts>();

  get size(): number {
    return this.#held.size;
  }

  add({ campaign, ssp, issued, ownCur }: Of, amounts: Amounts): void {
    const key = `${campaign} ${ssp} ${issued} ${ownCur}`;
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#held.set(key, { campaign, ssp, issued, ownCur, ...amounts });
      return;
    }
    held.count += amounts.count;
    held.nanos += amounts.nanos;
    held.bid += amounts.bid;
    held.held += amounts.held;
  }

  text(): string {
    const line = ({ campaign, ssp, issued, count, nanos, bid, held, ownCur }: Of & Amounts) =>
      `${campaign} ${ssp} ${issued} ${count} ${nanos} ${bid} ${held} ${ownCur}\n`;
    return Array.from(this.#held.values(), line).join("");
  }
}
