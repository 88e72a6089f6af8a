//! One object of the ledger books each bid once, as one row, many bills in one transaction. Its sums are exact, and a
//! restart does not change them.

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { ledgerAt, placeOf } from "../../src/ledger/places.ts";
import type { Bill } from "../../src/ledger/rows.ts";
import { Tables } from "../../src/ledger/tables.ts";
import { at } from "../support/clock.ts";
import { ALL_BY, bidId, billOf, hash } from "../support/ledger.ts";

const DAY = { from: "2094-03-14", to: "2094-03-14", by: ALL_BY };

let objects = 0;

/** An object that no other test uses. The place of a bill does not matter to the object. */
function ledger() {
  return ledgerAt(env, `2094-03-14/${90 + objects++}`);
}

beforeEach(() => {
  at("2094-03-14T11:00:00");
});

it.each(["bill", "imp", "win"] as const)("a bid is booked once, if %s comes first", async (first) => {
  const stub = ledger();
  const notices: Bill["notice"][] = ["bill", "imp", "win"];
  expect(await stub.book(billOf(1, { notice: first }))).toBe(true);
  // Some in the same transaction, some later, some after the object has been in memory.
  expect(await Promise.all(notices.map((notice) => stub.book(billOf(1, { notice }))))).toEqual([false, false, false]);
  await evictDurableObject(stub);
  for (const notice of notices) expect(await stub.book(billOf(1, { notice, nanos: 9, ownNanos: 9 }))).toBe("lower");
  expect(await stub.report(DAY)).toMatchObject([{ kind: "bill", count: 1, nanos: 1_111_111n, cur: "EUR" }]);
  expect((await stub.why(bidId(1))).booked).toEqual({ notice: first, quarter: billOf(1).quarter });
});

it("a later and higher price raises the booking, and a lower one changes nothing", async () => {
  const stub = ledger();
  const book = (nanos: number) =>
    stub.book(billOf(1, { nanos, usdNanos: nanos, ownNanos: nanos, isAssumed: nanos === 9 }));
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

it("of equal bids in one transaction, one is booked", async () => {
  const stub = ledger();
  const answers = await Promise.all(Array.from({ length: 20 }, () => stub.book(billOf(1))));
  expect(answers.filter((booked) => booked)).toHaveLength(1);
});

it("a bill is one row, whatever its sum, and a duplicate is none", async () => {
  const stub = ledger();
  const bills = Array.from({ length: 1000 }, (_, n) => billOf(n, { campaign: hash(n % 50) }));
  const all = () => runInDurableObject(stub, (instance) => Promise.all(bills.map((bill) => instance.book(bill))));
  expect((await all()).every((booked) => booked)).toBe(true);
  expect(await stub.rowsWritten()).toBe(1000);
  expect((await stub.report(DAY)).map(({ count }) => count)).toEqual(Array(50).fill(20));
  expect((await all()).some((booked) => booked)).toBe(false);
  expect(await stub.rowsWritten()).toBe(1000);
});

it("50 callers in turn share transactions", async () => {
  const stub = ledger();
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
  const stub = ledger();
  const most = Number.MAX_SAFE_INTEGER;
  const bills = Array.from({ length: 1500 }, (_, n) =>
    billOf(n, { nanos: most - n, usdNanos: most - 2 * n, ownNanos: most - 3 * n }),
  );
  await runInDurableObject(stub, (instance) => Promise.all(bills.map((bill) => instance.book(bill))));
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
  const name = `2094-03-14/${90 + objects++}`;
  const bills = Array.from({ length: 300 }, (_, n) => billOf(n, { campaign: hash(n % 7), ownNanos: n }));
  const reported = async () => (await ledgerAt(env, name).report(DAY)).map(({ count, nanos }) => [count, nanos]);
  const send = async (width: number) => {
    const answered: Bill[] = [];
    let next = 0;
    const caller = async () => {
      for (let bill = bills[next++]; bill !== undefined; bill = bills[next++]) {
        await ledgerAt(env, name).book(bill);
        answered.push(bill);
      }
    };
    await Promise.allSettled(Array.from({ length: width }, caller));
    return answered;
  };
  const dying = send(20);
  await ledgerAt(env, name).book(billOf(1000));
  await runInDurableObject(ledgerAt(env, name), (_, state) => state.abort("killed")).catch(() => {});
  const answered = await dying;
  expect(answered.length).toBeLessThan(bills.length);
  for (const { bid } of answered) expect((await ledgerAt(env, name).why(bid)).booked).not.toBeNull();
  const rows = await runInDurableObject(ledgerAt(env, name), (_, { storage }) => [
    ...storage.sql.exec("SELECT count(*), sum(own_nanos) FROM seen GROUP BY campaign").raw<[number, number]>(),
  ]);
  expect(await reported()).toEqual(rows.map(([count, nanos]) => [count, BigInt(nanos)]));
  // All are sent again, and each is booked once.
  await send(50);
  const counts = (await reported()).map(([count]) => Number(count));
  expect(counts.reduce((sum, count) => sum + count)).toBe(bills.length + 1);
});

it("if a transaction fails, every waiting bill fails and none is booked", async () => {
  const stub = ledger();
  await stub.book(billOf(0));
  const sql = (statement: string) => runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(statement));
  await sql(
    `CREATE TRIGGER full BEFORE INSERT ON seen WHEN NEW.campaign = '${hash(2)}' BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  const bills = [billOf(1), billOf(2), billOf(3, { campaign: hash(2) }), billOf(4)];
  const all = () =>
    runInDurableObject(stub, (instance) => Promise.allSettled(bills.map((bill) => instance.book(bill))));
  const failed = await all();
  expect(failed.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  expect(String((failed[0] as PromiseRejectedResult).reason)).toContain("full");
  expect(await stub.report(DAY)).toMatchObject([{ count: 1 }]);
  await evictDurableObject(stub);
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

it("a bid is booked where its token says", () => {
  expect(placeOf(billOf(0).quarter, 7)).toBe("2094-03-14/07");
});
