//! One object of the ledger books each bid once, many bills in one transaction, and exact sums.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ledgerAt, placeOf } from "../../src/ledger/places.ts";
import type { Bill } from "../../src/ledger/rows.ts";
import { ALL_BY, at, bidId, billOf, hash } from "../support/ledger.ts";

const DAY = { from: "2027-03-14", to: "2027-03-14", by: ALL_BY };

let objects = 0;

/** An object that no other test uses. The place of a bill does not matter to the object. */
function ledger() {
  return ledgerAt(env, `2027-03-14/${90 + objects++}`);
}

beforeEach(() => {
  at("2027-03-14T11:00:00");
});

afterEach(() => {
  vi.restoreAllMocks();
});

it.each(["bill", "imp", "win"] as const)("a bid is booked once, if %s comes first", async (first) => {
  const stub = ledger();
  const notices: Bill["notice"][] = ["bill", "imp", "win"];
  expect(await stub.book(billOf(1, { notice: first }))).toBe(true);
  // Some in the same transaction, some later, some after the object has been in memory.
  expect(await Promise.all(notices.map((notice) => stub.book(billOf(1, { notice }))))).toEqual([false, false, false]);
  await evictDurableObject(stub);
  for (const notice of notices) expect(await stub.book(billOf(1, { notice, nanos: 9, ownNanos: 9 }))).toBe(false);
  expect(await stub.report(DAY)).toMatchObject([{ kind: "bill", count: 1, nanos: 1_111_111n, cur: "EUR" }]);
  expect((await stub.why(bidId(1))).booked).toEqual({ notice: first, quarter: billOf(1).quarter });
});

it("of equal bids in one transaction, one is booked", async () => {
  const stub = ledger();
  const answers = await Promise.all(Array.from({ length: 20 }, () => stub.book(billOf(1))));
  expect(answers.filter((booked) => booked)).toHaveLength(1);
});

it("1,000 bills at once write at most 1.05 rows each: one row for each sum and transaction", async () => {
  const stub = ledger();
  const bills = Array.from({ length: 1000 }, (_, n) => billOf(n, { campaign: hash(n % 5) }));
  const booked = await runInDurableObject(stub, (instance) => Promise.all(bills.map((bill) => instance.book(bill))));
  expect(booked.every((is) => is)).toBe(true);
  expect(await stub.rowsWritten()).toBe(1000 + 5);
  expect((await stub.report(DAY)).map(({ count }) => count)).toEqual([200, 200, 200, 200, 200]);
  // All again: duplicates write nothing.
  await runInDurableObject(stub, (instance) => Promise.all(bills.map((bill) => instance.book(bill))));
  expect(await stub.rowsWritten()).toBe(1005);
});

it("50 callers in turn share transactions", async () => {
  const stub = ledger();
  let next = 0;
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (next < 1000) await stub.book(billOf(next++));
    }),
  );
  expect((await stub.rowsWritten()) / next).toBeLessThanOrEqual(1.05);
  expect(await stub.report(DAY)).toMatchObject([{ count: next }]);
});

it("sums over 2^53 are exact, also after a restart", async () => {
  const stub = ledger();
  const most = Number.MAX_SAFE_INTEGER;
  for (let n = 0; n < 5; n++) await stub.book(billOf(n, { nanos: most, usdNanos: most - n, ownNanos: most }));
  await evictDurableObject(stub);
  await stub.book(billOf(5, { nanos: 1, usdNanos: 1, ownNanos: 1 }));
  const sum = 5n * BigInt(most) + 1n;
  expect(await stub.report(DAY)).toMatchObject([{ count: 6, nanos: sum, usdNanos: sum - 10n }]);
});

it("a sum over 2^63 books nothing and rounds nothing", async () => {
  const stub = ledger();
  const most = Number.MAX_SAFE_INTEGER;
  const bills = Array.from({ length: 1000 }, (_, n) => billOf(n, { nanos: most, usdNanos: most, ownNanos: most }));
  const all = () =>
    runInDurableObject(stub, (instance) =>
      Promise.allSettled(bills.map((bill, n) => instance.book({ ...bill, bid: bidId(count + n) }))),
    );
  let count = 0;
  expect(new Set((await all()).map(({ status }) => status))).toEqual(new Set(["fulfilled"]));
  count = 1000;
  expect(new Set((await all()).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(await stub.report(DAY)).toMatchObject([{ count: 1000, nanos: 1000n * BigInt(most) }]);
  expect((await stub.why(bidId(1000))).booked).toBeNull();
});

it("if a transaction fails, every waiting bill fails and none is booked", async () => {
  const stub = ledger();
  await stub.book(billOf(0));
  const sql = (statement: string) => runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(statement));
  await sql(
    `CREATE TRIGGER full BEFORE INSERT ON sums WHEN NEW.campaign = '${hash(2)}' BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  const bills = [billOf(1), billOf(2), billOf(3, { campaign: hash(2) }), billOf(4)];
  const all = () =>
    runInDurableObject(stub, (instance) => Promise.allSettled(bills.map((bill) => instance.book(bill))));
  const failed = await all();
  expect(failed.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  expect(String((failed[0] as PromiseRejectedResult).reason)).toContain("full");
  expect(await stub.report(DAY)).toMatchObject([{ count: 1 }]);
  await sql("DROP TRIGGER full");
  expect(await all()).toEqual(Array(4).fill({ status: "fulfilled", value: true }));
  expect((await stub.report(DAY)).map(({ count }) => count)).toEqual([4, 1]);
});

it("a bill that is not of this day, or whose price is none, fails alone", async () => {
  const stub = ledger();
  const bad: Partial<Bill>[] = [
    { quarter: billOf(0).quarter + 96 },
    { nanos: -1 },
    { ownNanos: 0.5 },
    { usdNanos: 2 ** 53 },
    { nanos: Number.NaN },
    { bid: "xyz" },
    { bid: `${bidId(1)}00` },
  ];
  const answers = await runInDurableObject(stub, (instance) =>
    Promise.allSettled([...bad.map((more) => instance.book(billOf(1, more))), instance.book(billOf(2))]),
  );
  expect(answers.map(({ status }) => status)).toEqual([...bad.map(() => "rejected"), "fulfilled"]);
  expect(await stub.report(DAY)).toMatchObject([{ count: 1 }]);
});

it("the bids of an isolate spread evenly over the shards", () => {
  const { quarter } = billOf(0);
  const places = Array.from({ length: 320 }, (_, n) => placeOf(quarter, bidId(12_345_678_901 + n)));
  const counts = [...Map.groupBy(places, (place) => place).values()].map(({ length }) => length);
  expect(counts).toEqual(Array(32).fill(10));
  expect(placeOf(quarter, "00000000000000070a")).toBe("2027-03-14/07");
});
