//! The Worker's classes and routes in simulated worlds, in which everything fails that may.
//!
//!     SEEDS=500 HOURS=1 npx vitest run --project long-node cli/test/simulate.test.ts
//!
//! A world that breaks a rule: `npm run simulate -- --seed N` tells its story.

import { beforeAll, expect, test } from "vitest";
import { type Programs, programs } from "./simulate/platform/program.ts";
import { faultsIn } from "./simulate/platform/rates.ts";
import { type Outcome, run } from "./simulate/run.ts";

const SEEDS = Number(process.env["SEEDS"] ?? 50);
const HOURS = Number(process.env["HOURS"] ?? 1);
/** In the first hour, the pacer holds money back for bills that come an hour later. */
const LONG_HOURS = 2.5;

let code: Programs;

beforeAll(async () => {
  code = await programs();
});

test(`${SEEDS} worlds of ${HOURS} hours keep all rules`, async () => {
  const broken: string[] = [];
  const faults = new Set<string>();
  let [bids, bills] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = await run({ seed, hours: HOURS, programs: code });
    if (outcome.broken) broken.push(`seed ${seed}: ${outcome.broken.message}`);
    for (const fault of faultsIn(outcome.rates)) faults.add(fault);
    [bids, bills] = [bids + outcome.bids, bills + outcome.bills];
  }
  console.info(`${SEEDS} worlds with ${bids} bids and ${bills} bills; faults: ${[...faults].sort().join(", ")}`);
  expect(broken).toEqual([]);
  // A world without bids and bills would keep all rules.
  expect(bills).toBeGreaterThan(SEEDS * 200 * HOURS);
}, 1_800_000);

test("budgets are spent to their end in the second hour, and not exceeded", async () => {
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
  const traces: Outcome[] = [];
  for (let time = 0; time < 2; time++) traces.push(await run({ seed: 3, hours: 0.2, programs: code }));
  const [one, other] = traces.map(({ trace }) => trace.join("\n"));
  expect(one?.length).toBeGreaterThan(1_000_000);
  expect(one === other).toBe(true);
});
