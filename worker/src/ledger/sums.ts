//! Sums of money and events in memory. They are exact, because they are no doubles.

import type { Bill, Count, Total } from "./rows.ts";

/** Everything that separates sums. `P` is a quarter or a day. */
interface Key<P extends number | string> {
  period: P;
  campaign: string;
  ssp: string;
  creative: string;
  kind: Total["kind"];
  detail: string;
  /** The currency of the prices. */
  cur: string;
  /** The campaign's currency; empty if the events cost nothing. */
  ownCur: string;
}

interface Amounts {
  count: number;
  /** Billionths of `cur`. */
  nanos: bigint;
  usdNanos: bigint;
  /** Billionths of `ownCur`. */
  ownNanos: bigint;
  /** What was bid for bills, in the same unit. The summary does not keep it. */
  bidNanos?: bigint;
}

export interface Sum<P extends number | string> extends Key<P>, Amounts {}

/** What a sum needs of a bill. */
export type Booked = Omit<Bill, "bid" | "issued" | "notice">;

export function sumOfBill(bill: Booked): Sum<number> {
  const { quarter: period, campaign, ssp, creative, cur, ownCur } = bill;
  const detail = bill.isAssumed ? "assumed" : "";
  const amounts = { nanos: BigInt(bill.nanos), usdNanos: BigInt(bill.usdNanos), ownNanos: BigInt(bill.ownNanos) };
  const bidNanos = BigInt(bill.bidNanos);
  return { period, campaign, ssp, creative, kind: "bill", detail, cur, ownCur, count: 1, ...amounts, bidNanos };
}

export function sumOfCount({ quarter: period, campaign, ssp, creative, kind, detail, count }: Count): Sum<number> {
  const nothing = { cur: "", ownCur: "", nanos: 0n, usdNanos: 0n, ownNanos: 0n };
  return { period, campaign, ssp, creative, kind, detail, count, ...nothing };
}

/** What takes a sum away from {@link Sums}. */
export function negative<P extends number | string>(sum: Sum<P>): Sum<P> {
  const { count, nanos, usdNanos, ownNanos, bidNanos = 0n } = sum;
  return { ...sum, count: -count, nanos: -nanos, usdNanos: -usdNanos, ownNanos: -ownNanos, bidNanos: -bidNanos };
}

/** One sum for each key. */
export class Sums<P extends number | string> {
  /** By the key as JSON, because an object with all these texts would take more memory. */
  readonly #held = new Map<string, Amounts>();

  add({ period, campaign, ssp, creative, kind, detail, cur, ownCur, ...amounts }: Sum<P>): void {
    const key = JSON.stringify([period, campaign, ssp, creative, kind, detail, cur, ownCur]);
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#held.set(key, amounts);
      return;
    }
    held.count += amounts.count;
    held.nanos += amounts.nanos;
    held.usdNanos += amounts.usdNanos;
    held.ownNanos += amounts.ownNanos;
    held.bidNanos = (held.bidNanos ?? 0n) + (amounts.bidNanos ?? 0n);
    if (held.count === 0) this.#held.delete(key);
  }

  get size(): number {
    return this.#held.size;
  }

  *all(): Generator<Sum<P>> {
    for (const [key, amounts] of this.#held) {
      const [period, campaign, ssp, creative, kind, detail, cur, ownCur] = JSON.parse(key);
      yield { period, campaign, ssp, creative, kind, detail, cur, ownCur, ...amounts };
    }
  }
}
