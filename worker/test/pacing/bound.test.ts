//! Whatever arrives, an isolate bids no more of a budget than its part of the rest until it gets newer shares.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pushBudget, startTraffic, type Traffic } from "../support/pacing.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let traffic: Traffic;

beforeEach(async () => {
  traffic = await startTraffic();
});

afterEach(() => traffic.end());

it("keeps to the budget when hundreds of times the requests come from one moment to the next", async () => {
  await pushBudget({ budget: { daily: "0.5" }, pacing: "asap" });
  await traffic.until(60, 1, () => traffic.bids > 5);
  const { left, share } = await traffic.told();
  expect(share).toBe(2 ** 32 - 1);
  const bids = await traffic.step(600);
  expect(BigInt(bids) * 1_800_000n).toBeGreaterThan(BigInt(left) / 20n);
  expect(BigInt(bids) * 1_800_000n).toBeLessThan(BigInt(left) / 5n);
  for (let n = 0; n < 6; n++) await traffic.step(600);
  expect(traffic.billed).toBeGreaterThan(200_000_000n);
  expect(traffic.billed).toBeLessThanOrEqual(500_000_000n);
});
