//! The plan of a push, who has to approve it, and that a push without approval writes nothing.

import { beforeEach, expect, test, vi } from "vitest";
import { POINTER_KEY } from "../../shared/catalog/pointer.ts";
import { planOf, planText } from "../../shared/compare/plan.ts";
import type { Ask } from "../ask.ts";
import { approve } from "../catalog/approve.ts";
import { sourceOfBytes } from "../catalog/source.ts";
import { pushSource } from "../catalog/write.ts";
import { bytesOf, catalogText } from "./bidder.ts";
import { FakeStore } from "./fake-store.ts";

type Entry = Record<string, unknown>;

const NOW = Date.parse("2026-11-28T12:00Z");

type Campaign = Entry & { cid: string };

const campaign = (cid: string, more: Entry = {}): Campaign => ({ cid, max_cpm: "2.00", ...more });
const document = (campaigns: Campaign[], more: Entry = {}) => ({
  ssps: [{ id: "demo" }, { id: "south", credentials: ["00"] }],
  privacy: { vendor_id: 755 },
  campaigns,
  ...more,
});
const evening = (times: string) => ({ when: { hours: { include: [20, 21] } }, times });
const daily = (amount: unknown) => ({ budget: { daily: amount } });

const before = document(
  [
    campaign("a", { ...daily("10"), caps: [{ n: 2, per: "day" }], target: { country: { include: ["DEU"] } } }),
    campaign("b", { template: "t", paused: true }),
    campaign("c", { deals: ["d-1", { id: "d-2", max_cpm: "3.00" }], bids: [evening("1.2")] }),
    ...["d", "e"].map((cid) => campaign(cid)),
    campaign("f", { end: "2026-11-01T00:00Z" }),
  ],
  {
    rates: [{ cur: "EUR", usd: "1.08" }],
    templates: [{ id: "t", cur: "EUR", ...daily("5") }],
    orders: [{ id: "io", ...daily("100") }],
  },
);

/** The document with other attributes of campaigns; null removes one. */
const changed = (by: Record<string, Entry | null>, more: Entry = {}): Entry => ({
  ...before,
  ...more,
  campaigns: [
    ...before.campaigns.flatMap((one) => (by[one.cid] === null ? [] : [{ ...one, ...by[one.cid] }])),
    ...Object.keys(by)
      .filter((cid) => !before.campaigns.some((one) => one.cid === cid))
      .map((cid) => campaign(cid, by[cid] ?? {})),
  ],
});

const lines = (after: Entry) => planText(planOf(before, after, NOW));

beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

test.each<[string, Entry, string[]]>([
  ["nothing", changed({}), []],
  [
    "campaigns",
    changed({ c: null, d: { paused: true }, b: { paused: false }, g: {} }),
    [
      "campaigns: 1 added (g), 1 removed (c), 2 changed (b, d), 1 paused (d), 1 resumed (b)",
      "daily budgets in EUR: 0 → 5",
      "! d would be paused",
    ],
  ],
  [
    "prices, also those that fall",
    changed({ d: { max_cpm: "1.10" }, b: { max_cpm: 3_000_000 } }),
    ["campaigns: 2 changed (b, d)", "max_cpm of b: 2 EUR → 3 EUR", "max_cpm of d: 2 USD → 1.1 USD"],
  ],
  [
    "what a deal costs, and whether the campaign also bids without it",
    changed({
      c: { deals: ["d-1", { id: "d-2", max_cpm: "3.00" }, { id: "d-3", max_cpm: 8_000_000 }] },
      g: { deals: [{ id: "x", max_cpm: "8" }], open: false },
    }),
    [
      "campaigns: 1 added (g), 1 changed (c)",
      "deals of c: d-1, d-2 at 3 USD; also without a deal → d-1, d-2 at 3 USD, d-3 at 8 USD; also without a deal",
      "deals of g: none → x at 8 USD; only under deals",
    ],
  ],
  [
    "budgets and caps",
    changed({ a: { ...daily("12.50"), caps: [] } }),
    [
      "campaigns: 1 changed (a)",
      "daily budgets in USD: 110 → 112.5",
      "budget of a: daily 10 USD → daily 12.5 USD",
      "caps of a: 2 per day → none",
    ],
  ],
  [
    "the budget of a template",
    changed({ b: { paused: false } }, { templates: [{ id: "t", cur: "EUR", ...daily(7_000_000) }] }),
    [
      "campaigns: 1 changed (b), 1 resumed (b)",
      "templates: t changed (budget.daily: 5 → 7000000)",
      "daily budgets in EUR: 0 → 7",
      "budget of b: daily 5 EUR → daily 7 EUR",
    ],
  ],
  [
    "SSPs, rates and settings",
    changed({}, { ssps: [{ id: "demo", billing: "win" }, ...before.ssps.slice(1)], rates: [], format: 1 }),
    ["format: now 1, was not set", "rates: EUR removed", "ssps: demo changed (billing: now win, was not set)"],
  ],
])("%s", (_, after, expected) => {
  expect(lines(after)).toEqual(expected);
});

