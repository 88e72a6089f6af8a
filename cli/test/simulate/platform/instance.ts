//! One running copy of a bundle, with a clock, timers, chance and memory of its own. After its end, none of its code
//! runs any more, and nothing that it sent is answered.

import { createHash } from "node:crypto";
import { type Fetch, WEB } from "./collector.ts";
import type { Dice } from "./dice.ts";
import type { Program } from "./program.ts";
import type { Cancel, World } from "./world.ts";

export class Instance {
  readonly name: string;
  readonly exports: Record<string, unknown>;
  /** Milliseconds by which its clock is ahead: always, and since the clock was set. */
  readonly skew: number;
  jumpMs = 0;
  /** Called after each of its turns: a chance to end it between two awaits. */
  afterTurn: () => void = () => {};
  /** Its calls of other servers. */
  onFetch: Fetch = async () => Promise.reject(new TypeError("nothing listens"));
  /** When it ended. */
  endedAt = Number.POSITIVE_INFINITY;
  readonly #world: World;
  readonly #timers = new Map<number, Cancel>();
  #timer = 0;
  #isAlive = true;

  constructor(world: World, name: string, program: Program, dice: Dice, skew: number) {
    [this.#world, this.name, this.skew] = [world, name, skew];
    const fetch: Fetch = (...args) => this.onFetch(...args);
    this.exports = program({ ...this.#time(), ...chanceOf(dice), ...WEB, fetch, console: this.#console() });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Its time, in whole milliseconds since the epoch. */
  get now(): number {
    return Math.floor(this.#world.now + this.skew + this.jumpMs);
  }

  /** Runs code of this instance, unless it has ended. */
  enter(run: () => void): void {
    if (!this.#isAlive) return;
    run();
    this.afterTurn();
  }

  end(): void {
    this.#isAlive = false;
    this.endedAt = this.#world.now;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #time() {
    const now = () => this.now;
    const setTimeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => {
      const timer = ++this.#timer;
      const ring = () => {
        this.#timers.delete(timer);
        this.enter(() => run(...args));
      };
      this.#timers.set(timer, this.#world.after(Math.max(0, ms), ring));
      return timer;
    };
    const clearTimeout = (timer: number) => {
      this.#timers.get(timer)?.();
      this.#timers.delete(timer);
    };
    class VirtualDate extends Date {
      constructor(...args: [] | [string | number | Date]) {
        super(...((args.length === 0 ? [now()] : args) as [number]));
      }
      static override now = now;
    }
    const wait = (ms: number) => new Promise<void>((done) => setTimeout(() => done(), ms));
    return { Date: VirtualDate, setTimeout, clearTimeout, scheduler: { wait }, performance: { now } };
  }

  /** What the code logs is part of the trace. */
  #console() {
    const tell = (line: unknown) => this.#world.tell(this.name, `logs ${line}`);
    return { log: tell, info: tell, warn: tell, error: tell };
  }
}

const MATH = Object.defineProperties({}, Object.getOwnPropertyDescriptors(Math));

function chanceOf(dice: Dice) {
  const math = Object.create(MATH, { random: { value: () => dice.unit() } });
  const subtle = {
    // The digest of Node runs in another thread, which answers at any time.
    digest: async (_: "SHA-256", bytes: Uint8Array) => {
      const digest = createHash("sha256").update(bytes).digest();
      return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.byteLength);
    },
  };
  const getRandomValues = (values: Uint32Array) => {
    for (const at of values.keys()) values[at] = dice.below(2 ** 32);
    return values;
  };
  return { Math: math, crypto: { subtle, randomUUID: () => dice.uuid(), getRandomValues } };
}
