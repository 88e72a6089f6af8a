//! The pacing module as the Worker calls it.

import { expect, it } from "vitest";
import type { BudgetState } from "../../../shared/pacing/budgets.ts";
import { headOf } from "../../../shared/pacing/shares.ts";
import { PacingModule } from "../../src/pacing/module.ts";

const NOW = Date.parse("2094-03-14T12:00:00Z");
const CAMPAIGN = "00000000000000c1";
const bytes = (budgets: unknown, more = {}) =>
  new TextEncoder().encode(JSON.stringify({ budgets, ssps: [], rates: {}, ...more }));
const budget = (daily: number, more = {}) => ({ cid: "shoes", key: CAMPAIGN, cur: "EUR", daily, ...more });
const told = (module: PacingModule): BudgetState[] => JSON.parse(module.ask("told", NOW));

it("of two budgets of one campaign, the first counts: the first version's, not the second's", () => {
  const module = new PacingModule();
  for (const [first, second] of [
    [5, 9],
    [9, 5],
  ] as const) {
    const others = Array.from({ length: 40 }, (_, n) => budget(7, { cid: `${n}`, key: n.toString(16) }));
    expect(module.plan(bytes([budget(first), ...others, budget(second)]), 0)).toBe(false);
    const all = told(module);
    expect(all).toHaveLength(41);
    expect(all.find(({ cid }) => cid === "shoes")?.daily).toBe(`${first}`);
  }
});

it("books, tells and makes shares; a restored instance needs the bills again", () => {
  const module = new PacingModule();
  expect(module.plan(bytes([budget(5, { total: 50 })]), 0)).toBe(false);
  const [asked] = module.pastNeeded(bytes([budget(5, { total: 50 })]), NOW);
  expect(asked).toEqual({ campaign: CAMPAIGN, day: Date.parse("0000-01-01") / 86_400_000 });
  const of = `${CAMPAIGN} ${asked?.day}`;
  for (const nanos of [9, 7]) module.tell("past", `${of}\n${of} d1 ${nanos - 1} 0 0 EUR\n${of} d2 0 0 1 EUR\n`);
  module.booked("2094-03-14/00", `${CAMPAIGN} 00000000000000d1 ${NOW / 1000} 1 3\n`, true);
  const shares = module.ask("tick", NOW);
  expect(headOf(shares).made).toBe(NOW);
  expect(shares).toContain(`\n${CAMPAIGN} `);
  expect(told(module)).toMatchObject([{ spent_today: "3", spent: "10", daily: "5", total: "50" }]);
  expect(module.plan(bytes([budget(5, { changes: [0, 600] })]), 0)).toBe(true);
  const next = new PacingModule();
  const state = [...module.saved()].join("");
  // Rows on disk may end within a line.
  next.restore(Array.from(state));
  expect([...next.saved()].join("")).toBe(state);
  next.plan(bytes([budget(5, { total: 50 })]), 0);
  expect(told(next)).toMatchObject([{ spent_today: "0" }]);
});

it("asks for the past of campaigns with a total, also those of orders, and tells an error of another list", () => {
  const module = new PacingModule();
  const start = Date.parse("2094-02-01");
  const order = { order: "io", key: "9", members: ["hats"], total: 3 };
  const flights = [{ start, end: NOW, total: 5 }];
  const asked = module.pastNeeded(bytes([budget(0, { flights }), order, budget(4, { key: "5" })]), NOW - 1);
  // The FNV-1a hash of "hats", by which the ledger names the campaign.
  const ofOrder = { campaign: "2e4ea3cc7428f3c3", day: -719_528 };
  expect(asked).toHaveLength(2);
  expect(asked).toEqual(expect.arrayContaining([{ campaign: CAMPAIGN, day: start / 86_400_000 }, ofOrder]));
  for (const call of [() => module.pastNeeded(bytes({}), NOW), () => module.plan(bytes({}), 0)]) {
    expect(call).toThrow("cannot read the budgets");
  }
});

it.each(["", "\n", "x\n", "1e99\n", "-"])("%j is no text of shares", (text) => {
  expect(headOf(text).made).toBe(0);
});

it("counts what is refused, too cheap, invoiced otherwise or in another currency, and tells of it", () => {
  const module = new PacingModule();
  const ssps = [
    { key: "d1", id: "good", invoice_ratio: 1_100_000 },
    { key: "d2", id: "cheap" },
    { key: "d3", id: "broken" },
    { key: "d4", id: "low", low_prices: true },
  ];
  module.plan(bytes([budget(5e9)], { ssps, rates: { EUR: 1_200_000_000, JPY: 6_000_000 } }), 0);
  const row = (ssp: string, words: string) => `${CAMPAIGN} 00000000000000${ssp} ${NOW / 1000} ${words}\n`;
  const good = row("d1", "1 100000 110000 0 EUR") + row("d1", "1 200000 200000 0 JPY");
  const bad = row("d2", "20 100 2100 0 EUR") + row("d3", "0 0 0 40000 EUR") + row("d4", "20 100 2100 0 EUR");
  module.booked("2094-03-14/00", good + bad, true);
  // 1.1 * (100000 + 200000 * 0.005) + 2100 + 40000 + 100
  expect(told(module)).toMatchObject([{ spent_today: "153300" }]);
  expect(JSON.parse(module.ask("alarms", NOW))).toEqual([
    { ssp: "cheap", what: "implausible", count: 20, nanos: "2100", cur: "EUR" },
    { ssp: "broken", what: "refused", count: 0, nanos: "40000", cur: "EUR" },
  ]);
  expect(JSON.parse(module.ask("alarms", NOW + 3 * 86_400_000))).toEqual([]);
});
