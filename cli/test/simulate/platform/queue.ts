//! The queue of events: it takes messages, and delivers each at least once, in batches and in any order. What fails too
//! often ends in the dead-letter queue.

import { Dice } from "./dice.ts";
import type { Rates } from "./rates.ts";
import type { World } from "./world.ts";

export interface Message {
  id: string;
  body: ArrayBuffer;
  /** Deliveries so far. */
  attempts: number;
  /** When it may be delivered. */
  readyAt: number;
}

/** What a consumer is called with. */
export type Batch = ReturnType<typeof batchOf>["batch"];

/** Calls the Worker with a batch. `done` is called when it has ended, or its isolate has. */
export type Consumer = (batch: Batch, done: () => void) => void;

/** The settings of `wrangler.toml`. */
const BATCH_MESSAGES = 100;
const BATCH_MS = 10_000;
const MAX_RETRIES = 20;
/** Milliseconds until the messages of an isolate that has ended are delivered again. */
const LOST_MS = 30_000;

export class Queue {
  /** The messages that were given up. */
  readonly dead: Message[] = [];
  readonly #world: World;
  readonly #rates: Rates;
  readonly #dice: Dice;
  readonly #consumer: Consumer;
  #waiting: Message[] = [];
  #underWay = 0;
  #isPlanned = false;

  constructor(world: World, rates: Rates, consumer: Consumer) {
    [this.#world, this.#rates, this.#consumer] = [world, rates, consumer];
    this.#dice = Dice.of(world.seed, "queue");
  }

  /** Messages that are neither acknowledged nor dead. */
  get length(): number {
    return this.#waiting.length + this.#underWay;
  }

  /** Takes messages, or throws. */
  send(bodies: ArrayBuffer[]): void {
    if (this.#dice.chance(this.#rates.queueRefuses)) throw new Error("the simulated queue refuses the call");
    const readyAt = this.#world.now;
    this.#add(bodies.map((body) => ({ id: this.#dice.uuid(), body, attempts: 0, readyAt })));
  }

  #add(messages: Message[]): void {
    this.#waiting.push(...messages);
    if (this.#isPlanned || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    const next = Math.min(...this.#waiting.map(({ readyAt }) => readyAt));
    this.#world.at(Math.max(next, this.#world.now) + this.#dice.unit() * BATCH_MS, () => {
      this.#isPlanned = false;
      this.#deliver();
      this.#add([]);
    });
  }

  #deliver(): void {
    const ready = this.#waiting.filter(({ readyAt }) => readyAt <= this.#world.now).slice(0, BATCH_MESSAGES);
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter((message) => !ready.includes(message));
    this.#underWay += ready.length;
    for (const message of ready) message.attempts++;
    const { batch, decided } = batchOf(ready);
    this.#consumer(batch, () => {
      this.#underWay -= ready.length;
      const { delayMs } = decided;
      // An acknowledgement may get lost too.
      if (delayMs === null && !this.#dice.chance(this.#rates.unanswered)) return;
      for (const message of ready) message.readyAt = this.#world.now + (delayMs ?? LOST_MS);
      this.dead.push(...ready.filter(({ attempts }) => attempts > MAX_RETRIES));
      this.#add(ready.filter(({ attempts }) => attempts <= MAX_RETRIES));
    });
  }
}

/** A batch of messages, and what its consumer decides: the delay of the next delivery, or null if there is none. */
function batchOf(ready: Message[]) {
  const decided: { delayMs: number | null } = { delayMs: LOST_MS };
  const batch = {
    messages: ready.map(({ id, body, attempts }) => ({ id, attempts, body: body.slice(0) })),
    ackAll: () => {
      decided.delayMs = null;
    },
    retryAll: ({ delaySeconds }: { delaySeconds: number }) => {
      decided.delayMs = delaySeconds * 1000;
    },
  };
  return { batch, decided };
}
