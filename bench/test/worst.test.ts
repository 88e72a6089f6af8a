//! No request may cost many times more than a usual one. On Cloudflare the clock stands still while the module
//! computes, so the module cannot stop such a request by time. Requests are generated, and former worst cases included.
//!
//!     WORST_SEED=7 WORST_COUNT=2000 npx vitest run --project node bench/test/worst.test.ts

import { expect, it } from "vitest";
import { hostile } from "../instructions/hostile.ts";
import { type Cost, costs } from "../instructions/worst.ts";

const SEED = Number(process.env["WORST_SEED"] ?? 1);
const COUNT = Number(process.env["WORST_COUNT"] ?? 200);
const SHOWN = 10;

/**
 * For each setup, the limit of a request's cost beyond reading it, in units of the mean request of the mix. The
 * body of 100 KB in `bench/bodies/`, with 62 impressions, costs 10 with 1,000 campaigns.
 */
const BOUNDS = [
  { setup: { campaigns: 1000 }, most: 35 },
  { setup: { campaigns: 1000, maxResponseBytes: 200_000 }, most: 35 },
  { setup: { campaigns: 1000, isLong: true }, most: 75 },
  { setup: { campaigns: 50_000 }, most: 60 },
];

it("no hostile request costs more than the limit of its setup", { timeout: 600_000 }, () => {
  const requests = [...hostile(SEED, COUNT)];
  const setups = costs(
    BOUNDS.map(({ setup }) => setup),
    requests,
  );
  for (const [at, { setup, costs }] of setups.entries()) {
    const worst = costs.slice(0, SHOWN).map(line).join("\n");
    console.log(`${requests.length} requests, ${JSON.stringify(setup)}:\n${worst}`);
    expect(costs[0]?.share, worst).toBeLessThanOrEqual(BOUNDS[at]?.most ?? 0);
  }
});

function line({ name, bytes, share }: Cost): string {
  return `  ${share.toFixed(1)} times the mean, ${bytes} bytes: ${name}`;
}