test.each<[string, Entry, string | null]>([
  ["1 of 6 campaigns", changed({ c: null }), null],
  ["2 of 6 campaigns", changed({ c: null, d: null }), "2 of 6 campaigns would be removed"],
  ["an SSP", changed({}, { ssps: [{ id: "demo" }] }), "the SSP south would be removed: its requests would get a 404"],
  ["the double price", changed({ a: { max_cpm: "4.00" } }), null],
  ["more", changed({ a: { max_cpm: "4.01" } }), "max_cpm of a would more than double, from 2 USD to 4.01 USD"],
  ["a deal's price", changed({ c: { deals: ["d-1", { id: "d-2", max_cpm: "4.00" }] } }), null],
  [
    "more",
    changed({ c: { deals: ["d-1", { id: "d-2", max_cpm: "40.00" }] } }),
    "deals[1].max_cpm of c would more than double, from 3 USD to 40 USD",
  ],
  [
    "a deal that paid the campaign's price",
    changed({ c: { deals: [{ id: "d-1", max_cpm: 20_000_000 }] } }),
    "deals[0].max_cpm of c would more than double, from 2 USD to 20 USD",
  ],
  ["a new deal", changed({ c: { deals: [{ id: "d-3", max_cpm: "40.00" }] } }), null],
  ["a factor", changed({ c: { bids: [evening("2.4")] } }), null],
  ["more", changed({ c: { bids: [evening("12")] } }), "bids[0].times of c would more than double, from 1.2 to 12"],
  ["a new factor", changed({ d: { bids: [evening("3")] } }), "bids[0].times of d would more than double, from 1 to 3"],
  ["a pause", changed({ c: { paused: true }, d: { paused: true } }), "c, d would be paused"],
  ["a campaign that was paused", changed({ b: { max_cpm: "1" } }), null],
  ["an end that comes", changed({ c: { end: "2026-11-28T12:01Z" } }), null],
  [
    "an end that is past",
    changed({ c: { end: "2026-11-28T12:00Z" }, g: { flights: [{ end: "2025-12-01T00:00Z" }] } }),
    "c, g would not bid, because the end is past",
  ],
  ["a campaign that had ended", changed({ f: { end: "2026-11-20T00:00Z" } }), null],
  [
    "another currency",
    changed({ a: { cur: "JPY", max_cpm: "300" } }),
    "the price of a would be in another currency, 300 JPY after 2 USD",
  ],
  [
    "the currency of a template",
    changed({}, { templates: [{ id: "t", cur: "CHF", ...daily("5") }] }),
    "the price of b would be in another currency, 2 CHF after 2 EUR",
  ],
  ["the double budget", changed({}, { orders: [{ id: "io", ...daily("210") }] }), null],
  [
    "more",
    changed({}, { orders: [{ id: "io", ...daily("211") }] }),
    "the daily budgets in USD would more than double, from 110 to 221",
  ],
  ["a usual rate", changed({}, { rates: [{ cur: "EUR", usd: "1.50" }] }), null],
  [
    "a decimal point",
    changed({}, { rates: [{ cur: "EUR", usd: "10.8" }] }),
    "the rate of EUR would move by more than 40 %, from 1.08 to 10.8",
  ],
  ["no budget", changed({ a: { budget: null } }), "a would have no budget any more"],
  ["a smaller one", changed({ a: daily("1") }), null],
  [
    "a token",
    changed({}, { ssps: [{ id: "demo" }, { id: "south", credentials: [] }] }),
    "the SSP south would need no token any more: anybody could send its requests",
  ],
  ["a vendor id", changed({}, { privacy: {} }), "privacy.vendor_id would change from 755 to nothing"],
  [
    "people in the EU",
    changed({}, { privacy: { vendor_id: 755, bid_unregistered: true } }),
    "privacy.bid_unregistered would change from nothing to true",
  ],
  ["a wider target", changed({ a: { target: {} } }), "the target of a would have no country any more"],
  ["another target", changed({ a: { target: { country: { include: ["FRA"] } } } }), null],
])("warns of what may be a mistake: %s", (_, after, warning) => {
  expect(planOf(before, after, NOW).warnings).toEqual(warning === null ? [] : [warning]);
});

