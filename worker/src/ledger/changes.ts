//! What an object of the ledger has billed since its reader, the pacer, asked last.
//!
//! Each change reaches the reader exactly once: a batch is sent again until the reader acknowledges it. All of this is
//! in memory only. So a restarted object, or a reader that missed a batch, gets everything instead.

import { MAX_CHANGES } from "../limits.ts";
import type { Bill } from "./rows.ts";
import { QUARTER_SECONDS } from "./rows.ts";
import type { Sum } from "./sums.ts";

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
   * Lines `CAMPAIGN SSP ISSUED COUNT NANOS`: the bills of bids of one second or, if whole, of one quarter. Campaign and
   * SSP are hashes of 16 hex digits, ISSUED is in seconds since the epoch, NANOS is their sum in the campaign's currency.
   */
  rows: string;
}

/** What {@link Changes} needs of a bill. */
type Billed = Pick<Bill, "campaign" | "ssp" | "issued" | "ownNanos">;

export class Changes {
  readonly #instance = crypto.randomUUID();
  readonly #all: () => Iterable<Sum<number>>;
  #batch = 0;
  /** The rows of the last batch, in case they must be sent again; null if that batch was whole. */
  #sent: string | null = null;
  /** The bills since then; null if nothing is kept, because no reader asks. */
  #since: Lines | null = null;

  /** `all`: the sums of all bills. */
  constructor(all: () => Iterable<Sum<number>>) {
    this.#all = all;
  }

  /** A bill was booked. */
  add({ campaign, ssp, issued, ownNanos }: Billed): void {
    if (this.#since === null) return;
    this.#since.add(campaign, ssp, issued, 1, BigInt(ownNanos));
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
    for (const { period, campaign, ssp, count, ownNanos } of this.#all()) {
      lines.add(campaign, ssp, period * QUARTER_SECONDS, count, ownNanos);
    }
    [this.#since, this.#sent] = [new Lines(), null];
    this.#batch++;
    return this.#answer(lines.text(), true);
  }

  #answer(rows: string, whole: boolean): Batch {
    return { instance: this.#instance, batch: this.#batch, whole, rows };
  }
}

/** The lines of a batch: one for each campaign, SSP and time. */
class Lines {
  readonly #held = new Map<string, { count: number; nanos: bigint }>();

  get size(): number {
    return this.#held.size;
  }

  add(campaign: string, ssp: string, issued: number, count: number, nanos: bigint): void {
    const key = `${campaign} ${ssp} ${issued}`;
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#held.set(key, { count, nanos });
      return;
    }
    held.count += count;
    held.nanos += nanos;
  }

  text(): string {
    return Array.from(this.#held, ([key, { count, nanos }]) => `${key} ${count} ${nanos}\n`).join("");
  }
}
