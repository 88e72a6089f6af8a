//! What `edgebid costs` computes: amounts by hand for simple loads, and rules for any load.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { billOf, readPrices, totalOf } from "../deploy/costs.ts";
import { type Counts, type Load, readCounts, usage } from "../deploy/usage.ts";
import { edgebidIn } from "./edgebid.ts";

const of = (value: number) => ({ value, suite: "none", date: "2026-11-23" });
const COUNTS: Counts = { no_bid_us: of(80), bid_us: of(100), event_us: of(200), state_kb: of(2500) };
const PLAIN: Load = {
  ...{ rate: 1000, isolateRate: 10, bids: 0.1, wins: 0.1 },
  ...{ notices: "off", budgets: false, caps: 0, events: null, metrics: false },
};

/** The amounts of a load, by item and user. */
function amounts(load: Partial<Load>): Record<string, number> {
  const parts = usage({ ...PLAIN, ...load }, COUNTS);
  return Object.fromEntries(parts.map(({ item, what, amount }) => [`${item}: ${what}`, amount]));
}

function total(load: Load): bigint {
  return totalOf(billOf(usage(load, COUNTS), readPrices()));
}

const loads = fc.record({
  rate: fc.integer({ min: 1, max: 1_000_000 }),
  isolateRate: fc.integer({ min: 1, max: 1000 }),
  bids: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  wins: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  notices: fc.constantFrom("all" as const, "billing" as const, "off" as const),
  budgets: fc.boolean(),
  caps: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  events: fc.option(fc.integer({ min: 1, max: 10_000 })),
  metrics: fc.boolean(),
});

describe("a month", () => {
  test("without notices: requests, processor time and the pointer", () => {
    expect(amounts({})).toEqual({
      "requests: bid requests": 2_592_000_000,
      "processor time: bid requests": 212_544_000,
      "KV reads: the pointer": 8_640_000,
    });
    const lines = billOf(usage(PLAIN, COUNTS), readPrices()).filter(({ nanos }) => nanos > 0n);
    expect(lines.map(({ item, nanos }) => [item, Number(nanos) / 1e9])).toEqual([
      ["plan", 5],
      ["requests", 774.6],
      ["processor time", 3.65088],
    ]);
  });

  test("with notices: calls, the ledger's requests, time and rows", () => {
    expect(amounts({ notices: "all" })).toMatchObject({
      "requests: bills": 25_920_000,
      "requests: wins": 25_920_000,
      "requests: losses": 233_280_000,
      "object requests: counts of the isolates": 51_840_000,
      "object time: the ledger, 32 objects": 10_616_832,
      "rows written: bills": 25_920_000,
      "rows written: counts": 138_240_000,
    });
    expect(amounts({ notices: "billing" })).not.toHaveProperty("requests: losses");
  });

  test("few events write few rows of counts", () => {
    expect(amounts({ rate: 10, notices: "billing" })["rows written: counts"]).toBe(2_592_000);
  });

  test("events: as many operations as messages need", () => {
    // 100 bids a second in each isolate: 101 events in a message.
    const queue = (load: Partial<Load>) => amounts({ events: 1_000_000_000, ...load })["queue operations: events"] ?? 0;
    expect(queue({ bids: 1, isolateRate: 100 })).toBeCloseTo((3 * 2_592_000_000) / 101, -2);
    // A full message has 60,000 bytes.
    expect(queue({ bids: 1, isolateRate: 1000 })).toBeCloseTo((3 * 2_592_000_000 * 340) / 60_000, -2);
  });

  test("the counts of a benchmark are used", () => {
    const parts = usage({ ...PLAIN, notices: "billing" }, { ...COUNTS, rows_per_bill: of(2) });
    expect(parts).toContainEqual({ item: "rows written", what: "bills", amount: 51_840_000 });
  });
});

describe("any load", () => {
  test("more traffic, and each part of edgebid, never costs less", () => {
    fc.assert(
      fc.property(loads, fc.integer({ min: 1, max: 100_000 }), (load, more) => {
        const least = total(load);
        const others: Partial<Load>[] = [
          { rate: load.rate + more },
          { notices: load.notices === "off" ? "billing" : "all" },
          { budgets: true },
          { caps: Math.max(load.caps, 0.5) },
          { metrics: true },
          ...(load.events === null ? [{ events: 1000 }] : []),
        ];
        for (const other of others) expect(total({ ...load, ...other })).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  test("the bill is what floats compute, to a cent", () => {
    fc.assert(
      fc.property(loads, (load) => {
        const parts = usage(load, COUNTS);
        const wanted = Object.entries(readPrices().items).reduce((sum, [name, { usd, included = 0 }]) => {
          const amount = parts.filter(({ item }) => item === name).reduce((sum, part) => sum + part.amount, 0);
          return sum + (name === "plan" ? 5 : (Math.max(0, amount - included) / 1e6) * Number(usd));
        }, 0);
        expect(Math.abs(Number(total(load)) / 1e9 - wanted)).toBeLessThan(0.01);
      }),
    );
  });
});

test("each item has a price, and each price a source", () => {
  const { items } = readPrices();
  const everything: Load = { ...PLAIN, notices: "all", budgets: true, caps: 1, events: 1, metrics: true };
  const used = new Set<string>(usage(everything, readCounts()).map(({ item }) => item));
  expect(Object.keys(items).filter((name) => name !== "plan")).toEqual(expect.arrayContaining([...used]));
  expect(used.size).toBe(Object.keys(items).length - 1);
  for (const { usd, source } of Object.values(items)) {
    expect(usd).toMatch(/^\d+\.\d+$/);
    expect(source).toMatch(/^https:\/\/developers\.cloudflare\.com\/.*pricing\/$/);
  }
});

test("the command refuses what is no rate and no part", async () => {
  const costs = (...args: string[]) => edgebidIn(ROOT)("costs", ...args);
  for (const args of [
    ["--rate", "0"],
    ["--rate", "1,x"],
    ["--bids", "2"],
    ["--wins", "-1"],
    ["--notices", "some"],
  ])
    expect(await costs(...args)).toEqual([2, "", expect.stringContaining("error: option")]);
  const told = JSON.parse((await costs("--rate", "1,2", "--json"))[1]);
  expect(told.costs.map(({ rate }: { rate: number }) => rate)).toEqual([1, 2]);
});
