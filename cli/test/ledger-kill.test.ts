//! The ledger books each bid once, even if its process is killed again and again while exchanges send notices.
//!
//!     SALES=10000 KILLS=5 FORMAT=json npx vitest run --project long-node cli/test/ledger-kill.test.ts
//!
//! Everything is real but the exchange: the Worker runs in workerd, with its ledger on the disk, and SIGKILL ends
//! workerd. After each kill, *answered ⊆ booked ⊆ sent*: a notice whose answer was 204 is booked, and nothing is booked
//! that was not sent. In the end the ledger is the set of the sound bids, to the billionth.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decimal } from "../../shared/report/decimal.ts";
import type { Row } from "../../shared/report/rows.ts";
import { dayAt } from "../../shared/time/days.ts";
import { now } from "../../worker/test/support/clock.ts";
import { type RunningScript, startWorker } from "../workerd.ts";
import { NOTICE_KEY, OPERATOR_TOKEN } from "./bidder.ts";
import { bookedOf, report, rows, spendIn, spendOf } from "./books.ts";
import { Collector } from "./collector.ts";
import { eachInFolder } from "./edgebid.ts";
import { catalog, type Sale, sales } from "./exchange.ts";
import { processes } from "./processes.ts";
import { fromCsv, fromProtobuf } from "./report-readers.ts";
import { Senders } from "./senders.ts";

const SALES = Number(process.env["SALES"] ?? 4000);
const KILLS = Number(process.env["KILLS"] ?? 2);
const AT_ONCE = 50;
/** At most so many milliseconds pass from the answer after which a kill is due to the kill. */
const LATER_MS = 30;
/** Milliseconds in which nothing listens after a kill. */
const DOWN_MS = 300;
const PATIENCE_MS = 60_000;

/** The part of a bill's event that is compared. */
interface BillEvent {
  id: string;
  cid: string;
  price_micros: number;
  cur: string;
}

let collector: Collector;
let server: Server | undefined;
let senders: Senders | undefined;
/** The events of bills by the id of the bid; an event may arrive twice. */
let bills: Map<string, BillEvent>;
/** The first day of reports. */
let today: string;

const state = eachInFolder("ledger");

beforeEach(async () => {
  today = dayAt(now());
  bills = new Map();
  collector = new Collector({
    line: (line) => {
      const { type, ...event }: BillEvent & { type: string } = JSON.parse(line);
      if (type === "bill") bills.set(event.id, event);
    },
  });
  await collector.start();
  server = await start();
});

afterEach(async () => {
  await senders?.hold();
  await server?.script.stop();
  await collector.stop();
});

test(`the notices of ${SALES} bids book each bid once, through ${KILLS} kills`, async () => {
  const began = performance.now();
  const all = await bought(SALES);
  const sound = all.filter(({ isForged }) => !isForged);
  senders = new Senders(origin(), all);
  const { sent, answered, counts, size } = senders;
  const booked = new Set<Sale>();
  let unanswered = 0;

  const killed = async () => {
    // Right after an answer, all others of its commit are answered too.
    await sleep(Math.random() * LATER_MS);
    server = await restarted(server as Server);
    const asked = [...sent].filter((sale) => !sale.isForged && !booked.has(sale));
    for (const sale of await bookedOf(origin(), asked)) booked.add(sale);
    // Each answered one is booked. Each booked one is booked once and was sent, or the sums would be greater.
    expect([...answered].filter((sale) => !sale.isForged && !booked.has(sale))).toEqual([]);
    expect(spendIn(await rows(origin(), today))).toEqual(spendOf(booked));
    unanswered += [...booked].filter((sale) => !answered.has(sale)).length;
    senders?.release(origin());
  };

  let kills = 0;
  await senders.run(AT_ONCE, async () => {
    if (kills < KILLS && counts.answered >= ((kills + 1) * size) / (KILLS + 1)) {
      kills++;
      await killed();
    }
  });

  expect(new Set(await bookedOf(origin(), all))).toEqual(new Set(sound));
  const spend = spendIn(await rows(origin(), today));
  expect(spend).toEqual(spendOf(sound));
  expect(amounts(bills.values())).toEqual(amounts(sound.filter(({ bid }) => bills.has(bid)).map(billOf)));
  print({
    ...{ bids: all.length, notices: size, kills, ...counts },
    duplicates: sound.reduce((sum, { calls }) => sum + calls.length - 1, 0),
    forged: all.length - sound.length,
    booked: spend.reduce((sum, { billed }) => sum + billed, 0),
    booked_before_answered: unanswered,
    bill_events: bills.size,
    spend_usd: decimal(sound.reduce((sum, { usd }) => sum + usd, 0n)),
    seconds: Math.round((performance.now() - began) / 1000),
  });
  expect(kills).toBe(KILLS);
}, 600_000);

