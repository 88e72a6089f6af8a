//! Budgets hold over many isolates, with the real Worker, its real objects and a clock that runs faster.
//!
//!     MINUTES=50 ISOLATES=20 npx vitest run --project node cli/test/budgets.test.ts
//!
//! The market is made up, but its notices are real calls, late, lost or sent twice. No campaign may spend more than its
//! budget and one impression for each isolate. The figures of exchange, ledger, pacer and events must be the same.

import { expect, test } from "vitest";
import { decimal, nanosOf } from "../../worker/src/report/decimal.ts";
import { rows } from "./books.ts";
import { Collector } from "./collector.ts";
import { Market } from "./pacing/market.ts";
import { started } from "./pacing/server.ts";

const MINUTES = Number(process.env["MINUTES"] ?? 3);
const ISOLATES = Number(process.env["ISOLATES"] ?? 20);
/** The clock is at 23:00 UTC, so that budgets for the day must be spent within the hour. */
const START = Date.parse("2026-11-23T23:00:00Z");
const DAY = "2026-11-23";
const HABITS = { rate: 15, wins: 0.3, lost: 0.02, twice: 0.05, delay: [1, 60] as [number, number] };
const SECONDS = MINUTES * 60;
/** What one campaign's traffic costs in this time if all of it is bought, in units of the currency. */
const TRAFFIC = (HABITS.rate * SECONDS * HABITS.wins * 2) / 10 / 1000;
const MAX_CPM = 2_000_000n;

/** Budgets from a twentieth of the traffic to twice the traffic; each other campaign spends it as soon as it can. */
const campaigns = Array.from({ length: 10 }, (_, n) => ({
  ...{ cid: `campaign-${n}`, width: 300 + n, pacing: n % 2 === 0 ? "even" : "asap" },
  budget: (TRAFFIC * ([0.05, 0.05, 0.1, 0.1, 0.3, 0.3, 0.6, 0.6, 2, 2][n] ?? 1)).toFixed(6),
}));

/** A row of `GET /budget`. */
interface Told {
  cid: string;
  spent: string;
}

test(`${ISOLATES} isolates keep to 10 budgets for ${MINUTES} minutes`, async () => {
  const spends = new Map<string, bigint>();
  const collector = new Collector({
    line: (line) => {
      const { type, cid, price_micros }: { type: string; cid: string; price_micros: number } = JSON.parse(line);
      if (type === "bill") spends.set(cid, (spends.get(cid) ?? 0n) + BigInt(price_micros));
    },
  });
  await collector.start();
  await using server = await started(campaigns, { isolates: ISOLATES, start: START, collectorUrl: collector.url });
  const market = new Market(server.origins, campaigns, HABITS, server.speed);
  const before = await server.json<Record<string, number>>("/usage");
  await market.trade(SECONDS);
  const after = await server.json<Record<string, number>>("/usage");
  await market.settle();

  expect([...market.statuses.bid.keys()].filter((status) => status !== 200 && status !== 204)).toEqual([]);
  const budgets = new Map(campaigns.map(({ cid, budget }) => [cid, nanosOf(budget) as bigint]));
  const spent = (spends: Iterable<[string, bigint]>) =>
    Object.fromEntries([...spends].filter(([, spend]) => spend > 0n).sort());
  const sent = [...market.books].map(([cid, { spend }]): [string, bigint] => [cid, spend]);
  for (const [cid, spend] of sent) {
    const most = (budgets.get(cid) as bigint) + BigInt(ISOLATES) * MAX_CPM;
    expect(spend, `${cid} spent ${decimal(spend)}`).toBeLessThanOrEqual(most);
  }

  const reported = await rows(server.origin, DAY);
  expect(spent(reported.map(({ campaign = "", spend }) => [campaign, nanosOf(spend) as bigint]))).toEqual(spent(sent));
  const told = async () => {
    const { campaigns } = await server.json<{ campaigns: Told[] }>("/budget");
    return spent(campaigns.map(({ cid = "", spent }) => [cid, nanosOf(spent) as bigint]));
  };
  await expect.poll(told, { timeout: 30_000, interval: 250 }).toEqual(spent(sent));
  await expect.poll(() => spent(spends), { timeout: 30_000, interval: 250 }).toEqual(spent(sent));
  await collector.stop();

  const lines = campaigns.map(({ cid, budget, pacing }) => {
    const { requests, bids, billed, spend } = market.books.get(cid) as NonNullable<ReturnType<typeof market.books.get>>;
    const part = (Number(spend) / Number(budgets.get(cid))) * 100;
    return [cid, pacing, budget, requests, bids, billed, decimal(spend), `${part.toFixed(1)} %`].join("  ");
  });
  const used = Object.entries(after).map(([what, count]) => [what, (count - (before[what] ?? 0)) / SECONDS] as const);
  const rates = used.map(([what, rate]) => `${what.padEnd(18)}${rate.toFixed(3)}`).sort();
  console.info(["calls of objects and rows that they write, in a second of the clock:", ...rates].join("\n"));
  console.info(["campaign  pacing  budget  requests  bids  billed  spend  of the budget", ...lines].join("\n"));
}, 600_000);
