//! The Worker's classes and routes in simulated worlds, in which everything fails that may.
//!
//!     SEEDS=500 HOURS=1 npx vitest run --project long-node cli/test/simulate.test.ts
//!
//! A world that breaks a rule: `npm run simulate -- --seed N` tells its story.

import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { many } from "./simulate/many.ts";
import { programs } from "./simulate/platform/program.ts";
import { type Outcome, run } from "./simulate/run.ts";

const SEEDS = Number(process.env["SEEDS"] ?? 50);
const HOURS = Number(process.env["HOURS"] ?? 1);
/** In the first hour, the pacer holds money back for bills that come an hour later. */
const LONG_HOURS = 2.5;

test(`${SEEDS} worlds of ${HOURS} hours keep all rules`, async () => {
  const results = await many({ first: 1, last: SEEDS, hours: HOURS }, availableParallelism(), () => {});
  expect(results).toHaveLength(SEEDS);
  expect(results.filter(({ broken }) => broken !== undefined)).toEqual([]);
  // A world without bids and bills would keep all rules.
  expect(results.reduce((sum, { bills }) => sum + bills, 0)).toBeGreaterThan(SEEDS * 200 * HOURS);
}, 1_800_000);

test("budgets are spent to their end in the second hour, and not exceeded", async () => {
  const code = await programs();
  const calm = await run({ seed: 1, hours: LONG_HOURS, programs: code, faults: [] });
  const wild: Outcome[] = [];
  for (const seed of [2, 3, 4]) wild.push(await run({ seed, hours: LONG_HOURS, programs: code }));
  expect([calm, ...wild].flatMap(({ seed, broken }) => (broken ? [`seed ${seed}: ${broken.message}`] : []))).toEqual(
    [],
  );
  // Without an end of the budget, no rule about it could break.
  expect(calm.spends.get("total all")).toBeGreaterThan(95n);
}, 600_000);

test("a seed always gives the same world", async () => {
  const code = await programs();
  const outcomes: Outcome[] = [];
  // The world between them must leave nothing in the memory of the code that they share.
  for (const seed of [3, 4, 3]) outcomes.push(await run({ seed, hours: 0.2, programs: code, trace: true }));
  const [one, , other] = outcomes.map(({ trace }) => trace.join("\n"));
  expect(one?.length).toBeGreaterThan(1_000_000);
  expect(one === other).toBe(true);
});
