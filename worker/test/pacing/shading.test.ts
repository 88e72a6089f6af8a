//! Learned shading through the real objects: what notices tell moves the price, and nothing else does.

import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pacer } from "../../src/pacing/pacer.ts";
import { pacerOf } from "../../src/pacing/places.ts";
import { Isolate } from "../support/isolate.ts";
import { pushBudget, startTraffic, type Traffic } from "../support/pacing.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The campaign's `max_cpm`, and its own guess of what to bid. */
const MOST = 1.8;

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
  return traffic.prices.filter((price) => price !== MOST);
}

async function learned(steps = 13): Promise<void> {
  for (let n = 0; n < steps; n++) await traffic.step(20);
}

it("bids less where less wins, within a minute, and then a tenth less each minute", async () => {
  traffic.rival = 0.9;
  await traffic.step(20);
  expect(new Set(traffic.prices)).toEqual(new Set([MOST]));
  await learned(12);
  const first = await prices();
  expect(first.length).toBeGreaterThan(15);
  for (const price of first) expect(price).toBeLessThan(MOST);
  for (const price of first) expect(price).toBeGreaterThan(MOST * 0.85);
  await learned(120);
  for (const price of await prices()) {
    expect(price).toBeGreaterThan(0.85);
    expect(price).toBeLessThan(1.2);
  }
  const { places = [] } = await pacerOf(env).learned();
  const known = places.filter(({ wins }) => wins !== undefined);
  expect(known.map(({ place }) => place)).toEqual(expect.arrayContaining(["00000000", "00000001"]));
  // The rivals always bid the same, so half of the auctions are won at about this price, as exactly as bins are smooth.
  for (const { wins } of known) expect(Math.abs((wins?.[4] ?? 0) / 900_000 - 1)).toBeLessThan(0.25);
});

it("goes on with what it knew when the pacer starts again, and forgets it while the pacer is away", async () => {
  traffic.rival = 0.9;
  await learned(60);
  await evictDurableObject(pacerOf(env));
  await traffic.step(1);
  expect((await prices())[0]).toBeLessThan(MOST * 0.9);
  vi.spyOn(Pacer.prototype, "exchange").mockRejectedValue(new Error("away"));
  traffic.now += 660_000;
  await traffic.step(1, { tick: false });
  expect(await prices()).toEqual([]);
});

it("learns nothing from a price to win that cannot be true", async () => {
  traffic.rival = 9;
  for (const absurd of ["0", "-1", "181"]) {
    traffic.minToWin = () => absurd;
    await learned(3);
  }
  expect(traffic.isolate.counters.toJSON()).toMatchObject({ "notice-absurd-min-to-win": 180 });
  traffic.isolate = new Isolate();
  await traffic.step(1);
  expect(await prices()).toEqual([]);
});
