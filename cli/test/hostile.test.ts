//! Exchanges that are wrong or lie, with the real Worker, its real objects and a clock that runs faster: none charges more
//! than the budget and what was won in the first minute, and the operator is told about those whose bills are wrong.

import { expect, test } from "vitest";
import { decimal, nanosOf as unitsOf } from "../../shared/report/decimal.ts";
import { filled } from "../tail/demo.ts";
import type { Bid } from "./bidder.ts";
import { Market, nanosOf, type Traded } from "./pacing/market.ts";
import { started } from "./pacing/server.ts";

const START = Date.parse("2026-11-23T12:00:00Z");
const HABITS = { rate: 16, wins: 0.3, lost: 0, twice: 0, delay: [1, 20] as [number, number] };
const SECONDS = 480;
const BUDGET = "1";
const KEY = Buffer.alloc(32, 7).toString("base64");
const MULTIPLIER = 40;

/** The kind of a notice, in place of that of the billing URL. */
const asKind = (url: string, kind: string) => url.replace("/n/bill/", `/n/${kind}/`);
const billOf = ({ burl = "", price }: Bid, claimed: number | string = price, multiplier = 1) =>
  filled(burl.replace(/\$\{AUCTION_MULTIPLIER\}/, String(multiplier)), claimed, "USD");

/** What an exchange does, and what the operator is told of it. */
const STORIES: (Traded & { max_cpm: string; alarm?: string })[] = [
  {
    // Its prices are encoded with other keys than ours.
    ...{ cid: "sealed", width: 300, ssp: "sealed", max_cpm: "5", alarm: "refused" },
    sell: (bid) => {
      const calls = [billOf(bid, "YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCce_6msaw")];
      return { calls, charged: nanosOf(bid), tries: 6 };
    },
  },
  {
    // It sends the price of one impression, not of a thousand.
    ...{ cid: "per-impression", width: 301, ssp: "per-impression", max_cpm: "5", alarm: "implausible" },
    sell: (bid) => ({ calls: [billOf(bid, decimal(nanosOf(bid)))], charged: nanosOf(bid), tries: 6 }),
  },
  {
    // A screen that 40 people see, and somebody who claims 10,000.
    ...{ cid: "screen", width: 302, ssp: "screens", max_cpm: "0.125" },
    ...{ request: { dooh: { id: "s-1" } }, imp: { qty: { multiplier: MULTIPLIER } } },
    sell: (bid) => {
      const claim = (x: number) => billOf(bid, bid.price, x);
      return { calls: [claim(10_000), claim(MULTIPLIER)], charged: BigInt(MULTIPLIER) * nanosOf(bid), tries: 2 };
    },
  },
  {
    // Somebody who sees the notices bills next to nothing before the exchange bills.
    ...{ cid: "seen", width: 303, max_cpm: "5" },
    sell: (bid) => {
      const cheap = billOf(bid, "0.000001");
      return {
        calls: [asKind(cheap, "imp"), asKind(cheap, "win"), cheap, billOf(bid)],
        charged: nanosOf(bid),
        tries: 2,
      };
    },
  },
];

const campaigns = STORIES.map(({ cid, width, max_cpm }) => ({ cid, width, max_cpm, budget: BUDGET, pacing: "asap" }));
const ssps = [
  { id: "sealed", price_codec: "google" },
  { id: "per-impression" },
  { id: "screens", max_multiplier: MULTIPLIER },
];

test("no exchange charges more than a budget and the first minute, and wrong bills are told", async () => {
  const vars = { PRICE_KEYS: JSON.stringify({ sealed: { encryption: KEY, integrity: KEY } }) };
  await using server = await started(campaigns, { isolates: 4, start: START, ssps, vars });
  const market = new Market(server.origins, STORIES, HABITS, server.speed);
  await market.trade(60);
  await market.settle();
  const early = new Map([...market.books].map(([cid, { spend }]) => [cid, spend]));
  await market.trade(SECONDS - 60);
  await market.settle();

  const { alarms } = await server.json<{ alarms: object[] }>("/healthz");
  const lines = STORIES.map(({ cid }) => {
    const { spend, bids, billed } = market.books.get(cid) as NonNullable<ReturnType<typeof market.books.get>>;
    return [cid, bids, billed, decimal(early.get(cid) ?? 0n), decimal(spend)].join("  ");
  });
  console.info(["campaign  bids  wins  charged in the first minute  charged", ...lines].join("\n"));
  console.info(JSON.stringify(alarms));
  for (const { cid, ssp, alarm } of STORIES) {
    const spend = market.books.get(cid)?.spend ?? 0n;
    // Without a bid, nothing would be shown.
    expect(spend, cid).toBeGreaterThan(0n);
    expect(spend, cid).toBeLessThanOrEqual((unitsOf(BUDGET) as bigint) + (early.get(cid) ?? 0n));
    if (alarm !== undefined) expect(alarms).toContainEqual(expect.objectContaining({ ssp, what: alarm }));
  }
}, 600_000);
