//! Parts of pacing fail while a campaign with a large budget bids on every request: what its bids do then, and how it
//! heals.

import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RELAYS } from "../../../shared/limits.ts";
import { pacerOf, relayOf } from "../../src/pacing/objects.ts";
import { Isolate } from "../support/isolate.ts";
import { pushBudget, startTraffic, type Traffic, vars } from "../support/pacing.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const gone = { getByName: () => ({ exchange: () => Promise.reject(new Error("gone")) }) };
const WITHOUT_RELAYS = { ...vars, RELAY: gone };

let traffic: Traffic;

beforeEach(async () => {
  traffic = await startTraffic();
  await pushBudget({ budget: { daily: "9000" }, pacing: "asap" });
  for (let n = 0; n < 12; n++) await traffic.step(10);
  expect(await traffic.step(10)).toBe(10);
});

afterEach(() => traffic.end());

/** The bids on ten requests each five seconds, until so many seconds have passed. */
async function bidsFor(seconds: number, tick = false): Promise<number[]> {
  const bids: number[] = [];
  for (let at = 5; at <= seconds; at += 5) bids.push(await traffic.step(10, { tick }));
  return bids;
}

const sum = (bids: number[]) => bids.reduce((sum, one) => sum + one, 0);

it("without relays and pacer, a campaign bids for a minute, then half as much, then not; then it heals", async () => {
  traffic.vars = WITHOUT_RELAYS;
  // The shares are five seconds old, and one exchange later they would be replaced.
  expect(sum(await bidsFor(50))).toBe(100);
  await bidsFor(10);
  const halved = sum(await bidsFor(50));
  expect(halved).toBeGreaterThan(20);
  expect(halved).toBeLessThan(80);
  await bidsFor(15);
  expect(sum(await bidsFor(20))).toBe(0);
  expect(traffic.isolate.pacing.state({ budgets: 1, ssps: [] })?.failure).toContain("gone");
  traffic.vars = vars;
  await bidsFor(15, true);
  expect(sum(await bidsFor(50, true))).toBeGreaterThan(20);
});

it("a new isolate without relays bids with the shares in KV, and an old one goes on with them", async () => {
  traffic.vars = WITHOUT_RELAYS;
  traffic.isolate = new Isolate();
  expect(await traffic.step(10)).toBeLessThan(10);
  expect(await traffic.step(10)).toBe(10);
  // The pacer ticks and writes to KV, although no relay calls it.
  expect(sum(await bidsFor(180, true))).toBeGreaterThan(350);
  expect(traffic.isolate.pacing.state({ budgets: 1, ssps: [] })?.age).toBeLessThan(60);
});

it("relays that start again cost no bid", async () => {
  await Promise.allSettled(Array.from({ length: RELAYS }, (_, n) => evictDurableObject(relayOf(env, 0, n))));
  expect(sum(await bidsFor(30, true))).toBe(60);
});

it("a pacer that starts again costs no bid", async () => {
  await evictDurableObject(pacerOf(env));
  expect(sum(await bidsFor(60, true))).toBe(120);
});

it("without KV, everything goes on", async () => {
  const fail = () => Promise.reject(new Error("KV is down"));
  const put = vi.spyOn(env.CATALOG, "put").mockImplementation(fail);
  vi.spyOn(env.CATALOG, "get").mockImplementation(fail as never);
  expect(sum(await bidsFor(60, true))).toBe(120);
  expect(put).toHaveBeenCalled();
});

it.each([
  ["back", -3_600_000],
  ["forward", 3_600_000],
])("a clock that jumps an hour %s freezes no shares, and makes none old for long", async (_, ms) => {
  traffic.now += ms;
  await bidsFor(15, true);
  expect(sum(await bidsFor(20, true))).toBeGreaterThan(20);
  // New shares still arrive.
  expect(traffic.isolate.pacing.state({ budgets: 1, ssps: [] })?.age).toBeLessThan(15);
  await pushBudget({ budget: { daily: "0.001" }, pacing: "asap" });
  await bidsFor(60, true);
  expect(sum(await bidsFor(20, true))).toBe(0);
});