test("events, ledger and report in every format have the same amounts", async () => {
  const all = await bought(1000);
  const sound = all.filter(({ isForged }) => !isForged);
  senders = new Senders(origin(), all);
  await senders.run(AT_ONCE);
  expect(senders.counts).toMatchObject({ sent: senders.size, answered: senders.size });

  await expect.poll(() => bills.size, { timeout: PATIENCE_MS }).toBe(sound.length);
  expect(amounts(bills.values())).toEqual(amounts(sound.map(billOf)));
  // What is refused waits some seconds in the isolate.
  const refused = async () => sum((await rows(origin(), today)).flatMap(({ refused }) => Object.values(refused)));
  const unsound = sum(all.filter(({ isForged }) => isForged).map(({ calls }) => calls.length));
  await expect.poll(refused, { timeout: PATIENCE_MS, interval: 500 }).toBe(unsound);

  const json = await rows(origin(), today);
  expect(spendIn(json)).toEqual(spendOf(sound));
  expect(fromCsv(await report(origin(), today, "text/csv"), ["campaign"])).toEqual(json);
  const protobuf = fromProtobuf(await report(origin(), today, "application/x-protobuf"), ["campaign"]);
  expect(protobuf.rows).toEqual(json);
}, 180_000);

function origin(): string {
  return (server as Server).script.origin;
}

/** Buys, and waits until the report has all bids. So the ledger knows the campaigns' names before the first kill. */
async function bought(count: number): Promise<Sale[]> {
  const all = await sales(origin(), count);
  const reported = async () => sum((await rows(origin(), today)).map(({ bids }: Row) => bids));
  await expect.poll(reported, { timeout: PATIENCE_MS, interval: 500 }).toBe(count);
  return all;
}

/** The event of a sale. */
function billOf({ bid, cid, usd }: Sale): BillEvent {
  return { id: bid, cid, price_micros: Number(usd), cur: "USD" };
}

/** The price of each bid, sorted by bid. */
function amounts(events: Iterable<BillEvent>): string[] {
  return [...events].map(({ id, cid, price_micros, cur }) => `${id} ${cid} ${price_micros} ${cur}`).sort();
}

function sum(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function print(counts: Record<string, number | string>): void {
  const lines = Object.entries(counts).map(([name, count]) => `${name.replaceAll("_", " ").padEnd(24)}${count}`);
  console.info(process.env["FORMAT"] === "json" ? JSON.stringify(counts) : lines.join("\n"));
}

/** The Worker in its own workerd, with its storage in a folder. */
interface Server {
  script: RunningScript;
  pid: number;
}

async function start(): Promise<Server> {
  const before = workerds();
  const script = await startWorker(catalog, {
    vars: {
      ...{ EVENTS_ONE_IN: "0", COLLECTOR_URL: collector.url, COLLECTOR_FORMAT: "ndjson" },
      ...{ NOTICE_KEYS: NOTICE_KEY, OPERATOR_TOKEN },
    },
    queues: { EVENTS: { maxBatchSize: 100, maxBatchTimeout: 0, maxRetries: 20 } },
    durableObjects: { LEDGER: "Ledger", SUMMARY: "Summary" },
    persist: state(),
  });
  const [pid, ...others] = workerds().filter((pid) => !before.includes(pid));
  if (pid === undefined || others.length > 0) throw new Error("which process is workerd?");
  return { script, pid };
}

/** Kills workerd, waits until no answer is awaited, and starts another one on the same storage. */
async function restarted({ pid, script }: Server): Promise<Server> {
  process.kill(pid, "SIGKILL");
  const stopped = script.stop();
  await sleep(DOWN_MS);
  await senders?.hold();
  await stopped;
  return start();
}

/** The workerd processes that this process has started. */
function workerds(): number[] {
  const own = processes().filter(({ ppid, name }) => ppid === process.pid && name === "workerd");
  return own.map(({ pid }) => pid);
}
