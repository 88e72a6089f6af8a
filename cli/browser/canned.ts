//! Reports and budgets with many rows, as `GET /report` and `GET /budget` write them.

import { wordsOf } from "../../shared/pacing/why.ts";
import { decimal } from "../../shared/report/decimal.ts";
import { averagePrice, winRate } from "../../shared/report/rows.ts";
import { daysBetween } from "../../shared/time/days.ts";
import { page } from "./inspector.ts";

const SSPS = ["demo", "north"];
/** Currencies with the nanos of their spend on the first day, and of a US dollar's worth of them. */
const CURS = [
  { cur: "USD", nanos: 2_160_000_001n, usd: 1_500_000_000n },
  { cur: "EUR", nanos: 8_100_000_000n, usd: 9_250_000_000n },
  { cur: "JPY", nanos: 671_400_000_000n, usd: 4_300_000_000n },
];
const STATES = ["on-plan", "few-requests", "daily-spent", "paused"];

/** The report on campaigns in turns of the currencies. Each campaign spends the more, the later the day. */
function reportOn(query: URLSearchParams, campaigns: string[], curs: typeof CURS) {
  const of = (name: string) => query.get(name) ?? "";
  const [by, wanted] = [of("by").split(","), of("campaign")];
  if (by.includes("version")) return { from: of("from"), to: of("to"), by, rows: splitRows(by) };
  const days = daysBetween(of("from"), of("to")).map((day, n) => ({ day, weight: n + 1 }));
  const own = campaigns.flatMap((campaign, n) => {
    const cur = curs[n % curs.length];
    return cur === undefined || (wanted !== "" && campaign !== wanted) ? [] : [{ ...cur, campaign, weight: 1 }];
  });
  const ssps = SSPS.map((ssp) => ({ ssp, weight: 1 }));
  const rows = grouped(days, by.includes("day")).flatMap((days) =>
    [...Map.groupBy(own, ({ cur }) => cur).values()].flatMap((own) =>
      grouped(own, by.includes("campaign")).flatMap((campaigns) =>
        grouped(ssps, by.includes("ssp")).map((ssps) => rowOf(by, days, campaigns, ssps)),
      ),
    ),
  );
  return { from: of("from"), to: of("to"), by, rows };
}

/** The hours of a split that the second version wins more often. */
function splitRows(by: string[]) {
  const hours = by.includes("hour") ? Array.from({ length: 24 }, (_, n) => n) : [0];
  return hours.flatMap((n) =>
    ["first", "second"].map((version, at) => ({
      ...{ day: "2026-11-20", hour: `2026-11-20T${`${n}`.padStart(2, "0")}:00Z`, version, cur: "USD" },
      ...{ bids: 12_000, wins: 1210 + (300 + n) * at, billed: 1200, assumed: 0, losses: {}, refused: {}, differs: {} },
      ...{ spend: "2.16", spend_usd: "2.16", win_rate: "0.1008", price: "1.8" },
    })),
  );
}

/** All items as one group, or each as its own. */
function grouped<Item>(items: Item[], isEach: boolean): Item[][] {
  return isEach ? items.map((item) => [item]) : [items];
}

type Weighted = { weight: number };

function rowOf(
  by: string[],
  days: (Weighted & { day: string })[],
  campaigns: ((typeof CURS)[number] & Weighted & { campaign: string })[],
  ssps: (Weighted & { ssp: string })[],
) {
  const all = [days, campaigns, ssps].map((items) => items.reduce((sum, { weight }) => sum + weight, 0));
  const weight = all.reduce((product, sum) => product * sum, 1);
  const [first] = campaigns;
  const [bids, wins, billed] = [12_000 * weight, 1210 * weight, 1200 * weight];
  const nanos = (first?.nanos ?? 0n) * BigInt(weight);
  const names = { day: days[0]?.day, campaign: first?.campaign, ssp: ssps[0]?.ssp, creative: "banner-300x250" };
  return {
    ...Object.fromEntries(Object.entries(names).filter(([name]) => by.includes(name))),
    ...{ cur: first?.cur, bids, wins, losses: { 102: 9000 * weight, 100: 4 }, billed, assumed: 0 },
    ...{ spend: decimal(nanos), spend_usd: decimal((first?.usd ?? 0n) * BigInt(weight)) },
    ...{ win_rate: winRate(bids, wins, billed), price: averagePrice(nanos, billed), refused: { "price-missing": 3 } },
    differs: {},
  };
}

const BUDGETS = [
  {
    ...{ cid: "shoes-autumn", cur: "EUR", day: "2026-11-21", pacing: "even", daily: "200", total: "5000" },
    planned: "100",
    ...{ spent: "96.4", spent_total: "1296.4", exposed: "1.25", left: "102.35", share: "0.03", requests: 1840 },
    ...{ forecast: "199.2", state: "on-plan", why: wordsOf("on-plan") },
  },
  {
    ...{ order: "io-1", members: ["a", "b"], cur: "USD", day: "2026-11-21", pacing: "asap", total: "50" },
    ...{ spent: "0", spent_total: "50.0018", exposed: "0", left: "0", share: "0", requests: 7, forecast: "0" },
    state: "total-spent",
    why: wordsOf("total-spent"),
  },
];

/** One of the states, and its words. */
function stateOf(n: number): { state: string; why: string } {
  const state = STATES[n % STATES.length] ?? "";
  return { state, why: wordsOf(state) };
}

/** A budget of each campaign, in one of the states. */
function budgetsOf(campaigns: string[]) {
  return campaigns.map((cid, n) => ({
    ...{
      cid,
      cur: CURS[n % CURS.length]?.cur,
      day: "2026-11-20",
      pacing: "even",
      daily: "200",
      exposed: "1.250000001",
    },
    ...{ spent: `${(n * 7) % 201}.123456789`, left: "21.5", share: "0.0312500001", requests: 1840.25 + n },
    ...{ forecast: `${150 + ((n * 7) % 50)}.2`, ...stateOf(n) },
  }));
}

/** The view of money on days that have canned reports. */
export const CANNED = "money?from=2026-11-01&to=2026-11-20";

/** Answers reports and budgets: of two campaigns in dollars and euros, or of these campaigns in three currencies. */
export async function canned(campaigns?: string[]): Promise<void> {
  await page.route("**/report?*", (route) => {
    const query = new URL(route.request().url()).searchParams;
    const curs = campaigns ? CURS : CURS.slice(0, 2);
    return route.fulfill({ json: reportOn(query, campaigns ?? ["acme-spring", "velo-europe"], curs) });
  });
  const budgets = campaigns ? [...BUDGETS, ...budgetsOf(campaigns)] : BUDGETS;
  await page.route("**/budget", (route) => route.fulfill({ json: { campaigns: budgets } }));
}
