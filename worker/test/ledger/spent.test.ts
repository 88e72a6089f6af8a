//! The pacer gets each bill exactly once, although answers get lost and objects restart.

import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { MAX_CHANGES } from "../../../shared/limits.ts";
import { type Ack, type Batch, Changes } from "../../src/ledger/changes.ts";
import { ledgerAt, summaryOf } from "../../src/ledger/shards.ts";
import { at, now } from "../support/clock.ts";
import { bidId, billOf, bookAll, DAY, hash, namesOf, quarterOf, totals, withOnly } from "../support/ledger.ts";
import { sql, tablesOf } from "../support/objects.ts";

const SHARD = "2094-03-14/07";
const stub = () => ledgerAt(env, SHARD);
const ISSUED = quarterOf("2094-03-14T10:00") * 900;
const BOOKED = { booking: true, ownNanos: 3, released: 0 };

beforeEach(async () => {
  await reset();
  at("2094-03-14T11:00:00");
});

/** For each campaign: its bills, what they cost, what was bid for them, and what is held. */
function summed(rows: (string | number | null)[][]): Record<string, string> {
  const sums = new Map<string, bigint[]>();
  for (const [campaign, ...amounts] of rows) {
    const held = sums.get(String(campaign)) ?? [0n, 0n, 0n, 0n];
    const added = held.map((sum, at) => sum + BigInt(amounts[at] ?? 0));
    sums.set(String(campaign), added);
  }
  return Object.fromEntries([...sums].sort().map(([campaign, amounts]) => [campaign, amounts.join(" ")]));
}

/** Adds up batches as the pacer does. */
class Reader {
  ack: Ack | null = null;
  #rows: string[][] = [];

  take({ whole, rows, ...ack }: Batch): void {
    this.ack = ack;
    if (whole) this.#rows = [];
    for (const line of rows.split("\n").filter(Boolean)) {
      const [campaign = "", , , ...amounts] = line.split(" ");
      expect(amounts.pop()).toBe("EUR");
      // The pacer ignores a line with a negative amount, except for what prices have fallen and what is held.
      for (const amount of [amounts[0], amounts[2]]) expect(amount).toMatch(/^\d+$/);
      this.#rows.push([campaign, ...amounts]);
    }
  }

  sums(): Record<string, string> {
    return summed(this.#rows);
  }
}

/** The same sums from the tables. */
async function stored(): Promise<Record<string, string>> {
  if ((await tablesOf(stub())).length === 0) return {};
  const bills = await sql(stub(), "SELECT campaign, 1, own_nanos, bid_nanos, 0 FROM seen");
  return summed([...bills, ...(await sql(stub(), "SELECT campaign, 0, 0, 0, nanos FROM held"))]);
}

const bill = fc
  .record({
    ...{ n: fc.nat({ max: 30 }), nanos: fc.maxSafeNat(), ownNanos: fc.maxSafeNat() },
    ...{ notice: fc.constantFrom("bill" as const, "imp" as const), isAssumed: fc.boolean() },
  })
  .map(({ n, ...prices }) => billOf(n, { campaign: hash(n % 3), ssp: hash(n % 2), ...prices }));

const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(bill, { minLength: 1, maxLength: 5 }) },
  { weight: 3, arbitrary: bill.map((refused) => ({ refused })) },
  { weight: 4, arbitrary: fc.constant("taken" as const) },
  { weight: 3, arbitrary: fc.constant("lost" as const) },
  { weight: 1, arbitrary: fc.constant("restart" as const) },
  { weight: 1, arbitrary: fc.constant("another reader" as const) },
);

it("lost answers, restarts and other readers neither lose nor double a bill", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await reset();
      at("2094-03-14T11:00:00");
      const reader = new Reader();
      for (const step of steps) {
        if (Array.isArray(step)) await Promise.all(step.map((bill) => stub().book(bill)));
        else if (typeof step === "object") await stub().refuse(step.refused.bid, "price", step.refused, step.refused);
        else if (step === "taken") reader.take(await stub().spent(reader.ack));
        else if (step === "lost") await stub().spent(reader.ack);
        else if (step === "another reader") await stub().spent(null);
        else {
          // Only an object that runs can restart, and none does while its counts wait.
          await stub().report(DAY);
          await evictDurableObject(stub());
        }
      }
      // A bill may be booked while the question is on its way.
      const [last] = await Promise.all([stub().spent(reader.ack), stub().book(billOf(99))]);
      reader.take(last);
      reader.take(await stub().spent(reader.ack));
      expect(reader.sums()).toEqual(await stored());
    }),
    { numRuns: 60 },
  );
});

