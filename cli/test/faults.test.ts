//! What bids do while the pacer, the relays, KV or the ledger fail, and how they heal. Prints the table of
//! docs/budgets.md. With them, all parts are in the table:
//!
//!     PARTS='kv; ledger; relay; pacer; pacer, relay, kv' npx vitest run --project long-node cli/test/faults.test.ts

import { expect, test } from "vitest";
import { Market } from "./pacing/market.ts";
import type { Running } from "./pacing/running.ts";
import { started } from "./pacing/server.ts";

const START = Date.parse("2026-11-23T12:00:00Z");
const HABITS = { rate: 10, wins: 0.2, lost: 0, twice: 0, delay: [1, 10] as [number, number] };
/** One campaign without a budget, one with a budget that it cannot spend. */
const CAMPAIGNS = [
  { cid: "free", width: 300 },
  { cid: "budgeted", width: 301, budget: "1000", pacing: "asap" },
];

/**
 * What fails, one after the other: by default, the only part that stops campaigns with budgets. Name the pacer late: the
 * platform calls a failed alarm again after longer and longer pauses, which the faster clock makes longer still.
 */
const PARTS = (process.env["PARTS"] ?? "pacer").split("; ");
/** Seconds of the clock in which campaigns with budgets must bid again. */
const PATIENCE_S = 240;

/** Parts of requests that got a bid, by campaign. */
interface Rates {
  free: number;
  budgeted: number;
}

interface Row {
  part: string;
  /** In the first minute of the fault, in the second one, and after two minutes. */
  first: Rates;
  second: Rates;
  later: Rates;
  /** Notices that got a 503 meanwhile. */
  unavailable: number;
  /** Seconds from the end of the fault until campaigns with budgets bid as before. */
  healed: number;
}

test("a fault stops at most the campaigns with budgets, and heals by itself", async () => {
  await using server = await started(CAMPAIGNS, { isolates: 4, start: START });
  const market = new Market(server.origins, CAMPAIGNS, HABITS, server.speed);
  expect(await untilWhole(market), "seconds until the pacer knows the campaign").toBeLessThan(PATIENCE_S);
  const rows: Row[] = [];
  for (const part of PARTS) rows.push(await broken(part, server, market));
  await market.settle();
  console.info(rows.map(lineOf).join("\n"));

  expect([...market.statuses.bid.keys()].filter((status) => status !== 200 && status !== 204)).toEqual([]);
  expect([...market.statuses.notice.keys()].sort()).toEqual(PARTS.includes("ledger") ? [204, 503] : [204]);
  for (const { part, first, second, later, unavailable, healed } of rows) {
    for (const { free } of [first, second, later]) expect(free, `${part}: a campaign without a budget`).toBe(1);
    expect(first.budgeted, `${part}: the first minute`).toBeGreaterThan(0.9);
    if (part.includes("pacer")) {
      expect(second.budgeted, `${part}: the second minute`).toBeLessThan(0.9);
      expect(later.budgeted, `${part}: after two minutes`).toBe(0);
    }
    expect(unavailable > 0, part).toBe(part === "ledger");
    expect(healed, part).toBeLessThan(PATIENCE_S);
  }
}, 300_000);

async function broken(part: string, server: Running, market: Market): Promise<Row> {
  const before = market.statuses.notice.get(503) ?? 0;
  await server.fail(part.split(", "));
  const first = await rates(market, 55);
  await market.trade(10);
  const second = await rates(market, 50);
  await market.trade(15);
  const later = await rates(market, 30);
  const unavailable = (market.statuses.notice.get(503) ?? 0) - before;
  await server.fail([]);
  return { part, first, second, later, unavailable, healed: await untilWhole(market) };
}

/** The seconds until the campaign with a budget bids on every request for half a minute. */
async function untilWhole(market: Market): Promise<number> {
  let [seconds, whole] = [0, 0];
  while (whole < 30 && seconds < PATIENCE_S) {
    whole = (await rates(market, 5)).budgeted < 1 ? 0 : whole + 5;
    seconds += 5;
  }
  return seconds - whole;
}

/** Trades for so many seconds of the clock. */
async function rates(market: Market, seconds: number): Promise<Rates> {
  const totals = () =>
    Object.fromEntries([...market.books].map(([cid, { requests, bids }]) => [cid, { requests, bids }]));
  await market.answered();
  const before = totals();
  await market.trade(seconds);
  await market.answered();
  const after = totals();
  const rate = (cid: string) => {
    const [from, to] = [before[cid], after[cid]];
    if (!from || !to || to.requests === from.requests) throw new Error(`no requests for ${cid}`);
    return (to.bids - from.bids) / (to.requests - from.requests);
  };
  return { free: rate("free"), budgeted: rate("budgeted") };
}

function lineOf({ part, first, second, later, unavailable, healed }: Row): string {
  const percent = (rate: number) => `${Math.round(rate * 100)} %`;
  const without = percent(Math.min(first.free, second.free, later.free));
  const budgeted = [first, second, later].map(({ budgeted }) => percent(budgeted));
  return `| ${[part, without, ...budgeted, unavailable, `${healed} s`].join(" | ")} |`;
}