const safe = planOf(before, changed({ g: {} }), NOW);
const risky = planOf(before, changed({ c: null, d: null }), NOW);
const says =
  (answer: string): Ask =>
  async () =>
    answer;

test.each<[string, typeof safe, Parameters<typeof approve>[1], Ask, boolean]>([
  ["a local push", risky, { local: true }, null, true],
  ["a yes", risky, {}, says("y"), true],
  ["a no", safe, {}, says(""), false],
  ["nobody to ask", safe, {}, null, true],
  ["nobody to ask, and warnings", risky, {}, null, false],
  ["nobody to ask, warnings, and --yes", risky, { yes: true }, null, true],
])("%s", async (_, plan, options, ask, isApproved) => {
  const approving = approve(plan, options, ask);
  if (isApproved) await expect(approving).resolves.toBeUndefined();
  else await expect(approving).rejects.toThrow(/^nothing was changed/);
});

const source = (text: string) => sourceOfBytes("catalog.json", bytesOf(text));

test.each<[string, (store: FakeStore) => void]>([
  [
    "its source is not in KV",
    (store) => void [...store.values.keys()].filter(isSource).map((key) => store.values.delete(key)),
  ],
  [
    "the pointer is of another format",
    (store) => store.values.set(POINTER_KEY, { value: bytesOf('{"format":2,"version":"x"}') }),
  ],
  ["the pointer is not JSON", (store) => store.values.set(POINTER_KEY, { value: bytesOf("{") })],
])("warns if what is served cannot be read: %s", async (_, damage) => {
  const store = new FakeStore();
  await pushSource(store, source(catalogText), {});
  damage(store);
  const other = source(catalogText.replace('"max_cpm": "1.80"', '"max_cpm": "9.80"'));
  const warnings: string[] = [];
  const pushed = await pushSource(store, other, { force: true }, async (plan) => void warnings.push(...plan.warnings));
  expect(pushed.changed).toBe("catalog");
  expect(warnings).toEqual([expect.stringContaining("what is served cannot be read")]);
});

const isSource = (key: string) => key.includes("/document");

test("a push without approval writes nothing", async () => {
  const store = new FakeStore();
  await pushSource(store, source(catalogText), {});
  const { writes } = store;
  const other = source(catalogText.replace('"max_cpm": "1.80"', '"max_cpm": "9.80"'));
  const refused = pushSource(store, other, {}, async ({ prices }) => {
    throw new Error(prices.map(({ cid }) => cid).join());
  });
  await expect(refused).rejects.toThrow("acme-spring");
  expect(store.writes).toBe(writes);
});