/** A row of what has changed in a second. */
const row = (second: number, amounts: string) => `${hash(1)} ${hash(21)} ${ISSUED + second} ${amounts} EUR\n`;

it("new bills are told by the second, all bills by the quarter", async () => {
  const book = (n: number) => stub().book(billOf(n, { ownNanos: 5 }));
  for (const n of [1, 2]) await book(n);
  const first = await stub().spent(null);
  expect(first).toMatchObject({ whole: true, rows: row(0, "2 10 4444444 0") });
  for (const n of [3, 903, 4, 4]) await book(n);
  const second = await stub().spent(first);
  expect(second).toMatchObject({ whole: false, rows: row(3, "2 10 4444444 0") + row(4, "1 5 2222222 0") });
  await book(5);
  expect(await stub().spent(first)).toEqual(second);
  expect(await stub().spent(second)).toMatchObject({ rows: row(5, "1 5 2222222 0") });
});

it("all bills are told by the reader's days, if it says when they begin", async () => {
  const [first, midnight] = [quarterOf("2094-03-14T00:00") * 900, quarterOf("2094-03-14T18:15") * 900];
  const hours = ["00:00", "10:00", "18:00", "18:15", "23:45"];
  const bills = hours.map((hour, n) => billOf(n, { quarter: quarterOf(`2094-03-14T${hour}`), ownNanos: 5 }));
  at("2094-03-14T23:59:00");
  for (const bill of bills) await stub().book(bill);
  await stub().refuse(bidId(9), "price", billOf(9), billOf(9, { issued: midnight - 1 }));
  const { rows } = await stub().spent(null, [first, midnight]);
  const of = (issued: number, amounts: string) => `${hash(1)} ${hash(21)} ${issued} ${amounts} EUR\n`;
  expect(rows).toBe(of(first, `3 15 ${3 * 2_222_222} 2222222`) + of(midnight, `2 10 ${2 * 2_222_222} 0`));
});

it("a refused bid weighs once until it is booked, and a booked one never", async () => {
  const refuse = (n: number) => stub().refuse(bidId(n), "price-forged", billOf(n), billOf(n));
  let last = await stub().spent(null);
  const next = async () => {
    last = await stub().spent(last);
    return last.rows;
  };
  for (const n of [1, 1, 2]) await refuse(n);
  expect(await next()).toBe(row(1, "0 0 0 2222222") + row(2, "0 0 0 2222222"));
  await stub().book(billOf(1, { ownNanos: 5 }));
  expect(await next()).toBe(row(1, "1 5 2222222 -2222222"));
  await refuse(1);
  expect(await next()).toBe("");
  // No object restarts while its counts wait.
  await stub().report(DAY);
  await evictDurableObject(stub());
  expect((await stub().spent(null)).rows).toBe(row(0, "1 5 2222222 2222222"));
});

it("a raised price is told as what it has risen by", async () => {
  await stub().book(billOf(1, { nanos: 5, ownNanos: 5 }));
  const first = await stub().spent(null);
  await stub().book(billOf(1, { nanos: 8, ownNanos: 7 }));
  expect((await stub().spent(first)).rows).toBe(row(1, "0 2 0 0"));
});

it("a raised price takes no spend back if the campaign's currency has risen since", async () => {
  await stub().book(billOf(1, { nanos: 500, ownNanos: 450 }));
  const first = await stub().spent(null);
  await stub().book(billOf(1, { nanos: 505, ownNanos: 430 }));
  await stub().book(billOf(901, { ownNanos: 7 }));
  expect((await stub().spent(first)).rows).toBe(row(1, "1 7 2222222 0"));
  expect(await sql(stub(), "SELECT nanos, own_nanos FROM seen WHERE nanos = 505")).toEqual([[505, 450]]);
});

it("an object without bills answers without rows, and stays without tables", async () => {
  const answer = await stub().spent(null);
  expect(answer).toMatchObject({ whole: true, rows: "" });
  expect(await stub().spent(answer)).toMatchObject({ whole: false, rows: "" });
  expect(await tablesOf(stub())).toEqual([]);
});

