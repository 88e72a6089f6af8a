//! Sums of money and events, in memory and in a table of SQLite.
//!
//! SQLite adds 64-bit integers exactly, but JavaScript passes and gets its numbers as doubles. So money goes in and out
//! as text. The table is strict: a sum over 2^63 billionths, 9.2 billion units of a currency, fails and is not rounded.

import type { Bill, Count, Total } from "./rows.ts";

/** A sum with everything that separates it from other sums. `P` is a quarter or a day. */
export interface Sum<P extends number | string> {
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
  count: number;
  /** Billionths of `cur`. */
  nanos: bigint;
  usdNanos: bigint;
  /** Billionths of `ownCur`. */
  ownNanos: bigint;
}

export function sumOfBill(bill: Bill): Sum<number> {
  const { quarter: period, campaign, ssp, creative, cur, ownCur } = bill;
  return {
    ...{
      period,
      campaign,
      ssp,
      creative,
      kind: "bill",
      detail: bill.isAssumed ? "assumed" : "",
      cur,
      ownCur,
      count: 1,
    },
    ...{ nanos: BigInt(bill.nanos), usdNanos: BigInt(bill.usdNanos), ownNanos: BigInt(bill.ownNanos) },
  };
}

export function sumOfCount({ quarter: period, campaign, ssp, creative, kind, detail, count }: Count): Sum<number> {
  const nothing = { cur: "", ownCur: "", nanos: 0n, usdNanos: 0n, ownNanos: 0n };
  return { period, campaign, ssp, creative, kind, detail, count, ...nothing };
}

/** Sums in memory: one for each key. */
export class Sums<P extends number | string> {
  readonly #held = new Map<string, Sum<P>>();

  add(sum: Sum<P>): void {
    const key = JSON.stringify(keyOf(sum));
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#held.set(key, { ...sum });
      return;
    }
    held.count += sum.count;
    held.nanos += sum.nanos;
    held.usdNanos += sum.usdNanos;
    held.ownNanos += sum.ownNanos;
  }

  get size(): number {
    return this.#held.size;
  }

  all(): Sum<P>[] {
    return [...this.#held.values()];
  }
}

function keyOf<P extends number | string>(sum: Sum<P>): (string | number)[] {
  return [sum.period, sum.campaign, sum.ssp, sum.creative, sum.kind, sum.detail, sum.cur, sum.ownCur];
}

/** Sums in a table, by the same key. */
export class SumTable<P extends number | string> {
  readonly #sql: SqlStorage;
  readonly #period: "INTEGER" | "TEXT";

  constructor(sql: SqlStorage, period: P extends number ? "INTEGER" : "TEXT") {
    this.#sql = sql;
    this.#period = period;
  }

  create(): void {
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS sums (period ${this.#period} NOT NULL, campaign TEXT NOT NULL, ssp TEXT NOT NULL,
        creative TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL, cur TEXT NOT NULL, own_cur TEXT NOT NULL,
        count INTEGER NOT NULL, nanos INTEGER NOT NULL, usd_nanos INTEGER NOT NULL, own_nanos INTEGER NOT NULL,
        PRIMARY KEY (period, campaign, ssp, creative, kind, detail, cur, own_cur)) STRICT, WITHOUT ROWID`,
    );
  }

  /** Adds to the sum with the same key. Returns the rows written. Throws a RangeError if it does not fit. */
  add(sum: Sum<P>): number {
    const amounts = [BigInt(sum.count), sum.nanos, sum.usdNanos, sum.ownNanos];
    // A cast of a longer number gives the largest integer, without an error.
    for (const amount of amounts) {
      if (BigInt.asIntN(64, amount) !== amount) throw new RangeError(`a sum of ${amount} has more than 64 bits`);
    }
    const integer = "CAST(? AS INTEGER)";
    return this.#sql.exec(
      `INSERT INTO sums VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${integer}, ${integer}, ${integer}, ${integer})
        ON CONFLICT DO UPDATE SET count = count + excluded.count, nanos = nanos + excluded.nanos,
        usd_nanos = usd_nanos + excluded.usd_nanos, own_nanos = own_nanos + excluded.own_nanos`,
      ...keyOf(sum),
      ...amounts.map(String),
    ).rowsWritten;
  }

  /** The sums of the periods from `from` to `to`. Read them at once: a later write would end the reading. */
  *between(from: P, to: P): Generator<Sum<P>> {
    const rows = this.#sql.exec<Row>(
      `SELECT period, campaign, ssp, creative, kind, detail, cur, own_cur, count, CAST(nanos AS TEXT) AS nanos,
        CAST(usd_nanos AS TEXT) AS usd_nanos, CAST(own_nanos AS TEXT) AS own_nanos FROM sums WHERE period BETWEEN ? AND ?`,
      from,
      to,
    );
    for (const { period, own_cur: ownCur, nanos, usd_nanos, own_nanos, kind, ...row } of rows) {
      const amounts = { nanos: BigInt(nanos), usdNanos: BigInt(usd_nanos), ownNanos: BigInt(own_nanos) };
      yield { ...row, period: period as P, kind: kind as Sum<P>["kind"], ownCur, ...amounts };
    }
  }

  /** The different values of a column in these periods. */
  distinct(column: "campaign" | "ssp" | "creative", from: P, to: P): string[] {
    const query = `SELECT DISTINCT ${column} AS value FROM sums WHERE period BETWEEN ? AND ?`;
    const rows = this.#sql.exec<{ value: string }>(query, from, to).toArray();
    return rows.map(({ value }) => value);
  }
}

interface Row extends Record<string, SqlStorageValue> {
  period: number | string;
  campaign: string;
  ssp: string;
  creative: string;
  kind: string;
  detail: string;
  cur: string;
  own_cur: string;
  count: number;
  nanos: string;
  usd_nanos: string;
  own_nanos: string;
}
