//! A dull ledger in memory to compare the ledger with.

import type { Bill, Booking, Query } from "../../../shared/ledger/rows.ts";
import type { Counted } from "./groups.ts";

/** Books into a map by bid. Adds up days with its own arithmetic on time zones. */
export class Twin {
  readonly #bills = new Map<string, Bill>();
  /** The highest price that the exchange's server has told for a bid that a page billed, in the campaign's currency. */
  readonly #told = new Map<string, number>();
  /** How many rows were written: the first bill of a bid, each price that replaces one, and each that a server told. */
  written = 0;

  book(bill: Bill): Booking {
    const { bid, cur, nanos, usdNanos, isAssumed } = bill;
    const before = this.#bills.get(bid);
    this.written += before ? 0 : 1;
    if (!before) {
      this.#bills.set(bid, bill);
      return true;
    }
    const [was, is] = before.cur === cur ? [before.nanos, nanos] : [before.ownNanos, bill.ownNanos];
    const more = certaintyOf(bill) - (this.#told.has(bid) ? 2 : certaintyOf(before));
    if (more < 0 || (more === 0 && is <= was)) return is < was && "lower";
    const ownNanos = more > 0 ? bill.ownNanos : Math.max(bill.ownNanos, before.ownNanos);
    if (before.notice === "imp" && certaintyOf(bill) === 2 && ownNanos > (this.#told.get(bid) ?? -1)) {
      this.#told.set(bid, ownNanos);
      this.written += 1;
    }
    this.#bills.set(bid, { ...before, cur, nanos, usdNanos, ownNanos, isAssumed });
    this.written += 1;
    return is > was ? "raised" : is < was && "lowered";
  }

  /** The bills by day and campaign: nanos and USD nanos, and how many there are with and without an assumed price. */
  sums({ from, to }: Query, zoneOf: (campaign: string) => string): Record<string, Bills> {
    const sums: Record<string, Bills> = {};
    for (const { quarter, campaign, isAssumed, ownNanos, usdNanos } of this.#bills.values()) {
      const day = dayIn(quarter, zoneOf(campaign));
      if (day < from || day > to) continue;
      const key = `${day} c-${campaign}`;
      const sum = sums[key] ?? { nanos: 0n, usdNanos: 0n };
      const detail = isAssumed ? "assumed" : "";
      const amounts = { nanos: sum.nanos + BigInt(ownNanos), usdNanos: sum.usdNanos + BigInt(usdNanos) };
      sums[key] = { ...sum, ...amounts, [detail]: (sum[detail] ?? 0) + 1 };
    }
    return sums;
  }
}

/** Of a price: assumed, shown by a page, told by the exchange's server. */
function certaintyOf({ isAssumed, notice }: Bill): number {
  return isAssumed ? 0 : notice === "imp" ? 1 : 2;
}

interface Bills {
  nanos: bigint;
  usdNanos: bigint;
  assumed?: number;
  ""?: number;
}

/** The report's bills in the form of {@link Twin.sums}. */
export function sumsOf(totals: Counted[]): Record<string, Bills> {
  const bills = totals.filter(({ kind }) => kind === "bill");
  const groups = Map.groupBy(bills, ({ day, campaign }) => `${day} ${campaign}`);
  const of = (bills: Counted[]) =>
    bills.map(({ detail, count, nanos, usdNanos }) => ({ nanos, usdNanos, [detail]: count }));
  return Object.fromEntries([...groups].map(([key, bills]) => [key, Object.assign({}, ...of(bills))]));
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