it("several readers each get the bills of their campaigns, and name these again if the object has restarted", async () => {
  const named = (name: string, n: number) => ({ name, only: [hash(n)] });
  const again = (name: string) => ({ name, only: null });
  const rowsOf = ({ rows }: Batch) => rows.split("\n").map((row) => row.slice(0, 16));
  await bookAll(stub(), [billOf(1, { campaign: hash(1) }), billOf(2, { campaign: hash(2) })]);
  const first = [await stub().spent(null, [], named("1", 1)), await stub().spent(null, [], named("2", 2))] as const;
  expect(first.map(rowsOf)).toEqual([
    [hash(1), ""],
    [hash(2), ""],
  ]);
  expect(rowsOf(await stub().spent(null)).toSorted()).toEqual(["", hash(1), hash(2)]);
  await bookAll(stub(), [billOf(3, { campaign: hash(1) }), billOf(4, { campaign: hash(2), ssp: hash(22) })]);
  const next = [await stub().spent(first[0], [], again("1")), await stub().spent(first[1], [], again("2"))];
  expect(next.map(rowsOf)).toEqual([
    [hash(1), ""],
    [hash(2), ""],
  ]);
  expect(next.map(({ whole }) => whole)).toEqual([false, false]);
  expect(await stub().spent(first[0], [], again("3"))).toMatchObject({ rows: "", isForgotten: true });
});

it("a call that comes late with former names leaves no bill out: the reader names its campaigns again", async () => {
  const named = (...all: number[]) => ({ name: "1", only: all.map(hash) });
  const again = { name: "1", only: null };
  await bookAll(stub(), [billOf(1, { campaign: hash(1) }), billOf(2, { campaign: hash(2) })]);
  const first = await stub().spent(null, [], named(1, 2));
  await stub().spent(null, [], named(1));
  await bookAll(stub(), [billOf(3, { campaign: hash(2) })]);
  expect(await stub().spent(first, [], again)).toMatchObject({ rows: "", isForgotten: true });
  const whole = await stub().spent(first, [], named(1, 2));
  expect([whole.whole, whole.rows.match(new RegExp(`^${hash(2)}`, "gm"))?.length]).toEqual([true, 1]);
  expect(await stub().spent(whole, [], again)).toMatchObject({ whole: false, rows: "" });
});

it("if the reader stays away, nothing is kept for it, and then it gets everything", () => {
  const changes = new Changes(
    () => [],
    () => [],
  );
  const first = changes.take(null);
  for (let second = 0; second <= MAX_CHANGES; second++) changes.add(billOf(1, { issued: second }), BOOKED);
  expect(changes.take(first)).toMatchObject({ whole: true, rows: "" });
  const next = changes.take(null);
  changes.add(billOf(1, { issued: 7 }), BOOKED);
  expect(changes.take(next)).toMatchObject({ whole: false, rows: `${hash(1)} ${hash(21)} 7 1 3 2222222 0 EUR\n` });
});

it("past days are told by the summary, with the objects that it has absorbed", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const bills = Array.from({ length: 1030 }, (_, n) => billOf(n, { campaign: hash(n % 2), ownNanos: most - n }));
  await bookAll(stub(), bills);
  const since = (n: number, from = "0000-01-01") => ({ campaign: hash(n), from });
  expect(await summaryOf(env).spent([since(0)], "2094-03-14")).toEqual({ sums: [], places: [] });
  at("2094-03-22T02:00:00");
  await runDurableObjectAlarm(stub());
  // The sums of these rows are over 2^62 each; another object of a later day brings one of them over 2^63.
  const sum = bills.filter((_, n) => n % 2 === 0).reduce((sum, { ownNanos }) => sum + BigInt(ownNanos), 0n);
  const key = { period: "2094-03-15", campaign: hash(0), ssp: hash(21), creative: hash(11), detail: "" };
  const more = { ...key, kind: "bill" as const, cur: "USD", ownCur: "EUR", nanos: 0n, usdNanos: 0n };
  await summaryOf(env).absorb("2094-03-15/01", [{ ...more, count: 1, ownNanos: (1n << 63n) - 1n }], []);
  await summaryOf(env).absorb("2094-03-15/01", [{ ...more, count: 1, ownNanos: 1n }], []);
  const asked = [since(7), since(0), since(0, "2094-03-15"), since(0, "2094-03-16"), since(0, "2094-03-14")];
  const last = (1n << 63n) - 1n;
  const bid = `${2_222_222 * 515}`;
  const own = { ssp: hash(21), cur: "EUR", held: "0" };
  const nanos = [1, 2, 4].map((at) => ({
    ...{ at, ...own },
    ...(at === 2 ? { nanos: `${last}`, bid: "0" } : { nanos: `${sum + last}`, bid }),
  }));
  const shards = [SHARD, "2094-03-15/01"];
  expect(await summaryOf(env).spent(asked, "2094-03-14")).toEqual({ sums: nanos, places: shards });
  // A campaign whose currency has changed has a sum in each.
  await summaryOf(env).absorb("2094-03-15/02", [{ ...more, ownCur: "JPY", count: 1, ownNanos: 8410n }], []);
  expect((await summaryOf(env).spent([since(0, "2094-03-15")], "2094-03-14")).sums).toEqual([
    { at: 0, ...own, nanos: `${last}`, bid: "0" },
    { at: 0, ...own, cur: "JPY", nanos: "8410", bid: "0" },
  ]);
  expect((await summaryOf(env).spent([since(1)], "2094-03-15")).places).toEqual(["2094-03-15/01", "2094-03-15/02"]);
});

