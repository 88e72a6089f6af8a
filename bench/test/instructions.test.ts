//! Fails if the instructions that decisions execute, or the code and data that they touch, change by more than 3 %.
//!
//! The counts are in `bench/instructions/baseline.json`. A change that raises or lowers them on purpose states its
//! reason:
//!
//!     UPDATE_INSTRUCTIONS="deals are compared by seat too" npx vitest run --project long-node bench/test/instructions.test.ts

import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { instrumented, save } from "../build.ts";
import { type Counts, counts } from "../instructions/count.ts";
import { addressCounts, attributeChecks, budgetChecks, shadingChecks } from "../instructions/features.ts";

/** The largest accepted change, as a share. Every new fixture changes the requests, and so the counts, a little. */
const TOLERANCE = 0.03;
const BASELINE = new URL("../instructions/baseline.json", import.meta.url);
const MIN_REASON_LENGTH = 10;

interface Baseline {
  /** The reason for the last change of the counts. */
  reason: string;
  counts: Counts;
}

it("decisions execute as many instructions as the baseline says", () => {
  const found = counts();
  const reason = process.env["UPDATE_INSTRUCTIONS"];
  if (reason !== undefined) {
    if (reason.length < MIN_REASON_LENGTH)
      throw new Error("UPDATE_INSTRUCTIONS takes the reason for the change, in words");
    writeFileSync(BASELINE, `${JSON.stringify({ reason, counts: found } satisfies Baseline, null, 2)}\n`);
  }
  const baseline: Baseline = JSON.parse(readFileSync(BASELINE, "utf8"));
  expect(baseline.reason.length).toBeGreaterThanOrEqual(MIN_REASON_LENGTH);
  expect(Object.keys(found)).toEqual(Object.keys(baseline.counts));
  expect(changed(baseline.counts, found)).toEqual([]);
});

it("a decision of 1,000 campaigns with budgets takes at most 3 % more instructions", () => {
  const { "decide.budgets_on_vs_off": ratio = 0 } = budgetChecks();
  expect(ratio).toBeGreaterThan(1);
  expect(ratio).toBeLessThan(1.03);
});

it("a decision of 1,000 campaigns with learned shading takes at most 12 % more instructions", () => {
  const { "decide.shading_on_vs_off": ratio = 0, "decide.shading_same_bids_vs_off": same = 0 } = shadingChecks();
  expect(same).toBeGreaterThan(1);
  expect(same).toBeLessThan(1.05);
  expect(ratio).toBeLessThan(1.12);
});

it("half of the campaigns with multipliers, weights and flights take at most 8 % more instructions, context 11 %, a list 3 %, sellers 8 %", () => {
  const {
    "decide.half_with_new_attributes": half = 0,
    "decide.half_with_context": context = 0,
    "decide.list_vs_value": list = 0,
    "decide.supply_on_vs_off": supply = 0,
  } = attributeChecks();
  expect(half).toBeGreaterThan(1);
  expect(half).toBeLessThan(1.08);
  expect(context).toBeGreaterThan(1);
  expect(context).toBeLessThan(1.11);
  expect(list).toBeGreaterThan(0.9);
  expect(list).toBeLessThan(1.03);
  expect(supply).toBeGreaterThan(1);
  expect(supply).toBeLessThan(1.08);
});

it("an address takes at most 1,000 more instructions in a million ranges than in one, and 2,300 in all", () => {
  const { million, one } = addressCounts();
  expect(million).toBeGreaterThan(one);
  expect(million).toBeLessThan(one + 1000);
  expect(million).toBeLessThan(2300);
});

it("reports a rise and a fall of over 3 %, and nothing smaller", () => {
  const before = { rises: 1000, falls: 1000, stays: 1000 };
  expect(changed(before, { rises: 1031, falls: 969, stays: 1029 })).toEqual([
    "rises: 1000 → 1031, +3.1 %: reduce it, or update the baseline with a reason",
    "falls: 1000 → 969, -3.1 %: well done, update the baseline with a reason",
  ]);
});

it("counts exactly the executed instructions", () => {
  // (func (export "sum") (param i32) (result i32) (local i32)
  //   (loop (local.set 1 (i32.add (local.get 1) (local.get 0)))
  //         (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
  //   (local.get 1))
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0],
    ...[7, 7, 1, 3, 0x73, 0x75, 0x6d, 0, 0, 10, 27, 1, 25, 1, 1, 0x7f, 0x03, 0x40, 0x20, 1, 0x20, 0, 0x6a, 0x21, 1],
    ...[0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 1, 0x0b],
  ];
  const path = save("sum.wasm", new Uint8Array(bytes));
  const { sum, executed } = new WebAssembly.Instance(instrumented("count", path), {}).exports as {
    sum: (to: number) => number;
    executed: WebAssembly.Global<"i64">;
  };
  expect(sum(10)).toBe(55);
  // One for the loop itself, ten laps of nine, one for the result.
  expect(executed.value).toBe(1n + 10n * 9n + 1n);
});

/** A message for each count that differs by more than {@link TOLERANCE}. */
function changed(before: Counts, after: Counts): string[] {
  return Object.entries(before).flatMap(([name, count]) => {
    const now = after[name] ?? Number.NaN;
    const change = now / count - 1;
    if (Math.abs(change) <= TOLERANCE) return [];
    const what = change > 0 ? "reduce it, or" : "well done,";
    const percent = `${change > 0 ? "+" : ""}${(100 * change).toFixed(1)} %`;
    return [`${name}: ${count} → ${now}, ${percent}: ${what} update the baseline with a reason`];
  });
}
