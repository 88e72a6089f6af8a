//! Gathers the isolate's events, and puts the events of many requests into the queue at once, after an answer.
//!
//! A request only adds to a list. Only a sample of the auctions has events, but every bid has one. Events that the
//! queue does not take go to the console, and so do all events if no queue is bound. If the platform ends an isolate,
//! its events of the last {@link EVENTS_FLUSH_MS} are lost.

import type { Event } from "../../../shared/events/schema.ts";
import { EVENTS_FLUSH_BYTES, EVENTS_FLUSH_MS, QUEUE_ATTEMPTS, QUEUE_BACKOFF_MS } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { fail, takeFailures } from "../../../shared/telemetry/failures.ts";
import { SILENT } from "../../../shared/wasm/bidder.ts";
import { retrying } from "../time/retry.ts";
import { Tick } from "../time/tick.ts";
import { batches, eventsIn, messages } from "./pack.ts";

export class Events {
  readonly #counters: Counters;
  readonly #tick: Tick<Bindings>;
  readonly #utf8 = new TextEncoder();
  /** Each entry is one or more whole lines of JSON. */
  #lines: Uint8Array[] = [];
  #bytes = 0;

  /**
   * Counts `events-lost-to-console`: events that went to the console because the queue did not take them. `ms`: the time
   * between two flushes.
   */
  constructor(counters: Counters, ms = EVENTS_FLUSH_MS) {
    this.#counters = counters;
    this.#tick = new Tick(ms, (env) => this.#flush(env));
  }

  /**
   * The weight of the next decision, drawn at random: the number of auctions that its event stands for, or 0 if the
   * auction is not in the sample. `SILENT` if events are off.
   */
  weight(env: Env): number {
    if (isSilent(env)) return SILENT;
    const oneIn = Math.floor(Number(env.EVENTS_ONE_IN));
    return oneIn >= 1 && Math.random() * oneIn < 1 ? oneIn : 0;
  }

  /** Takes the events of a decision as lines of JSON, if there are any. */
  take(lines: Uint8Array | null, env: Env, ctx: Background): void {
    if (lines === null) return;
    this.#lines.push(lines);
    this.#bytes += lines.byteLength;
    this.due(env, ctx);
  }

  /** Takes any other event, unless events are off. */
  add(event: Event, env: Env, ctx: Background): void {
    if (isSilent(env)) return;
    this.take(this.#utf8.encode(`${JSON.stringify(event)}\n`), env, ctx);
  }

  /** Starts the next flush, now or when it is due. A flush also sends the failures. */
  due(env: Env, ctx: Background): void {
    if (this.#bytes >= EVENTS_FLUSH_BYTES) ctx.waitUntil(this.#flush(env));
    else this.#tick.start(env, ctx);
  }

  async #flush(env: Bindings): Promise<void> {
    // The console already has the failures, so they only go into the queue.
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
    this.#logLost(tooLong);
    for (const batch of batches(packed)) {
      try {
        const requests = batch.map((bytes) => ({ body: bytes, contentType: "bytes" as const }));
        await retrying(QUEUE_ATTEMPTS, QUEUE_BACKOFF_MS, () => queue.sendBatch(requests));
      } catch (error) {
        fail("queue", error);
        this.#logLost(batch);
      }
    }
  }

  #logLost(lines: Uint8Array[]): void {
    if (lines.length > 0) this.#counters.add("events-lost-to-console", toConsole(lines));
  }
}

function isSilent({ EVENTS_ONE_IN: text }: { EVENTS_ONE_IN: string }): boolean {
  return text === "off";
}

/** Writes events to the console as NDJSON. Returns the number of events. */
function toConsole(lines: Uint8Array[]): number {
  const events = eventsIn(lines);
  for (const event of events) console.log(event);
  return events.length;
}
