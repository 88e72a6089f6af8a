//! One object of the ledger books each bid once, as one row, many bills in one transaction. Its sums are exact, and a
//! restart does not change them.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Bill } from "../../../shared/ledger/rows.ts";
import { ledgerAt } from "../../src/ledger/shards.ts";
import { Tables } from "../../src/ledger/tables.ts";
import { at } from "../support/clock.ts";
import { bidId, billOf, bookAll, bookIn, DAY, hash, newLedger } from "../support/ledger.ts";
import { sql } from "../support/objects.ts";

beforeEach(() => {
  at("2094-03-14T11:00:00");
});

it.each(["bill", "imp", "win"] as const)("a bid is booked once, if %s comes first", async (first) => {
  const stub = newLedger();
  const notices: Bill["notice"][] = ["bill", "imp", "win"];
  expect(await bookIn(stub, billOf(1, { notice: first }))).toBe(true);
  // Some in the same transaction, some later, some after the object has been in memory.
  expect(await Promise.all(notices.map((notice) => bookIn(stub, billOf(1, { notice }))))).toEqual([
    false,
    false,
    false,
  ]);
  await evictDurableObject(stub);
  for (const notice of notices) expect(await bookIn(stub, billOf(1, { notice, nanos: 9, ownNanos: 9 }))).toBe("lower");
  expect(await stub.report(DAY)).toMatchObject([{ kind: "bill", count: 1, nanos: 1_111_111n, cur: "EUR" }]);
  expect((await stub.why(bidId(1))).booked).toEqual({ notice: first, quarter: billOf(1).quarter });
});

it("a later and higher price raises the booking, and a lower one changes nothing", async () => {
  const stub = newLedger();
  const book = (nanos: number) =>
    bookIn(stub, billOf(1, { nanos, usdNanos: nanos, ownNanos: nanos, isAssumed: nanos === 9 }));
  expect([await book(5), await book(4), await book(5), await book(7), await book(6)]).toEqual([
    ...[true, "lower", false, "raised", "lower"],
  ]);
  // These are in one transaction. A price that is only assumed raises none that was told.
  expect(await Promise.all([book(9), book(8), book(9)])).toEqual([false, "raised", false]);
  const sum = { kind: "bill", count: 1, nanos: 8n, usdNanos: 8n, detail: "" };
  expect(await stub.report(DAY)).toMatchObject([sum]);
  await evictDurableObject(stub);
  expect(await stub.report(DAY)).toMatchObject([sum]);
});

it.each([
  ["an assumed price", "imp", true, 5],
  ["a price of the page", "imp", false, 5],
  ["a missing price", "bill", true, 5],
] as const)("%s yields to the lower price of the server, in each order", async (_, notice, isAssumed, most) => {
  const bills = [
    billOf(1, { notice, isAssumed, nanos: most, usdNanos: most, ownNanos: most }),
    billOf(1, { nanos: 2, usdNanos: 2, ownNanos: 2 }),
    billOf(1, { notice: "imp", isAssumed: true, nanos: most, usdNanos: most, ownNanos: most }),
  ];
  for (const order of [bills, bills.toReversed()]) {
    const stub = newLedger();
    for (const bill of order) await stub.book(bill);
    const sum = { kind: "bill", count: 1, nanos: 2n, usdNanos: 2n, detail: "" };
    expect(await stub.report(DAY)).toEqual([expect.objectContaining(sum)]);
    await evictDurableObject(stub);
    expect(await stub.report(DAY)).toEqual([expect.objectContaining(sum)]);
    expect(await stub.book(bills[0] as Bill)).toMatchObject({ now: { nanos: 2 } });
  }
});

it("the price of a win counts for the page's bill, before and after a restart, and books nothing alone", async () => {
  const win = billOf(1, { notice: "win", nanos: 2, usdNanos: 2, ownNanos: 2 });
  const page = billOf(1, { notice: "imp", isAssumed: true, nanos: 5, usdNanos: 5, ownNanos: 5 });
  const stub = newLedger();
  expect(await stub.price(win)).toEqual({ booking: false, now: null });
  expect(await stub.report(DAY)).toEqual([]);
  await evictDurableObject(stub);
  expect(await stub.book(page)).toEqual({ booking: true, now: { notice: "imp", cur: "USD", nanos: 2 } });
  const other = newLedger();
  await other.book(page);
  expect(await other.price(win)).toEqual({ booking: "lowered", now: { notice: "imp", cur: "USD", nanos: 2 } });
  for (const ledger of [stub, other]) {
    expect(await ledger.report(DAY)).toEqual([expect.objectContaining({ count: 1, nanos: 2n, detail: "" })]);
  }
});

it("an encoded price belongs to the first bid that shows it, and is forgotten long after", async () => {
  const stub = ledgerAt(env, "sealed/07");
  const claims = async () => [await stub.claim("a1", bidId(1)), await stub.claim("a1", bidId(2))];
  expect([await claims(), await claims()]).toEqual(Array(2).fill([true, false]));
  at("2094-04-12T11:00:00");
  expect(await stub.claim("a2", bidId(2))).toBe(true);
  expect(await claims()).toEqual([true, false]);
  at("2094-04-14T11:00:00");
  await stub.claim("a3", bidId(3));
  expect(await sql(stub, "SELECT hex(price) FROM sealed")).toEqual([["A2"], ["A3"]]);
});

