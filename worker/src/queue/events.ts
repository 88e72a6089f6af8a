//! The isolate's events on their way out: gathered, and put into the queue behind an answer, at once for many requests.
//!
//! The hot path adds to a list and asks whether a flush is due. Bids are never sampled; what the queue does not take goes to
//! the console, where all events go when no queue is bound. An isolate that is ended takes with it what has gathered in the
//! last {@link EVENTS_FLUSH_MS}: the platform tells nobody.

import type { Event } from "../events/schema.ts";
import { EVENTS_FLUSH_BYTES, EVENTS_FLUSH_MS, QUEUE_ATTEMPTS, QUEUE_BACKOFF_MS } from "../limits.ts";
import { retrying } from "../post/retry.ts";
import type { Counters } from "../telemetry/counters.ts";
import { fail, takeFailures } from "../telemetry/failures.ts";
import { Tick } from "../tick.ts";
import { SILENT } from "../wasm/bidder.ts";
import { batches, eventsIn, messages } from "./pack.ts";

/** The binding that does not have to be there. */
export type EventsEnv = Env & { EVENTS?: Queue<Uint8Array> };

type Background = Pick<ExecutionContext, "waitUntil">;

export class Events {
  readonly #counters: Counters;
  readonly #tick = new Tick<EventsEnv>(EVENTS_FLUSH_MS, (env) => this.#flush(env));
  readonly #utf8 = new TextEncoder();
  /** Each one or more lines of JSON, whole. */
  #lines: Uint8Array[] = [];
  #bytes = 0;

  /** Counts `events-lost-to-console`: what should have gone into the queue and did not. */
  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Draws how many auctions the next one stands for, if its lot is to be told; else 0, and with no events at all `SILENT`. */
  weight(env: Env): number {
    if (isSilent(env)) return SILENT;
    const oneIn = Math.floor(Number(env.EVENTS_ONE_IN));
    return oneIn >= 1 && Math.random() * oneIn < 1 ? oneIn : 0;
  }

  /** Takes the lines that a decision has left, if any. */
  take(lines: Uint8Array | null, env: Env, ctx: Background): void {
    if (lines === null) return;
    this.#lines.push(lines);
    this.#bytes += lines.byteLength;
    this.due(env, ctx);
  }

  /** Takes an event that is no decision, if events are wanted. */
  add(event: Event, env: Env, ctx: Background): void {
    if (isSilent(env)) return;
    this.take(this.#utf8.encode(`${JSON.stringify(event)}\n`), env, ctx);
  }

  /** Sees to it that what has gathered, failures included, goes out in time. */
  due(env: Env, ctx: Background): void {
    if (this.#bytes >= EVENTS_FLUSH_BYTES) ctx.waitUntil(this.#flush(env));
    else this.#tick.start(env, ctx);
  }

  async #flush(env: EventsEnv): Promise<void> {
    // They are on the console already.
    const failures = takeFailures().map((event) => this.#utf8.encode(`${JSON.stringify(event)}\n`));
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    const queue = env.EVENTS;
    if (queue === undefined) {
      toConsole(lines);
      return;
    }
    const { packed, tooLong } = messages([...lines, ...failures]);
    this.#lost(tooLong);
    for (const batch of batches(packed)) {
      try {
        const requests = batch.map((bytes) => ({ body: bytes, contentType: "bytes" as const }));
        await retrying(QUEUE_ATTEMPTS, QUEUE_BACKOFF_MS, () => queue.sendBatch(requests));
      } catch (error) {
        fail("queue", error);
        this.#lost(batch);
      }
    }
  }

  #lost(lines: Uint8Array[]): void {
    if (lines.length > 0) this.#counters.add("events-lost-to-console", toConsole(lines));
  }
}

function isSilent({ EVENTS_ONE_IN: text }: { EVENTS_ONE_IN: string }): boolean {
  return text === "off";
}

/** NDJSON on the console. Returns how many events there were. */
function toConsole(lines: Uint8Array[]): number {
  const events = eventsIn(lines);
  for (const event of events) console.log(event);
  return events.length;
}
