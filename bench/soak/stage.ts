//! The bidder of the suite `soak`, with its catalogs, its collector, an exchange that bills impressions, and faults.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OBJECTS } from "../../cli/deploy/configuration.ts";
import { module } from "../../cli/module.ts";
import { NOTICE_KEY, OPERATOR, OPERATOR_TOKEN } from "../../cli/test/bidder.ts";
import { Collector } from "../../cli/test/collector.ts";
import { FakeStore, pushInto } from "../../cli/test/fake-store.ts";
import { json } from "../../cli/workerd.ts";
import type { Row as Reported } from "../../shared/report/rows.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { snapshotOf } from "../build.ts";
import { peerBidder } from "../decide/peer.ts";
import { requests } from "../http/requests.ts";
import { exchange } from "../overload/exchange.ts";
import { startProcess } from "../processes.ts";
import { type Row, total } from "../rows.ts";
import { agrees, comparisons, EventBook, type Span } from "./books.ts";
import { documentAfter, TRADED } from "./catalog.ts";
import { Market } from "./market.ts";
import { memoryOf } from "./memory.ts";

/** The Worker with a clock of its own, and with parts that can fail. */
const ENTRY = new URL("worker.ts", import.meta.url);
/** A fault of the collector: it answers with 503. The other faults are those of the Worker. */
export const COLLECTOR = "collector";
/** Bid requests per second of the clock, parts of bids and of notices, and seconds until a notice. */
const HABITS = { rate: 20, wins: 0.3, lost: 0.02, twice: 0.05, delay: [1, 10] as [number, number] };
/** How long counts may take to arrive after the last request, and between two looks at them. */
const SETTLE_MS = 60_000;
const LOOK_MS = 200;
/** How long the pacer may take until campaigns with a budget bid. */
const FIRST_BIDS_MS = 240_000;

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** Starts, and waits until all campaigns bid. `speed`: how much faster the clock of bidder and exchange is. */
export async function startStage(speed: number) {
  const events = new EventBook();
  const failing = new Set<string>();
  const fate = () => (failing.has(COLLECTOR) ? "fail" : "take");
  const collector = new Collector({ line: (line) => events.take(line), fate });
  await collector.start();
  const state = mkdtempSync(join(tmpdir(), "edgebid-soak-"));
  const store = new FakeStore();
  await pushInto(store, documentAfter(0), Date.now());
  const began = Date.now();
  const clock = { realStart: began, start: began, speed };
  /** The time of the bidder. */
  const now = () => began + (Date.now() - began) * speed;
  const { script, pid } = await startProcess(
    ENTRY,
    { CATALOG: Object.fromEntries(store.values) },
    {
      define: { CLOCK: JSON.stringify(clock) },
      vars: {
        ...{ NOTICE_KEYS: NOTICE_KEY, OPERATOR_TOKEN, CATALOG_REFRESH_SECONDS: "1", EVENTS_ONE_IN: "0" },
        ...{ COLLECTOR_URL: collector.url, COLLECTOR_FORMAT: "ndjson" },
      },
      queues: { EVENTS: { maxBatchSize: 100, maxBatchTimeout: 1, maxRetries: 100 } },
      durableObjects: OBJECTS,
      persist: state,
      inspect: true,
    },
  );
  const keep = store.put.bind(store);
  store.put = async (key, value, metadata) => {
    await keep(key, value, metadata);
    await script.put("CATALOG", { [key]: { value, metadata } });
  };
  while (!(await fetch(`${script.origin}/healthz`)).ok) await sleep(LOOK_MS);
  const market = new Market(script.origin, TRADED, HABITS, speed);
  // Campaigns with budgets bid when the isolate has its first shares.
  while ([...market.books.values()].some(({ bids }) => bids === 0)) {
    if (Date.now() - began > FIRST_BIDS_MS) throw new Error("a campaign with a budget does not bid");
    await market.trade(1);
    await market.answered();
  }
  const document = documentAfter(0);
  const snapshot = snapshotOf(document);
  const { production } = requests([snapshot], module, 0, peerBidder(document));
  const { reasons } = new Bidder(snapshot, module);

  const kills: Span[] = [];
  let ledgerFailed = 0;
  async function counts(sent: number): Promise<Row[]> {
    const days = [began, now()].map((ms) => new Date(ms).toISOString().slice(0, 10));
    const operator = { headers: OPERATOR };
    const { counters } = await json<{ counters: Record<string, number> }>(script, "/healthz", operator);
    const { rows } = await json<{ rows: Reported[] }>(
      script,
      `/report?by=campaign&from=${days[0]}&to=${days[1]}`,
      operator,
    );
    return comparisons({ sent, counters, reasons, events, books: market.books, report: rows, kills });
  }

  return {
    memory: () => memoryOf({ script, pid }),
    /** Buys impressions for so many milliseconds. */
    trade: (ms: number) => market.trade((speed * ms) / 1000),
    target: exchange("bidder", { script, pid }, "demo", production),

    /** Makes this part fail, and no other; null: none. */
    async fail(part: string | null): Promise<void> {
      if (failing.has("ledger")) kills.push([ledgerFailed, now()]);
      if (part === "ledger") ledgerFailed = now();
      failing.clear();
      if (part !== null) failing.add(part);
      await script.fetch("/faults", { method: "POST", body: JSON.stringify([...failing]) });
    },

    /** Pushes the catalog with this number. */
    async push(number: number): Promise<void> {
      await pushInto(store, documentAfter(number), Date.now());
    },

    /** All counts, as soon as they agree, or after {@link SETTLE_MS}. The rows have the requests that were sent. */
    async settled(rows: Row[]): Promise<Row[]> {
      await market.settle();
      const traded = [...market.books.values()].reduce((sum, { requests }) => sum + requests, 0);
      const sent = rows.reduce((sum, row) => sum + Number(total("sent")(row)), traded);
      for (const end = performance.now() + SETTLE_MS; ; await sleep(LOOK_MS)) {
        const all = await counts(sent);
        if (all.every(agrees) || performance.now() > end) return all;
      }
    },

    async stop(): Promise<void> {
      await script.stop();
      await collector.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
