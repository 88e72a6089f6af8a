//! Objects and bills for the tests of the ledger, and a dull ledger in memory to compare with.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type LedgerStub, ledgerAt, quarterAt } from "../../src/ledger/places.ts";
import type { Bill, Names, Query, Total } from "../../src/ledger/rows.ts";
import { LEDGER_SHARDS } from "../../src/limits.ts";

/** The number of a quarter from a UTC time such as `2094-03-14T10:00`. */
export function quarterOf(time: string): number {
  return quarterAt(Date.parse(`${time}Z`));
}

/** The hash of a campaign, creative or SSP in these tests. */
export function hash(n: number): string {
  return n.toString(16).padStart(16, "0");
}

/** A bid id. `n` counts up as the ids of an isolate do. */
export function bidId(n: number): string {
  return `${n.toString(16).padStart(16, "0")}00`;
}

/** The shard of a bid, as the module puts it into the token. */
export function shardOf(bid: string): number {
  return Number.parseInt(bid.slice(8, 16), 16) % LEDGER_SHARDS;
}

export function billOf(n: number, more: Partial<Bill> = {}): Bill {
  const { quarter = quarterOf("2094-03-14T10:00") } = more;
  return {
    ...{ bid: bidId(n), quarter, issued: quarter * 900 + (n % 900) },
    ...{ campaign: hash(1), creative: hash(11), ssp: hash(21) },
    ...{ notice: "bill", cur: "USD", nanos: 1_234_567, usdNanos: 1_234_567 },
    ...{ ownCur: "EUR", ownNanos: 1_111_111, bidNanos: 2_222_222, isAssumed: false },
    ...more,
  };
}

export function namesOf(campaign: string, zone = "", more: Partial<Names> = {}): Names {
  const [creative, ssp] = [hash(11), hash(21)];
  return { campaign, cid: `c-${campaign}`, creative, crid: "banner", ssp, sspId: "demo", cur: "EUR", zone, ...more };
}

export const ALL_BY: Query["by"] = ["day", "campaign", "ssp", "creative"];
/** The day of the bills. */
export const DAY: Query = { from: "2094-03-14", to: "2094-03-14", by: ALL_BY };

let objects = 0;

/** An object of the day that no other test uses. The place of a bill does not matter to the object. */
export function newLedger(): LedgerStub {
  return ledgerAt(env, `2094-03-14/${90 + objects++}`);
}

/** Hands bills to an object at once. Returns its answers; an error is the answer too. */
export function bookAll(stub: LedgerStub, bills: Bill[]): Promise<unknown[]> {
  return runInDurableObject(stub, (instance) =>
    Promise.all(bills.map((bill) => instance.book(bill).catch((error: unknown) => error))),
  );
}

/**
 * The tests' environment, in which only these objects of the ledger are asked. To start a hundred empty objects would
 * take a second for each report.
 */
export function withOnly(places: readonly string[]): Env {
  const getByName = (place: string) =>
    places.includes(place) ? env.LEDGER.getByName(place) : { report: async (): Promise<Total[]> => [] };
  return { ...env, LEDGER: { getByName } as unknown as Env["LEDGER"] };
}

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
