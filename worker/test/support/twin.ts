//! A dull ledger in memory to compare the ledger with.

import type { Bill, Query, Total } from "../../src/ledger/rows.ts";

/** Books into a list, with a set of bids. Adds up days with its own arithmetic on time zones. */
export class Twin {
  readonly #bids = new Set<string>();
  readonly #bills: Bill[] = [];

  book(bill: Bill): boolean {
    if (this.#bids.has(bill.bid)) return false;
    this.#bids.add(bill.bid);
    this.#bills.push(bill);
    return true;
  }

  /** How many bids are booked. */
  get size(): number {
    return this.#bills.length;
  }

  /** The bills by day, campaign and whether the price is assumed: count, nanos and USD nanos as text. */
  sums({ from, to }: Query, zoneOf: (campaign: string) => string): Record<string, string> {
    const sums = new Map<string, [bigint, bigint, bigint]>();
    for (const { quarter, campaign, isAssumed, ownNanos, usdNanos } of this.#bills) {
      const day = dayIn(quarter, zoneOf(campaign));
      if (day < from || day > to) continue;
      const key = `${day} c-${campaign} ${isAssumed ? "assumed" : ""}`;
      const [count, nanos, usd] = sums.get(key) ?? [0n, 0n, 0n];
      sums.set(key, [count + 1n, nanos + BigInt(ownNanos), usd + BigInt(usdNanos)]);
    }
    return Object.fromEntries([...sums].map(([key, amounts]) => [key, amounts.join(" ")]));
  }
}

/** The report's rows of bills in the form of {@link Twin.sums}. */
export function sumsOf(totals: Total[]): Record<string, string> {
  const bills = totals.filter(({ kind }) => kind === "bill");
  return Object.fromEntries(
    bills.map(({ day, campaign, detail, count, nanos, usdNanos }) => [
      `${day} ${campaign} ${detail}`,
      `${count} ${nanos} ${usdNanos}`,
    ]),
  );
}

/** The local day, from the offset that the runtime prints. */
function dayIn(quarter: number, zone: string): string {
  const time = quarter * 900_000;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone || "UTC", timeZoneName: "longOffset" });
  const text = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? [];
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return new Date(time + offset * 60_000).toISOString().slice(0, 10);
}
