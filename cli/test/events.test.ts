//! The event of every bid reaches the collector at least once. The queue is the local runtime's queue. The collector
//! fails one post in five, leaves one post in twenty without an answer, and restarts twice.
//!
//!     EVENTS=100000 npx vitest run --project node cli/test/events.test.ts
//!
//! The requests and answers are real: the ids of the bids in the answers are compared with the ids of the events.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Event } from "../../shared/events/schema.ts";
import { type RunningScript, startWorker } from "../workerd.ts";
import { bidsOn, bytesOf, catalogText, requestText } from "./bidder.ts";
import { Collector, type Fate } from "./collector.ts";

/** A busy machine answers some requests after the usual `tmax`, without a bid. */
const REQUEST = { ...JSON.parse(requestText), tmax: 10_000 };

/** The number of bids, each with one event. */
const EVENTS = Number(process.env["EVENTS"] ?? 2000);
const CONNECTIONS = 8;
/** The shares of the events after which the collector restarts, and the milliseconds for which it is stopped. */
const RESTARTS = [1 / 3, 2 / 3];
const STOPPED_MS = 500;
/** If the collector gets nothing new for this long, the test stops waiting. */
const QUIET_MS = 60_000;

let script: RunningScript | undefined;
let collector: Collector | undefined;

afterEach(async () => {
  await script?.stop();
  await collector?.stop();
});

test(
  `the events of ${EVENTS} bids arrive at least once, and duplicates are equal`,
  async () => {
    /** The event of each id, and how often it has arrived. */
    const arrived = new Map<string, { line: string; times: number }>();
    const differing: string[] = [];
    const broken: string[] = [];
    let posts = 0;
    let lastNew = performance.now();
    collector = new Collector({
      fate: () => fateOf(posts++),
      hear: ({ lines }) => {
        for (const line of lines) {
          const event = parsed(line);
          if (event === null) broken.push(line);
          else if (event.type === "bid") {
            const known = arrived.get(event.id);
            if (known === undefined) lastNew = performance.now();
            else if (known.line !== line) differing.push(line);
            arrived.set(event.id, { line, times: (known?.times ?? 0) + 1 });
          }
        }
      },
    });
    await collector.start();

    const queues = { EVENTS: { maxBatchSize: 1, maxBatchTimeout: 0, maxRetries: 50 } };
    const vars = { EVENTS_ONE_IN: "1000", COLLECTOR_URL: collector.url, COLLECTOR_FORMAT: "ndjson" };
    script = await startWorker(bytesOf(catalogText), { vars, queues });
    const { origin } = script;

    const answered = new Set<string>();
    let sent = 0;
    const restarts = RESTARTS.map((part) => Math.floor(part * EVENTS));
    // Restarts run one after the other: a connection may reach the next restart before the previous one has ended.
    let restarted = Promise.resolve();
    const connection = async () => {
      while (sent < EVENTS) {
        const number = sent++;
        if (restarts.includes(number)) {
          restarted = restarted.then(() => restart(collector as Collector));
          await restarted;
        }
        const bids = await bidsOn(origin, { ...REQUEST, id: `request-${number}` });
        expect(bids).toHaveLength(1);
        for (const { id } of bids) answered.add(id);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    expect(answered.size).toBe(EVENTS);

    const missing = () => [...answered].filter((id) => !arrived.has(id));
    while (missing().length > 0 && performance.now() - lastNew < QUIET_MS) await sleep(100);
    const times = [...arrived.values()].map(({ times }) => times);
    const { fates } = collector;
    const repeated = times.filter((n) => n > 1).length;
    console.info(JSON.stringify({ events: EVENTS, posts, fates, arrived: arrived.size, repeated }));
    expect(missing().slice(0, 9)).toEqual([]);
    expect([...arrived.keys()].filter((id) => !answered.has(id))).toEqual([]);
    expect({ differing, broken }).toEqual({ differing: [], broken: [] });
    // The collector did fail as planned, and some events did arrive twice.
    expect(fates.fail + fates["fail-late"]).toBeGreaterThanOrEqual(0.15 * posts);
    expect(fates.hang).toBeGreaterThan(0);
    expect(repeated).toBeGreaterThan(0);
  },
  // One post in twenty is not answered, and the Worker waits five seconds for each of these.
  120_000 + EVENTS * 20,
);

/** Of twenty posts, one hangs and four fail. Two of the four failed posts have arrived. */
function fateOf(post: number): Fate {
  const at = post % 20;
  if (at === 1) return "hang";
  if (at === 2 || at === 11) return "fail-late";
  if (at === 4 || at === 15) return "fail";
  return "take";
}

async function restart(collector: Collector): Promise<void> {
  await collector.stop();
  await sleep(STOPPED_MS);
  await collector.start();
}

function parsed(line: string): Event | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
