//! How much of the platform a bidder uses in a month, computed from its load, the periods of `shared/limits.ts` and
//! the figures of the benchmarks. Knows no prices.
//!
//! The estimates are rather too high: they assume that every isolate is busy all month, and that every object stays in
//! memory.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../build/tools.mjs";
import * as limits from "../../shared/limits.ts";

/** The traffic of a bidder, and the parts of edgebid that it uses. */
export interface Load {
  /** Bid requests a second. */
  rate: number;
  /** Bid requests a second of one isolate. The platform decides how many isolates it starts. */
  isolateRate: number;
  /** The part of the requests that get a bid, 0 to 1. */
  bids: number;
  /** The part of the bids that win and are billed, 0 to 1. */
  wins: number;
  /** The notices that the exchanges call; `billing`: only those that bill. */
  notices: "all" | "billing" | "off";
  budgets: boolean;
  /** The part of the bids whose campaigns have frequency caps, 0 to 1. */
  caps: number;
  /** One auction in this many has an event; null: there is no queue. */
  events: number | null;
  /** Whether the isolates write counters to the Analytics Engine. */
  metrics: boolean;
}

/** The items that the platform bills. */
export type Item =
  | "requests"
  | "processor time"
  | "KV reads"
  | "KV writes"
  | "object requests"
  | "object time"
  | "rows written"
  | "rows read"
  | "queue operations"
  | "counter points";

/** An amount of an item in a month: requests, milliseconds, GB-s and so on. */
export interface Part {
  item: Item;
  /** The part of edgebid that uses it. */
  what: string;
  amount: number;
}

/** Figures of the benchmarks' newest results: `bench/results.ts`. */
export interface Counts {
  /** Microseconds of processor time of a no-bid, a bid and an event in all of workerd, HTTP included. */
  no_bid_us: Count;
  bid_us: Count;
  event_us: Count;
  /** Kilobytes of the pacer's state with 1,000 budgets. */
  state_kb: Count;
  /** Rows that the ledger writes for a bill. Missing until the suite has a result. */
  rows_per_bill?: Count;
}

/** A figure, and the benchmark result that it comes from. */
export interface Count {
  value: number;
  suite: string;
  date: string;
}

/** Where the figures are, from the root. */
export const COUNTS_FILE = "cli/deploy/counts.json";

export const SECONDS = 30 * 86_400;

/** Regions in which isolates ask objects. */
const REGIONS_USED = 2;
/** Combinations of campaign, creative, SSP and outcome that occur every minute. */
const KINDS_OF_COUNTS = 100;
/** Bytes of the event of a bid. */
const EVENT_BYTES = 340;
/** Operations for each message of a queue: write, read and delete. */
const OPERATIONS = 3;
/** Gigabytes that the platform bills for an object, however much it uses. */
const OBJECT_GB = 0.128;
/** Rows of a bill, if no benchmark has counted them: as in `worker/test/ledger/book.test.ts`. */
const ROWS_PER_BILL = 1;

export function readCounts(): Counts {
  return JSON.parse(readFileSync(join(ROOT, COUNTS_FILE), "utf8"));
}

/** All that a bidder uses in a month of 30 days. Parts without an amount are left out. */
export function usage(load: Load, counts: Counts): Part[] {
  const all = [
    ...requests(load, counts),
    ...(load.notices === "off" ? [] : notices(load, counts)),
    ...(load.budgets ? budgets(load, counts) : []),
    ...caps(load),
    ...events(load, counts),
    ...(load.metrics
      ? [part("counter points", "isolates", isolates(load) * each(limits.METRICS_MS) * limits.MAX_POINTS)]
      : []),
  ];
  return all.filter(({ amount }) => amount > 0);
}

function requests(load: Load, counts: Counts): Part[] {
  const requests = load.rate * SECONDS;
  const us = (1 - load.bids) * counts.no_bid_us.value + load.bids * counts.bid_us.value;
  return [
    part("requests", "bid requests", requests),
    part("processor time", "bid requests", (requests * us) / 1000),
    part("KV reads", "the pointer", (isolates(load) * SECONDS) / limits.REFRESH_SECONDS),
  ];
}

