//! Budgets in the built module: who bids with which shares, what is counted, and what a new instance keeps.

import { beforeEach, expect, it } from "vitest";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { explanation } from "../../../shared/wasm/explanation.ts";
import { bidderOf, catalogDocument, simple, text } from "../support/fixtures.ts";

/** Wednesday, 2026-11-18T12:00:00Z. */
const NOW = 1_795_003_200_000;
const WHOLE = 2 ** 32 - 1;

const document = JSON.parse(text(catalogDocument));
const request = simple;

/** The campaign that answers the request, with a budget. No other campaign is in the catalog. */
let budgeted: { deals?: unknown };
let bidder: Bidder;
let campaign: string;

const bytes = (line: string) => new TextEncoder().encode(line);
const shares = (share: number, made = NOW) => bytes(`${made}\n${campaign} ${share}\n`);
const decide = (body: Uint8Array, now: number, lot = 0) =>
  bidder.decide({ body, ssp: bidder.ssp("demo") ?? -1, now, seed: [0, 7], lot });
const outcome = (now = NOW) => decide(request, now).count;
const counts = (now: number) => text(bidder.takeCounts(now) ?? new Uint8Array());

beforeEach(() => {
  const first =
    bidderOf(catalogDocument).decide({ body: request, ssp: 0, now: NOW, seed: [0, 7] }).body ?? new Uint8Array();
  const { cid } = JSON.parse(text(first)).seatbid[0].bid[0];
  const own = document.campaigns.find((one: { cid: string }) => one.cid === cid);
  budgeted = { ...own, budget: { daily: "5" }, target: { ...own.target, zone: "Europe/Berlin" } };
  bidder = bidderOf(bytes(JSON.stringify({ ...document, campaigns: [budgeted] })));
  campaign = JSON.parse(text(bidder.budgetList())).budgets[0].key;
});

it("lists the budgets for the pacer", () => {
  expect(bidder.budgets).toBe(1);
  const { budgets, ssps, rates } = JSON.parse(text(bidder.budgetList()));
  const [budget, ...others] = budgets;
  expect(budget).toMatchObject({ cur: "USD", zone: "Europe/Berlin", daily: 5e9 });
  expect(budget.changes.length).toBeGreaterThan(1);
  const given = ["cid", "key", "cur", "zone", "daily", "changes"];
  expect([Object.keys(budget).sort(), others]).toEqual([given.sort(), []]);
  expect(bidderOf(catalogDocument).budgets).toBe(0);
  expect(ssps).toContainEqual({ key: expect.stringMatching(/^[0-9a-f]{16}$/), id: "demo" });
  expect(rates).toMatchObject({ USD: 1e9 });
});

it("bids with a share, and not without one or with an old one", () => {
  expect(outcome()).toBe("pacing");
  bidder.useShares(shares(WHOLE));
  expect([outcome(), outcome(NOW + 120_000)]).toEqual(["bid", "pacing"]);
  for (const none of [null, bytes("no shares"), shares(0)]) {
    bidder.useShares(shares(WHOLE));
    bidder.useShares(none);
    expect(outcome()).toBe("pacing");
  }
});

it("tells the age of shares only if it has bid with them", () => {
  bidder.useShares(shares(WHOLE, NOW - 600_000));
  expect([outcome(), counts(NOW + 1).split("\n")[0]]).toEqual(["pacing", `${NOW} 0`]);
  bidder.useShares(shares(WHOLE, NOW - 5_000));
  outcome(NOW + 2);
  bidder.useShares(shares(WHOLE, NOW - 3_000));
  outcome(NOW + 3);
  expect(counts(NOW + 4).split("\n")[0]).toBe(`${NOW + 1} ${NOW - 5_000}`);
});

it.each([
  ["d-1", 250],
  [{ id: "d-1", guaranteed: true }, 1000],
])("a deal that the request calls guaranteed is paced unless the catalog says so too: %j", (deal, most) => {
  bidder = bidderOf(bytes(JSON.stringify({ ...document, campaigns: [{ ...budgeted, deals: [deal], open: false }] })));
  bidder.useShares(shares(WHOLE / 5));
  const { imp, ...request } = JSON.parse(text(simple));
  const pmp = { deals: [{ id: "d-1", guar: 1 }] };
  const body = bytes(JSON.stringify({ ...request, imp: [{ ...imp[0], pmp }] }));
  const lots = Array.from({ length: 1000 }, (_, n) => Math.imul(n, 4_294_967) >>> 0);
  const decided = lots.map((lot) => decide(body, NOW, lot));
  const bids = decided.filter(({ count }) => count === "bid").length;
  expect(bids).toBeGreaterThan(most - 100);
  expect(bids).toBeLessThanOrEqual(most);
  // Only what pacing does not hold back is no part of the bids on requests that it lets through.
  const [, , , counted, guaranteed] = counts(NOW).trimEnd().split(/\n| /).slice(2);
  expect([counted, guaranteed]).toEqual([`${bids}`, `${most === 1000 ? bids : 0}`]);
});

it("explains with the shares that it has", () => {
  const explained = () => {
    const { imps } = JSON.parse(text(explanation(bidder, request, bidder.ssp("demo") ?? -1, NOW, compiler).json));
    return imps[0].rejected?.[0] ?? imps[0].bids[0];
  };
  expect(explained()).toMatchObject({ reason: "pacing", found: "no shares have come yet" });
  bidder.useShares(shares(WHOLE));
  expect(explained()).toHaveProperty("price");
});

it("a new instance keeps the shares, and the counts of one that still worked", () => {
  bidder.useShares(shares(WHOLE));
  outcome(NOW + 1);
  bidder.renew();
  expect(outcome(NOW + 2)).toBe("bid");
  const lines = counts(NOW + 5)
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => line.split(" ").slice(-4).join(" "))).toEqual([
    `${NOW + 1} ${NOW}`,
    expect.stringMatching(/^1 1 0 /),
    `${NOW + 2} ${NOW}`,
    expect.stringMatching(/^1 1 0 /),
  ]);
  outcome(NOW + 6);
  bidder.replace();
  expect([outcome(NOW + 7), counts(NOW + 8).split("\n")[0]]).toEqual(["bid", `${NOW + 7} ${NOW}`]);
  expect(bidder.takeCounts(NOW + 9)).toBeNull();
});
