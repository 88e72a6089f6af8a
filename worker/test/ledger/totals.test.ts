//! Any bills in any order, with duplicates and time zones, add up to the sums of a dull ledger in memory.

import { evictDurableObject, reset, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { Bill, Query } from "../../../shared/ledger/rows.ts";
import { daysBetween } from "../../../shared/time/days.ts";
import { ledgerAt } from "../../src/ledger/shards.ts";
import { at } from "../support/clock.ts";
import { ALL_BY, billOf, book, hash, namesOf, quarterOf, shardOfBill, totals, withOnly } from "../support/ledger.ts";
import { sumsOf, Twin } from "../support/twin.ts";

/** The campaigns' zones: none, +05:45, and two whose days have 23 hours (14 March) or 25 (7 November) in New York. */
const ZONES = ["", "Asia/Kathmandu", "America/New_York", "Pacific/Kiritimati", "Etc/GMT+12"];
const CAMPAIGNS = ZONES.map((_, i) => hash(i + 1));
const zoneOf = (campaign: string) => ZONES[CAMPAIGNS.indexOf(campaign)] ?? "";

/** Three days around a change of New York's clock. */
const BORDERS = ["2094-03-13T00:00", "2094-11-06T00:00"];

const money = fc.oneof(
  fc.nat(),
  fc.maxSafeNat(),
  fc.integer({ min: Number.MAX_SAFE_INTEGER - 5, max: Number.MAX_SAFE_INTEGER }),
);

/** Another price of a bill, or nothing. */
const price = fc.option(fc.record({ isAssumed: fc.boolean(), nanos: money, usdNanos: money, ownNanos: money }), {
  nil: {},
});

const bill = (first: number) =>
  fc
    .record({
      n: fc.nat({ max: 40 }),
      quarter: fc.nat({ max: 3 * 96 - 1 }),
      campaign: fc.constantFrom(...CAMPAIGNS),
      notice: fc.constantFrom<Bill["notice"]>("bill", "imp", "win"),
      isAssumed: fc.boolean(),
      nanos: money,
      usdNanos: money,
      ownNanos: money,
    })
    // A bid was made once: the same number is in the same quarter. Every eighth number is in one of four shards.
    .map(({ n, quarter, ...more }) => billOf(8 * (n + 41 * quarter), { ...more, quarter: first + quarter }));

const days = (border: string): fc.Arbitrary<Query> => {
  const day = (n: number) => new Date(Date.parse(`${border}Z`) + n * 86_400_000).toISOString().slice(0, 10);
  return fc
    .tuple(fc.integer({ min: -2, max: 4 }), fc.nat({ max: 4 }))
    .map(([from, length]) => ({ from: day(from), to: day(from + length), by: ["day", "campaign"] }));
};

const runs = fc.constantFrom(...BORDERS).chain((border) =>
  fc.record({
    border: fc.constant(border),
    query: days(border),
    bills: fc.array(bill(quarterOf(border)), { minLength: 1, maxLength: 40 }).chain((bills) =>
      fc
        // Repeated, some with another price.
        .array(
          fc.tuple(fc.constantFrom(...bills), price).map(([bill, price]) => ({ ...bill, ...price })),
          { maxLength: 20 },
        )
        .chain((again) => fc.shuffledSubarray([...bills, ...again], { minLength: bills.length + again.length })),
    ),
    /** How many notices are under way at once. */
    width: fc.constantFrom(1, 3, 100),
  }),
);

beforeEach(reset);

it("whatever is booked in whatever order, the report has each bid once at its most certain price, to the nano", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ border, query, bills, width }) => {
      await reset();
      const now = at(border) + 4 * 86_400_000;
      at(now);
      const twin = new Twin();
      for (let i = 0; i < bills.length; i += width) {
        const group = bills.slice(i, i + width);
        expect(await Promise.all(group.map(book))).toEqual(group.map((bill) => twin.book(bill)));
      }
      await ledgerAt(env, `${border.slice(0, 10)}/00`).count(
        [],
        CAMPAIGNS.map((of) => namesOf(of, zoneOf(of))),
      );
      const shards = [...new Set(bills.map(shardOfBill))];
      const report = async (now: number) => sumsOf((await totals(withOnly(shards), query, now)).totals);
      const written = await Promise.all(shards.map((shard) => ledgerAt(env, shard).rowsWritten()));
      expect(written.reduce((sum, rows) => sum + rows, 0)).toBe(twin.written);
      const expected = twin.sums(query, zoneOf);
      expect(await report(now)).toEqual(expected);
      // The report is the sum of its days.
      const days = daysBetween(query.from, query.to).map((day) => ({ ...query, from: day, to: day }));
      const own = await Promise.all(days.map((query) => totals(withOnly(shards), query, now)));
      expect(sumsOf(own.flatMap(({ totals }) => totals))).toEqual(expected);
      // An object that starts again adds up its rows. All must start, because `reset` empties only objects that run.
      for (const shard of shards) {
        await evictDurableObject(ledgerAt(env, shard));
        expect(await ledgerAt(env, shard).rowsWritten()).toBe(0);
      }
      expect(await report(now)).toEqual(expected);
      // Half of the objects hand over their totals: the report stays.
      at(now + 20 * 86_400_000);
      for (const shard of shards.slice(0, shards.length / 2)) await runDurableObjectAlarm(ledgerAt(env, shard));
      expect(await report(now + 6 * 86_400_000)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

it.each([
  ["Asia/Kathmandu", "2094-03-14T18:00", "2094-03-14", "2094-03-15"],
  ["America/New_York", "2094-03-15T03:45", "2094-03-14", "2094-03-15"],
  ["America/New_York", "2094-11-08T04:45", "2094-11-07", "2094-11-08"],
  ["", "2094-03-14T23:45", "2094-03-14", "2094-03-15"],
])("in %s, %s is the last quarter of a day", async (zone, last, day, next) => {
  const now = at(`${next}T12:00:00`);
  const bills = [0, 1].map((n) => billOf(n, { quarter: quarterOf(last) + n }));
  for (const bill of bills) await book(bill);
  await ledgerAt(env, `${day}/00`).count([], [namesOf(hash(1), zone)]);
  const counts = async (from: string, to: string, by: Query["by"]) => {
    const report = await totals(withOnly(bills.map(shardOfBill)), { from, to, by }, now);
    return report.totals.map(({ day, count }) => `${day} ${count}`);
  };
  expect(await counts(day, day, ["day"])).toEqual([`${day} 1`]);
  expect(await counts(next, next, ["day"])).toEqual([`${next} 1`]);
  expect(await counts(day, next, [])).toEqual([" 2"]);
});

it("rows are grouped by any dimensions, and always by currency, kind and detail", async () => {
  const now = at("2094-03-14T12:00:00");
  const usd = { campaign: hash(2), ownCur: "USD" };
  const other = { ssp: hash(22), isAssumed: true };
  for (const [n, more] of [{}, usd, other, {}].entries()) await book(billOf(n, more));
  const day = { from: "2094-03-14", to: "2094-03-14" };
  const grouped = async (by: Query["by"]) =>
    (await totals(env, { ...day, by }, now)).totals.map(({ cur, detail, count }) => [cur, detail, count]);
  expect(await grouped([])).toEqual([
    ["EUR", "", 2],
    ["EUR", "assumed", 1],
    ["USD", "", 1],
  ]);
  expect(await grouped(["ssp"])).toHaveLength(3);
  expect(await grouped(ALL_BY)).toHaveLength(3);
});
