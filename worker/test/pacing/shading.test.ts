//! Learned shading through the real objects: what notices tell moves the price, and nothing else does.

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pacer } from "../../src/pacing/pacer.ts";
import { pacerOf, relayOf } from "../../src/pacing/places.ts";
import { pushBudget, startTraffic, type Traffic } from "../support/pacing.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let traffic: Traffic;

beforeEach(async () => {
  traffic = await startTraffic();
  await pushBudget({ learn_shading: true });
});

afterEach(() => traffic.end());

/** The prices of the next bids that are not for comparison. */
async function prices(): Promise<number[]> {
  traffic.prices = [];
  await traffic.step(20);
  return traffic.prices.filter((price) => price !== 1.8);
}

it("bids less where less wins, within a minute, and a tenth less each minute after it", async () => {
  traffic.rival = 0.9;
  await traffic.step(20);
  expect(new Set(traffic.prices)).toEqual(new Set([1.8]));
  for (let n = 0; n < 12; n++) await traffic.step(20);
  const first = await prices();
  expect(first.length).toBeGreaterThan(15);
  for (const price of first) expect(price).toBeLessThan(1.8);
  for (const price of first) expect(price).toBeGreaterThan(1.8 * 0.8);
  for (let n = 0; n < 120; n++) await traffic.step(10);
  for (const price of await prices()) {
    expect(price).toBeGreaterThan(0.85);
    expect(price).toBeLessThan(1.2);
  }
});
