//! The pacer gets each bill exactly once, although answers get lost and objects restart.

import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Ack, type Batch, Changes } from "../../src/ledger/changes.ts";
import { ledgerAt, summaryOf } from "../../src/ledger/places.ts";
import type { Bill } from "../../src/ledger/rows.ts";
import { MAX_CHANGES } from "../../src/limits.ts";
import { at } from "../support/clock.ts";
import { billOf, hash, quarterOf } from "../support/ledger.ts";

const PLACE = "2094-03-14/07";
const stub = () => ledgerAt(env, PLACE);
const ISSUED = quarterOf("2094-03-14T10:00") * 900;
const DAY = { from: "2094-03-13", to: "2094-03-15", by: ["campaign"] as const };

beforeEach(async () => {
  await reset();
  at("2094-03-14T11:00:00");
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Adds up batches as the pacer does. */
class Reader {
  ack: Ack | null = null;
  #sums = new Map<string, [count: bigint, nanos: bigint]>();

  take({ instance, batch, whole, rows }: Batch): void {
    this.ack = { instance, batch };
    if (whole) this.#sums = new Map();
    for (const line of rows.split("\n").filter(Boolean)) {
      const [campaign = "", , , count = "", nanos = ""] = line.split(" ");
      const [counted, sum] = this.#sums.get(campaign) ?? [0n, 0n];
      this.#sums.set(campaign, [counted + BigInt(count), sum + BigInt(nanos)]);
    }
  }

  sums(): Record<string, string> {
    return Object.fromEntries([...this.#sums].sort().map(([campaign, sums]) => [campaign, sums.join(" ")]));
  }
}

/** The same sums from the report. */
async function reported(): Promise<Record<string, string>> {
  const rows = await stub().report(DAY);
  return Object.fromEntries(rows.map(({ campaign, count, nanos }) => [campaign.slice(1), `${count} ${nanos}`]).sort());
}

const bill = fc
  .record({ n: fc.nat({ max: 30 }), campaign: fc.nat({ max: 2 }), ssp: fc.nat({ max: 1 }), ownNanos: fc.maxSafeNat() })
  .map(({ n, campaign, ssp, ownNanos }) => billOf(n, { campaign: hash(campaign), ssp: hash(ssp), ownNanos }));

const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(bill, { minLength: 1, maxLength: 5 }) },
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
        if (typeof step === "object") await Promise.all(step.map((bill) => stub().book(bill)));
        else if (step === "taken") reader.take(await stub().spent(reader.ack));
        else if (step === "lost") await stub().spent(reader.ack);
        else if (step === "another reader") await stub().spent(null);
        else {
          // Only an object that runs can restart.
          await stub().rowsWritten();
          await evictDurableObject(stub());
        }
      }
      // A bill may be booked while the question is on its way.
      const [last] = await Promise.all([stub().spent(reader.ack), stub().book(billOf(99))]);
      reader.take(last);
      reader.take(await stub().spent(reader.ack));
      expect(reader.sums()).toEqual(await reported());
    }),
    { numRuns: 60 },
  );
});

it("new bills are told by the second, all bills by the quarter", async () => {
  const book = (n: number, more: Partial<Bill> = {}) => stub().book(billOf(n, { ownNanos: 5, ...more }));
  for (const n of [1, 2]) await book(n);
  const first = await stub().spent(null);
  const [campaign, ssp] = [hash(1), hash(21)];
  expect(first).toMatchObject({ whole: true, rows: `${campaign} ${ssp} ${ISSUED} 2 10\n` });
  for (const n of [3, 903, 4, 4]) await book(n);
  const second = await stub().spent(first);
  const rows = `${campaign} ${ssp} ${ISSUED + 3} 2 10\n${campaign} ${ssp} ${ISSUED + 4} 1 5\n`;
  expect(second).toMatchObject({ whole: false, rows });
  await book(5);
  expect(await stub().spent(first)).toEqual(second);
  expect(await stub().spent(second)).toMatchObject({ rows: `${campaign} ${ssp} ${ISSUED + 5} 1 5\n` });
});

it("an object without bills answers without rows, and stays without tables", async () => {
  const answer = await stub().spent(null);
  expect(answer).toMatchObject({ whole: true, rows: "" });
  expect(await stub().spent(answer)).toMatchObject({ whole: false, rows: "" });
  const tables = "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'";
  expect(await runInDurableObject(stub(), (_, { storage }) => storage.sql.exec(tables).toArray())).toEqual([]);
});

it("if the reader stays away, nothing is kept for it, and then it gets everything", () => {
  const changes = new Changes(() => []);
  const first = changes.take(null);
  for (let second = 0; second <= MAX_CHANGES; second++) changes.add(billOf(1, { issued: second }));
  expect(changes.take(first)).toMatchObject({ whole: true, rows: "" });
  const next = changes.take(null);
  changes.add(billOf(1, { issued: 7, ownNanos: 3 }));
  expect(changes.take(next)).toMatchObject({ whole: false, rows: `${hash(1)} ${hash(21)} 7 1 3\n` });
});

it("past days are told by the summary, with the objects that it has absorbed", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const bills = Array.from({ length: 1030 }, (_, n) => billOf(n, { campaign: hash(n % 2), ownNanos: most - n }));
  await runInDurableObject(stub(), (instance) => Promise.all(bills.map((bill) => instance.book(bill))));
  const since = (n: number, from = "0000-01-01") => ({ campaign: hash(n), from });
  expect(await summaryOf(env).spent([since(0)], "2094-03-14")).toEqual({ sums: [], places: [] });
  at("2094-03-22T01:00:00");
  await runDurableObjectAlarm(stub());
  // The sums of these rows are over 2^62 each; another object of a later day brings one of them over 2^63.
  const sum = bills.filter((_, n) => n % 2 === 0).reduce((sum, { ownNanos }) => sum + BigInt(ownNanos), 0n);
  const key = { period: "2094-03-15", campaign: hash(0), ssp: hash(21), creative: hash(11), detail: "" };
  const more = { ...key, kind: "bill" as const, cur: "USD", ownCur: "EUR", nanos: 0n, usdNanos: 0n };
  await summaryOf(env).absorb("2094-03-15/01", [{ ...more, count: 1, ownNanos: (1n << 63n) - 1n }]);
  await summaryOf(env).absorb("2094-03-15/01", [{ ...more, count: 1, ownNanos: 1n }]);
  const asked = [since(7), since(0), since(0, "2094-03-15"), since(0, "2094-03-16"), since(0, "2094-03-14")];
  const last = (1n << 63n) - 1n;
  const nanos = [1, 2, 4].map((at) => ({ at, cur: "EUR", nanos: `${at === 2 ? last : sum + last}` }));
  const places = [PLACE, "2094-03-15/01"];
  expect(await summaryOf(env).spent(asked, "2094-03-14")).toEqual({ sums: nanos, places });
  // A campaign whose currency has changed has a sum in each.
  await summaryOf(env).absorb("2094-03-15/02", [{ ...more, ownCur: "JPY", count: 1, ownNanos: 8410n }]);
  expect((await summaryOf(env).spent([since(0, "2094-03-15")], "2094-03-14")).sums).toEqual([
    { at: 0, cur: "EUR", nanos: `${last}` },
    { at: 0, cur: "JPY", nanos: "8410" },
  ]);
  expect((await summaryOf(env).spent([since(1)], "2094-03-15")).places).toEqual(["2094-03-15/01", "2094-03-15/02"]);
});