it("a bill is one row, whatever its sum, and a duplicate in the same transaction or later is none", async () => {
  const stub = newLedger();
  const bills = Array.from({ length: 1000 }, (_, n) => billOf(n, { campaign: hash(n % 50) }));
  const answers = await bookAll(stub, [...bills, ...bills]);
  expect(answers).toEqual([...Array(1000).fill(true), ...Array(1000).fill(false)]);
  expect(await stub.rowsWritten()).toBe(1000);
  expect((await stub.report(DAY))?.map(({ count }) => count)).toEqual(Array(50).fill(20));
  expect(await bookAll(stub, bills)).toEqual(Array(1000).fill(false));
  expect(await stub.rowsWritten()).toBe(1000);
});

it("50 callers in turn share transactions", async () => {
  const stub = newLedger();
  const commits = vi.spyOn(Tables.prototype, "book");
  let next = 0;
  await Promise.all(
    Array.from({ length: 50 }, async (_, caller) => {
      while (next < 1000) await stub.book(billOf(next++, { campaign: hash(caller) }));
    }),
  );
  expect(next / commits.mock.calls.length).toBeGreaterThan(5);
  expect(await stub.rowsWritten()).toBe(next);
});

it("sums over 2^63 are exact, also after a restart", async () => {
  const stub = newLedger();
  const most = Number.MAX_SAFE_INTEGER;
  const bills = Array.from({ length: 1500 }, (_, n) =>
    billOf(n, { nanos: most - n, usdNanos: most - 2 * n, ownNanos: most - 3 * n }),
  );
  await bookAll(stub, bills);
  const [all, steps] = [1500n * BigInt(most), BigInt((1499 * 1500) / 2)];
  expect(all).toBeGreaterThan(1n << 63n);
  const expected = [{ count: 1500, nanos: all - 3n * steps, usdNanos: all - 2n * steps }];
  expect(await stub.report(DAY)).toMatchObject(expected);
  await evictDurableObject(stub);
  expect(await stub.report(DAY)).toMatchObject(expected);
  // The report has no sum in the currency of the prices, but the summary gets it.
  const sums = await runInDurableObject(stub, (_, { storage }) => [...new Tables(storage).sums()]);
  expect(sums).toMatchObject([{ nanos: all - steps, usdNanos: all - 2n * steps, ownNanos: all - 3n * steps }]);
});

it("if an object dies while it books, its answers are booked, and its sums are those of its rows", async () => {
  const { name = "" } = newLedger();
  const stub = () => ledgerAt(env, name);
  const bills = Array.from({ length: 300 }, (_, n) => billOf(n, { campaign: hash(n % 7), ownNanos: n }));
  /** Sends all bills, this many at a time. Returns the bids that were answered. */
  const send = async (width: number) => {
    const answered: string[] = [];
    let next = 0;
    const caller = async () => {
      for (let bill = bills[next++]; bill !== undefined; bill = bills[next++]) {
        await stub().book(bill);
        answered.push(bill.bid);
      }
    };
    await Promise.allSettled(Array.from({ length: width }, caller));
    return answered;
  };
  const dying = send(20);
  await stub().book(billOf(1000));
  await runInDurableObject(stub(), (_, state) => state.abort("killed")).catch(() => {});
  const answered = await dying;
  expect(answered.length).toBeLessThan(bills.length);
  for (const bid of answered) expect((await stub().why(bid)).booked).not.toBeNull();
  const rows = await sql(stub(), "SELECT count(*), sum(own_nanos) FROM seen GROUP BY campaign");
  const sums = (await stub().report(DAY))?.map(({ count, nanos }) => [count, Number(nanos)]);
  expect(sums).toEqual(rows);
  // All are sent again, and each is booked once.
  await send(50);
  const counts = (await stub().report(DAY))?.map(({ count }) => count);
  expect(counts?.reduce((sum, count) => sum + count)).toBe(bills.length + 1);
});

it("if a transaction fails, every waiting bill fails and none is booked", async () => {
  const stub = newLedger();
  await stub.book(billOf(0));
  await sql(
    stub,
    `CREATE TRIGGER full BEFORE INSERT ON seen WHEN NEW.campaign = '${hash(2)}' BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  const bills = [billOf(1), billOf(2), billOf(3, { campaign: hash(2) }), billOf(4)];
  expect((await bookAll(stub, bills)).map(String)).toEqual(Array(4).fill(expect.stringContaining("full")));
  expect(await stub.report(DAY)).toMatchObject([{ count: 1 }]);
  await evictDurableObject(stub);
  expect(await stub.report(DAY)).toMatchObject([{ count: 1 }]);
  await sql(stub, "DROP TRIGGER full");
  expect(await bookAll(stub, bills)).toEqual(Array(4).fill(true));
  expect((await stub.report(DAY))?.map(({ count }) => count)).toEqual([4, 1]);
});

it.each<[string, Partial<Bill>]>([
  ["is not of this day", { quarter: billOf(0).quarter + 96 }],
  ["has a negative price", { nanos: -1 }],
  ["has half a nano", { ownNanos: 0.5 }],
  ["has an inexact price", { usdNanos: 2 ** 53 }],
  ["has no price", { nanos: Number.NaN }],
  ["has a bid id of letters", { bid: "xyz" }],
  ["has a long bid id", { bid: `${bidId(1)}00` }],
])("a bill that %s fails alone", async (_, bad) => {
  const stub = newLedger();
  expect(await bookAll(stub, [billOf(1, bad), billOf(2)])).toEqual([expect.any(Error), true]);
  expect(await stub.report(DAY)).toMatchObject([{ count: 1 }]);
});