function notices(load: Load, counts: Counts): Part[] {
  const bids = load.rate * SECONDS * load.bids;
  const bills = bids * load.wins;
  const [wins, losses] = load.notices === "all" ? [bills, bids - bills] : [0, 0];
  // An object writes each of its kinds once in a period, and only kinds that occurred.
  const counted = Math.min(KINDS_OF_COUNTS * limits.LEDGER_SHARDS * each(limits.COUNTS_MS), bids + wins + losses);
  return [
    part("requests", "bills", bills),
    part("requests", "wins", wins),
    part("requests", "losses", losses),
    // Reading a notice takes less time than a decision.
    part("processor time", "notices", (callsOf(load) * counts.no_bid_us.value) / 1000),
    part("object requests", "bills", bills),
    part("object requests", "counts of the isolates", isolates(load) * each(limits.TALLY_MS)),
    part("object time", `the ledger, ${limits.LEDGER_SHARDS} objects`, limits.LEDGER_SHARDS * SECONDS * OBJECT_GB),
    part("rows written", "bills", bills * (counts.rows_per_bill?.value ?? ROWS_PER_BILL)),
    part("rows written", "counts", counted),
    part("rows read", "bills", bills),
  ];
}

function budgets(load: Load, counts: Counts): Part[] {
  const relays = limits.RELAYS * REGIONS_USED;
  const ticks = each(limits.PACER_MS);
  // After midnight, the day before is read with each tick, too, and later once in a longer period.
  const isJustOver = limits.DAY_END_MS / 86_400_000;
  const readings = ticks + ticks * isJustOver + each(limits.YESTERDAY_MS) * (1 - isJustOver);
  const stateRows = Math.ceil((counts.state_kb.value * 1000) / limits.SAVED_ROW);
  return [
    part("KV writes", "shares", each(limits.SHARES_STORED_MS)),
    part("object requests", "isolates ask relays", isolates(load) * each(limits.EXCHANGE_MS)),
    part("object requests", "relays ask the pacer", relays * each(limits.EXCHANGE_MS)),
    part("object requests", "the pacer reads the ledger", readings * limits.LEDGER_SHARDS),
    part("object requests", "alarms of the pacer", ticks),
    part("object time", `relays and the pacer, ${relays + 1} objects`, (relays + 1) * SECONDS * OBJECT_GB),
    part("rows written", "alarms of the pacer", ticks),
    part("rows written", "state of the pacer", each(limits.SAVE_MS) * stateRows),
  ];
}

function caps(load: Load): Part[] {
  const capped = load.rate * SECONDS * load.bids * load.caps;
  if (capped === 0) return [];
  const billed = capped * load.wins;
  const objects = limits.FREQUENCY_OBJECTS * REGIONS_USED;
  return [
    part("object requests", "questions before a bid", capped),
    part("object requests", "bids and bills of caps", capped + billed),
    part("object time", `frequency caps, ${objects} objects`, objects * SECONDS * OBJECT_GB),
    // A bid is written, and deleted when it is billed or expires; so is a person's count.
    part("rows written", "bids and impressions of caps", 2 * capped + 2 * billed),
    part("rows read", "questions before a bid", 3 * capped),
  ];
}

function events(load: Load, counts: Counts): Part[] {
  if (load.events === null) return [];
  // Each bid and each notice that counts has an event, and a sample of the auctions.
  const rate = load.rate * (load.bids + 1 / load.events) + callsOf(load) / SECONDS;
  if (rate === 0) return [];
  // An isolate sends its events one second after the first of them, or earlier if the message is full.
  const own = (rate / isolates(load)) * (limits.EVENTS_FLUSH_MS / 1000);
  const inMessage = Math.min(1 + own, limits.EVENTS_FLUSH_BYTES / EVENT_BYTES);
  return [
    part("processor time", "events", (rate * SECONDS * counts.event_us.value) / 1000),
    part("queue operations", "events", (OPERATIONS * rate * SECONDS) / inMessage),
  ];
}

/** The notices in a month: a bill for each win, and the win itself; a loss for each other bid. */
function callsOf({ rate, bids, wins, notices }: Load): number {
  const all = rate * SECONDS * bids;
  return notices === "off" ? 0 : all * wins + (notices === "all" ? all : 0);
}

function isolates({ rate, isolateRate }: Load): number {
  return Math.max(1, Math.ceil(rate / isolateRate));
}

/** How often something that happens every `ms` milliseconds happens in a month. */
function each(ms: number): number {
  return (SECONDS * 1000) / ms;
}

function part(item: Item, what: string, amount: number): Part {
  return { item, what, amount: Math.round(amount) };
}
