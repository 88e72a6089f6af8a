//! Sums of money and events in memory. They are exact, because they are integers.

import { type Bill, type Count, DIMENSIONS, type Dimension, type Subject, type Total } from "./rows.ts";

/** The sum of some bills or counts. `P` is a quarter or a day. */
export interface Sum<P extends number | string> {
  period: P;
  campaign: string;
  ssp: string;
  creative: string;
  kind: Total["kind"];
  /** As in {@link Total}. A slash and the {@link Subject.arm} follow, if it is not 0. */
  detail: string;
  /** The currency of the prices. */
  cur: string;
  /** The campaign's currency; empty if the events cost nothing. */
  ownCur: string;
  count: number;
  /** Billionths of `cur`. */
  nanos: bigint;
  usdNanos: bigint;
  /** Billionths of `ownCur`. */
  ownNanos: bigint;
  /** The sum of the billed bids' prices, in the same unit. */
  bidNanos?: bigint;
}

/** What the bills of a campaign at an SSP on a local day weigh besides their prices. Billionths of `ownCur`. */
export interface Weights extends Pick<Sum<string>, "period" | "campaign" | "ssp" | "ownCur" | "count"> {
  /** The prices of the billed bids. */
  bidNanos: bigint;
  /** The prices of bids that were probably billed and are not booked. */
  heldNanos: bigint;
}

/** The attributes that separate the sums of the ledger, and the amounts that it adds up. */
export const KEY = ["period", "campaign", "ssp", "creative", "kind", "detail", "cur", "ownCur"] as const;
export const AMOUNTS = ["nanos", "usdNanos", "ownNanos"] as const;

export function newWeights(): Sums<Weights> {
  return new Sums(["period", "campaign", "ssp", "ownCur"], ["bidNanos", "heldNanos"]);
}

/** What a sum needs of a bill. */
export type Summed = Omit<Bill, "bid" | "issued" | "notice">;

/** A bill as a sum. With `times` -1, adding it removes the bill from a sum. */
export function sumOfBill(bill: Summed, times: 1 | -1 = 1): Required<Sum<number>> {
  const { quarter: period, campaign, ssp, creative, cur, ownCur } = bill;
  const detail = detailOf(bill.isAssumed ? "assumed" : "", bill);
  const [nanos, usdNanos] = [BigInt(times * bill.nanos), BigInt(times * bill.usdNanos)];
  const [ownNanos, bidNanos] = [BigInt(times * bill.ownNanos), BigInt(times * bill.bidNanos)];
  const amounts = { count: times, nanos, usdNanos, ownNanos, bidNanos };
  return { period, campaign, ssp, creative, kind: "bill", detail, cur, ownCur, ...amounts };
}

export function sumOfCount({ quarter: period, arm = 0, ...count }: Count): Sum<number> {
  return {
    period,
    ...count,
    detail: detailOf(count.detail, { arm }),
    cur: "",
    ownCur: "",
    nanos: 0n,
    usdNanos: 0n,
    ownNanos: 0n,
  };
}

/** A detail with the version, which few counts have. */
function detailOf(detail: string, { arm }: Pick<Subject, "arm">): string {
  return arm ? `${detail}/${arm}` : detail;
}

/** One sum of rows for each key. */
export class Sums<Row extends { count: number }> {
  readonly #keys: readonly (keyof Row)[];
  readonly #amounts: readonly (keyof Row)[];
  /** By the key as JSON, because objects with all these texts would take more memory. */
  readonly #held = new Map<string, { count: number; amounts: bigint[] }>();

  /** `keys`: the attributes that separate sums. `amounts`: the BigInts that are added up besides the count. */
  constructor(keys: readonly (keyof Row)[], amounts: readonly (keyof Row)[] = []) {
    [this.#keys, this.#amounts] = [keys, amounts];
  }

  get size(): number {
    return this.#held.size;
  }

  /** Adds a row. False if there would be more than `most` sums then. */
  add(row: Row, most = Number.POSITIVE_INFINITY): boolean {
    const key = JSON.stringify(this.#keys.map((name) => row[name]));
    let held = this.#held.get(key);
    if (held === undefined) {
      if (this.#held.size >= most) return false;
      held = { count: 0, amounts: this.#amounts.map(() => 0n) };
      this.#held.set(key, held);
    }
    held.count += row.count;
    for (const [at, name] of this.#amounts.entries())
      held.amounts[at] = (held.amounts[at] ?? 0n) + (row[name] as bigint);
    return true;
  }

  /** The rows, one for each key; only those with such a key, which is JSON. Making a row takes longer than looking. */
  *rows(isWanted: (key: string) => boolean = () => true): Generator<Row> {
    for (const [key, sum] of this.#held) if (isWanted(key)) yield this.#row(key, sum);
  }

  [Symbol.iterator](): Generator<Row> {
    return this.rows();
  }

  /** The rows by the attributes of their keys. */
  sorted(): Row[] {
    const entries = [...this.#held].sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([key, sum]) => this.#row(key, sum));
  }

  #row(key: string, { count, amounts }: { count: number; amounts: bigint[] }): Row {
    const values = [...JSON.parse(key), count, ...amounts];
    return Object.fromEntries([...this.#keys, "count", ...this.#amounts].map((name, at) => [name, values[at]])) as Row;
  }
}

/** The totals of a row of a report, of all kinds. */
export interface Group extends Pick<Total, Dimension | "cur"> {
  /** Numbers of events by kind and detail, such as `loss 102`. */
  counts: Record<string, number>;
  /** The price of its bills in billionths of `cur`, and of a US dollar. */
  nanos: bigint;
  usdNanos: bigint;
}

type Amounts = Pick<Group, "counts" | "nanos" | "usdNanos">;

const GROUP = [...DIMENSIONS, "cur"] as const;

/** Adds up the totals of a report as they arrive. */
export class Groups {
  /** By day, and by key as JSON: a group with all its kinds takes about 400 bytes. */
  readonly #days = new Map<string, Map<string, Amounts>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(totals: Iterable<Total>): void {
    for (const total of totals) {
      const day = this.#days.get(total.day) ?? new Map<string, Amounts>();
      this.#days.set(total.day, day);
      const key = JSON.stringify(GROUP.map((name) => total[name]));
      let group = day.get(key);
      if (group === undefined) {
        group = { counts: {}, nanos: 0n, usdNanos: 0n };
        day.set(key, group);
        this.#size++;
      }
      const name = `${total.kind} ${total.detail}`;
      group.counts[name] = (group.counts[name] ?? 0) + total.count;
      group.nanos += total.nanos;
      group.usdNanos += total.usdNanos;
    }
  }

  /** Takes out the groups of the days until `last`. */
  take(last: string): Group[] {
    const days = [...this.#days].filter(([day]) => day <= last);
    const groups = days.flatMap(([, day]) => Array.from(day, ([key, amounts]) => groupOf(key, amounts)));
    for (const [day] of days) this.#days.delete(day);
    this.#size -= groups.length;
    return groups;
  }
}

function groupOf(key: string, amounts: Amounts): Group {
  const values = JSON.parse(key);
  return { ...amounts, ...Object.fromEntries(GROUP.map((name, at) => [name, values[at]])) } as Group;
}
