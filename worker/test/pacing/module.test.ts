//! The pacing module as the Worker calls it.

import { expect, it } from "vitest";
import wasm from "../../../crates/pacer-wasm/pkg/pacer_wasm_bg.wasm";
import { PacingModule } from "../../src/pacing/module.ts";
import { madeAt } from "../../src/pacing/shares.ts";
import type { Told } from "../../src/pacing/told.ts";

const NOW = Date.parse("2027-03-14T12:00:00Z");
const CAMPAIGN = "00000000000000c1";
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const budget = (daily: number, more = {}) => ({ cid: "shoes", campaign: CAMPAIGN, cur: "EUR", daily, ...more });
const told = (module: PacingModule): Told[] => JSON.parse(module.told(NOW));

it("of two budgets of one campaign, the first counts: the first version's, not the second's", () => {
  const module = new PacingModule(wasm);
  for (const [first, second] of [
    [5, 9],
    [9, 5],
  ] as const) {
    const others = Array.from({ length: 40 }, (_, n) => budget(7, { cid: `${n}`, campaign: n.toString(16) }));
    expect(module.plan(bytes([budget(first), ...others, budget(second)]))).toBe(false);
    const all = told(module);
    expect(all).toHaveLength(41);
    expect(all.find(({ cid }) => cid === "shoes")?.daily).toBe(`${first}`);
  }
});

it("tells an error of a list that it cannot read, and when it needs all bills again", () => {
  const module = new PacingModule(wasm);
  expect(() => module.plan(bytes({}))).toThrow("cannot read the budgets");
  expect(module.plan(bytes([budget(5)]))).toBe(false);
  module.booked("2027-03-14/00", `${CAMPAIGN} 00000000000000d1 ${NOW / 1000} 1 3\n`, true);
  expect(module.plan(bytes([budget(5, { changes: [0, 600] })]))).toBe(true);
});

it("books, tells and makes shares; a restored instance needs the bills again", () => {
  const module = new PacingModule(wasm);
  module.plan(bytes([budget(5, { total: 50 })]));
  module.past(`${CAMPAIGN} 7\n`);
  module.booked("2027-03-14/00", `${CAMPAIGN} 00000000000000d1 ${NOW / 1000} 1 3\n`, true);
  const shares = module.tick(NOW);
  expect(madeAt(shares)).toBe(NOW);
  expect(shares).toContain(`\n${CAMPAIGN} `);
  expect(told(module)).toMatchObject([{ spent_today: "3", spent: "10", daily: "5", total: "50" }]);
  const next = new PacingModule(wasm);
  next.restore(module.save());
  next.plan(bytes([budget(5, { total: 50 })]));
  expect(told(next)).toMatchObject([{ spent_today: "0" }]);
});

it.each(["", "\n", "x\n", "1e99\n", "-"])("%j is no text of shares", (text) => {
  expect(madeAt(text)).toBe(0);
});
