//! Budgets in the built module: who bids with which shares, what is counted, and what a new instance keeps.

import { beforeEach, expect, it } from "vitest";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import type { Bidder } from "../../src/wasm/bidder.ts";
import { explanation } from "../../src/wasm/explanation.ts";
import { bidderOf, catalogDocument, simple, text } from "../support/fixtures.ts";

/** Wednesday, 2026-11-18T12:00:00Z. */
const NOW = 1_795_003_200_000;
const WHOLE = 2 ** 32 - 1;

const document = JSON.parse(text(catalogDocument));
const request = simple;

/** The campaign that answers the request, with a budget. No other campaign is in the catalog. */
let bidder: Bidder;
let campaign: string;

const bytes = (line: string) => new TextEncoder().encode(line);
const shares = (share: number, made = NOW) => bytes(`${made}\n${campaign} ${share}\n`);
const outcome = (now = NOW) => bidder.decide(request, bidder.ssp("demo") ?? -1, now, 0, 7).count;
const counts = (now: number) => text(bidder.takeCounts(now) ?? new Uint8Array());

beforeEach(() => {
  const first = bidderOf(catalogDocument).decide(request, 0, NOW, 0, 7).body ?? new Uint8Array();
  const { cid } = JSON.parse(text(first)).seatbid[0].bid[0];
  const own = document.campaigns.find((one: { cid: string }) => one.cid === cid);
  const budgeted = { ...own, budget: { daily: "5" }, target: { ...own.target, zone: "Europe/Berlin" } };
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
