//! A catalog with more budgets than one pacer takes: several pacers share them, and to everybody else they are one.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BUDGET_PAIRS, MAX_PACERS, PACER_PAIRS } from "../../../shared/limits.ts";
import { SHARES_KEY } from "../../../shared/pacing/shares.ts";
import { numberOfPacer, pacerOf, pacersFor } from "../../src/pacing/objects.ts";
import { example, NO_URLS } from "../support/catalogs.ts";
import { text } from "../support/fixtures.ts";
import { pushed } from "../support/kv.ts";
import { startTraffic, type Traffic } from "../support/pacing.ts";

const PACERS = 4;
const CAMPAIGNS = 13;
/** So many SSPs that the budgets of all campaigns need four pacers. */
const SSPS = Math.ceil((2.5 * PACER_PAIRS) / (CAMPAIGNS - 1));

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let traffic: Traffic;

beforeEach(async () => {
  traffic = await startTraffic();
});

afterEach(() => traffic.end());

/** Pushes as many campaigns, each with a budget; the first two are those of an order, if there are several. */
function pushCampaigns(count: number) {
  const document = JSON.parse(text(example({ spring: NO_URLS })));
  const spring = document.campaigns.find(({ cid }: { cid: string }) => cid === "acme-spring");
  const budget = { budget: { daily: "0.1" }, pacing: "asap" };
  const campaigns = Array.from({ length: count }, (_, n) => ({
    ...spring,
    cid: `spring-${n}`,
    ...(count > 1 && n < 2 ? { budget_of: "both" } : budget),
  }));
  const orders = count > 1 ? { orders: [{ id: "both", cur: "USD", ...budget }] } : {};
  const ssps = [...document.ssps, ...Array.from({ length: SSPS }, (_, n) => ({ id: `more-${n}` }))];
  return pushed({ ...document, ssps, ...orders, campaigns });
}

/** The keys of the budgets for which a pacer has made shares. */
async function keysOf(pacer: number): Promise<string[]> {
  const shares = await runInDurableObject(pacerOf(env, pacer), (one) => one.exchange(null, { of: PACERS, since: 0 }));
  return shares.match(/^[0-9a-f]{16}(?= )/gm) ?? [];
}

async function spent(): Promise<bigint> {
  return ((await pacerOf(env).told()) ?? []).reduce((sum, { spent_today }) => sum + BigInt(spent_today), 0n);
}

it("share all budgets of a catalog that grows, tell them as one, and spend none twice", async () => {
  await pushCampaigns(1);
  await traffic.until(60, 10, () => traffic.bids > 3);
  expect(await pacerOf(env).told()).toHaveLength(1);
  await pushCampaigns(CAMPAIGNS);
  await traffic.rest(10);
  const before = traffic.bids;
  await traffic.until(60, 10, () => traffic.bids > before + 20);
  await traffic.rest(3);
  const keys = (await Promise.all([0, 1, 2, 3].map(keysOf))).map((some) => some.sort());
  expect(keys.every((some) => some.length > 0)).toBe(true);
  expect(new Set(keys.flat()).size).toBe(12);
  expect(keys.flat()).toHaveLength(12);
  const told = (await pacerOf(env).told()) ?? [];
  expect(told.map(({ cid, order }) => cid ?? order)).toHaveLength(12);
  expect(await spent()).toBe(traffic.billed);
  expect(await pacerOf(env).told("spring-0")).toMatchObject([{ order: "both" }]);
  expect(await pacerOf(env).alarms()).toEqual([]);
  const stored = (await env.CATALOG.get(SHARES_KEY)) ?? "";
  expect(stored.match(/^[0-9a-f]{16}(?= )/gm)?.sort()).toEqual(keys.flat().sort());
  // A pacer that starts again knows what its budgets have spent.
  await evictDurableObject(pacerOf(env, 1));
  await traffic.step(10);
  await traffic.rest(3);
  expect(await spent()).toBe(traffic.billed);
});

it("are one again if the catalog gets smaller, and the moved budget knows what it has spent", async () => {
  await pushCampaigns(CAMPAIGNS);
  await traffic.until(60, 10, () => traffic.bids > 20);
  await traffic.rest(2);
  const own = await pacerOf(env).told("spring-12");
  await pushCampaigns(1);
  await traffic.rest(10);
  const before = traffic.bids;
  await traffic.until(30, 10, () => traffic.bids > before);
  await traffic.rest(2);
  const told = (await pacerOf(env).told()) ?? [];
  expect(told.map(({ cid }) => cid)).toEqual(["spring-0"]);
  expect(BigInt(told[0]?.spent_today ?? 0)).toBeGreaterThan(0n);
  expect(own).toHaveLength(1);
  // Nobody calls the others any more, so they stop.
  traffic.now += 700_000;
  await traffic.step(1);
  for (const pacer of [1, 2, 3]) {
    await runDurableObjectAlarm(pacerOf(env, pacer));
    await runDurableObjectAlarm(pacerOf(env, pacer));
    expect(await runInDurableObject(pacerOf(env, pacer), (_, { storage }) => storage.getAlarm())).toBeNull();
  }
});

it("are as many as their pairs need, a power of two, and know their numbers", async () => {
  const of = (budgets: number, ssps: number) => pacersFor([{ budgets, ssps: Array(ssps).fill("") }]);
  const budgets = PACER_PAIRS / (BUDGET_PAIRS + 6);
  const all = [of(0, 0), of(budgets, 6), of(budgets + 1, 6), of(PACER_PAIRS, 1), of(1e6, 1e3)];
  expect(all).toEqual([1, 1, 2, 4, MAX_PACERS]);
  for (const pacer of [0, 1, 3]) {
    const number = await runInDurableObject(pacerOf(env, pacer), (_, { id }) => numberOfPacer(env, id));
    expect(number).toBe(pacer);
  }
});
