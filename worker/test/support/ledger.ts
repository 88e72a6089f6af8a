//! Objects and bills for the tests of the ledger.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Bill, Booking, Names, Query, Total } from "../../../shared/ledger/rows.ts";
import { LEDGER_SHARDS } from "../../../shared/limits.ts";
import { totals as read } from "../../src/ledger/report.ts";
import { type LedgerStub, ledgerAt, quarterAt, shardOf } from "../../src/ledger/shards.ts";
import { type Counted, countedIn } from "./groups.ts";

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
export function numberOf(bid: string): number {
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

/** Where a bill is booked. */
export const shardOfBill = ({ quarter, bid }: Bill) => shardOf(quarter, numberOf(bid));
/** Books a bill in its shard, and tells what it has changed. */
export const book = (bill: Bill) => bookIn(ledgerAt(env, shardOfBill(bill)), bill);

/** Books a bill in an object, and tells what it has changed. */
export async function bookIn(ledger: LedgerStub, bill: Bill): Promise<Booking> {
  return (await ledger.book(bill)).booking;
}

export function namesOf(campaign: string, zone = "", more: Partial<Names> = {}): Names {
  const [creative, ssp] = [hash(11), hash(21)];
  return { campaign, cid: `c-${campaign}`, creative, crid: "banner", ssp, sspId: "demo", cur: "EUR", zone, ...more };
}

export const ALL_BY: Query["by"] = ["day", "campaign", "ssp", "creative"];
/** The day of the bills. */
export const DAY: Query = { from: "2094-03-14", to: "2094-03-14", by: ALL_BY };

let objects = 0;

/** An object of the day that no other test uses. The shard of a bill does not matter to the object. */
export function newLedger(): LedgerStub {
  return ledgerAt(env, `2094-03-14/${90 + objects++}`);
}

/** Hands bills to an object at once. Returns its answers; an error is the answer too. */
export function bookAll(stub: LedgerStub, bills: Bill[]): Promise<unknown[]> {
  return runInDurableObject(stub, (instance) =>
    Promise.all(
      bills.map((bill) =>
        instance.book(bill).then(
          ({ booking }) => booking,
          (error: unknown) => error,
        ),
      ),
    ),
  );
}

/**
 * The tests' environment, in which only these objects of the ledger are asked. To start a hundred empty objects would
 * take a second for each report.
 */
export function withOnly(shards: readonly string[]): Env {
  const getByName = (shard: string) =>
    shards.includes(shard) ? env.LEDGER.getByName(shard) : { report: async (): Promise<Total[]> => [] };
  return { ...env, LEDGER: { getByName } as unknown as Env["LEDGER"] };
}

/** The whole report, read to its end: sorted, with an entry for each kind and detail. */
export async function totals(env: Env, query: Query, now: number): Promise<{ totals: Counted[]; missing: string[] }> {
  const { days, missing } = await read(env, query, now);
  const totals: Counted[] = [];
  for await (const groups of days) totals.push(...groups.flatMap(countedIn));
  const keyOf = ({ nanos, usdNanos, count, ...key }: Counted) => JSON.stringify(Object.values(key));
  return { totals: totals.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)), missing };
}
