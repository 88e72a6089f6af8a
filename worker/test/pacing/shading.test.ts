//! Learned shading through the real objects: what notices tell moves the price, and nothing else does.

import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PacingModule } from "../../src/pacing/module.ts";
import { pacerOf } from "../../src/pacing/objects.ts";
import { Pacer } from "../../src/pacing/pacer.ts";
import { Relay } from "../../src/pacing/relay.ts";
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

/** The prices of the next bids while no alarm rings. */
async function untick(requests: number): Promise<number[]> {
  traffic.prices = [];
  await traffic.step(requests, { tick: false });
  return traffic.prices;
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
  const { places: spots = [] } = await pacerOf(env).learned();
  const known = spots.filter(({ wins }) => wins !== undefined);
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

it("bids as the buyer says ten minutes after relays and the pacer are killed, and learns again when they are back", async () => {
  await pushBudget({ learn_shading: true, shading: { typical: "1.20", steepness: 2 } });
  traffic.isolate = new Isolate();
  traffic.rival = 0.6;
  await traffic.step(20);
  const [own = 0, ...others] = new Set(traffic.prices);
  expect([own < MOST, others]).toEqual([true, []]);
  await learned(120);
  const before = await prices();
  expect(Math.max(...before.filter((price) => price !== own))).toBeLessThan(own * 0.95);

  await evictDurableObject(pacerOf(env));
  const dead = [Relay, Pacer].map((of) => vi.spyOn(of.prototype, "exchange").mockRejectedValue(new Error("killed")));
  traffic.now += 300_000;
  await traffic.step(1, { tick: false });
  expect((await untick(20)).filter((price) => price !== own)).not.toEqual([]);
  traffic.now += 360_000;
  await traffic.step(1, { tick: false });
  expect(new Set(await untick(20))).toEqual(new Set([own]));

  for (const mock of dead) mock.mockRestore();
  await learned(30);
  const after = (await prices()).filter((price) => price !== own);
  expect(after.length).toBeGreaterThan(15);
  expect(Math.max(...after)).toBeLessThan(own * 0.95);
});

it("goes on with budgets after a trap in learned shading, which forgets what it knew", async () => {
  await pushBudget({ learn_shading: true, budget: { daily: "1000" } });
  traffic.isolate = new Isolate();
  traffic.rival = 0.9;
  await learned(30);
  const known = async () => (await pacerOf(env).learned()).places?.[0]?.notices ?? 0;
  expect(await known()).toBeGreaterThan(200);
  const { ask } = PacingModule.prototype;
  let traps = 0;
  vi.spyOn(PacingModule.prototype, "ask").mockImplementation(function (this: PacingModule, what, now) {
    if (what === "tick" && traps++ === 0) throw new WebAssembly.RuntimeError("unreachable");
    return ask.call(this, what, now);
  });
  await traffic.step(20);
  expect(traps).toBe(1);
  await traffic.step(20);
  expect((await traffic.told()).cid).toBe("acme-spring");
  expect(await known()).toBeLessThan(100);
  await learned(30);
  expect((await prices())[0]).toBeLessThan(MOST * 0.95);
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
