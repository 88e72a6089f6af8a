//! A dull ledger in memory to compare the ledger with.

import type { Bill, Booking, Query, Total } from "../../src/ledger/rows.ts";

/** Books into a map by bid. Adds up days with its own arithmetic on time zones. */
export class Twin {
  readonly #bills = new Map<string, Bill>();
  /** How many rows of bids were written: the first bill of a bid, and each higher price. */
  written = 0;

  book(bill: Bill): Booking {
    const before = this.#bills.get(bill.bid);
    if (before) {
      const [was, is] = before.cur === bill.cur ? [before.nanos, bill.nanos] : [before.ownNanos, bill.ownNanos];
      if (is < was) return "lower";
      if (is === was || (bill.isAssumed && !before.isAssumed)) return false;
    }
    const { cur, nanos, usdNanos, isAssumed } = bill;
    const ownNanos = Math.max(bill.ownNanos, before?.ownNanos ?? 0);
    this.#bills.set(bill.bid, { ...bill, ...before, cur, nanos, usdNanos, ownNanos, isAssumed });
    this.written += 1;
    return before ? "raised" : true;
  }

  /** The bills by day, campaign and whether the price is assumed: count, nanos and USD nanos as text. */
  sums({ from, to }: Query, zoneOf: (campaign: string) => string): Record<string, string> {
    const sums = new Map<string, [bigint, bigint, bigint]>();
    for (const { quarter, campaign, isAssumed, ownNanos, usdNanos } of this.#bills.values()) {
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