it("the summary keeps what bills weigh: refused bids, the prices of bids, and days that are implausible apart", async () => {
  const of = (n: number, more: object = {}) => billOf(n, { campaign: hash(5), ...more });
  await stub().count([], [namesOf(hash(5), "Asia/Kathmandu")]);
  for (const n of [1, 2, 3]) await stub().book(of(n, { ownNanos: 100, bidNanos: 150 }));
  await stub().book(of(4, { ssp: hash(22), ownNanos: 1, bidNanos: 1000 }));
  // In Kathmandu, 20:00 is the next day, on which this SSP's bills are plausible.
  const late = quarterOf("2094-03-14T20:00");
  await stub().book(of(5, { ssp: hash(22), quarter: late, ownNanos: 700, bidNanos: 1000 }));
  for (const n of [6, 7]) await stub().refuse(bidId(n), "price", of(n), of(n, { bidNanos: 40 }));
  await stub().refuse(bidId(8), "price", of(8, { ssp: hash(23) }), of(8, { ssp: hash(23), issued: late * 900 }));
  const before = await totals(withOnly([SHARD]), { ...DAY, to: "2094-03-15" }, now());
  at("2094-03-22T02:00:00");
  await runDurableObjectAlarm(stub());
  expect(await totals(withOnly([SHARD]), { ...DAY, to: "2094-03-15" }, now())).toEqual(before);
  const own = { cur: "EUR", held: "0" };
  const asked = [{ campaign: hash(5), from: "2094-03-14" }];
  expect((await summaryOf(env).spent(asked, "2094-03-14")).sums).toEqual([
    { at: 0, ...own, ssp: hash(21), nanos: "300", bid: "450", held: "80" },
    { at: 0, ...own, ssp: hash(22), nanos: "700", bid: "1000" },
    { at: 0, ...own, ssp: hash(22), nanos: "1", bid: "1000" },
    { at: 0, ...own, ssp: hash(23), nanos: "0", bid: "0", held: "2222222" },
  ]);
});

it("the summary reads the bills of the campaigns that it is asked for, and no other rows", async () => {
  const of = { period: "2094-03-14", ssp: hash(21), creative: hash(11), detail: "", cur: "USD", ownCur: "EUR" };
  const amounts = { count: 1, nanos: 3n, usdNanos: 3n, ownNanos: 2n };
  const kinds = ["bill", "bid", "win", "loss"] as const;
  const rows = Array.from({ length: 800 }, (_, n) => ({ ...of, campaign: hash(n >> 2), kind: kinds[n % 4] ?? "bill" }));
  await summaryOf(env).absorb(
    SHARD,
    rows.map((row) => ({ ...row, ...amounts })),
    [],
  );
  const read = await runInDurableObject(summaryOf(env), async (summary, { storage }) => {
    const exec = vi.spyOn(storage.sql, "exec");
    expect((await summary.spent([{ campaign: hash(5), from: "0000-01-01" }], "2094-03-14")).sums).toHaveLength(1);
    return exec.mock.results.reduce((sum, { value }) => sum + value.rowsRead, 0);
  });
  expect(read).toBeLessThan(20);
});
