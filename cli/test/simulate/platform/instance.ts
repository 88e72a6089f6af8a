//! One running copy of a bundle, with a clock, timers, chance and variables of its own. After its end, none of its code
//! runs any more, and nothing that it sent is answered.

import { Broken } from "../broken.ts";
import type { Fetch } from "./collector.ts";
import type { Dice } from "./dice.ts";
import { own } from "./globals.ts";
import type { Program } from "./program.ts";
import type { Cancel, World } from "./world.ts";

export class Instance {
  readonly name: string;
  /** Milliseconds by which its clock is ahead: always, and since the clock was set. */
  readonly skew: number;
  jumpMs = 0;
  readonly dice: Dice;
  /** Called after each of its turns: a chance to end it between two awaits. */
  afterTurn: () => void = () => {};
  /** Its calls of other servers. */
  onFetch: Fetch = async () => Promise.reject(new TypeError("nothing listens"));
  /** When it ended. */
  endedAt = Number.POSITIVE_INFINITY;
  readonly #world: World;
  readonly #program: Program;
  readonly #timers = new Map<number, Cancel>();
  #timer = 0;
  #isAlive = true;

  constructor(world: World, name: string, program: Program, dice: Dice, skew: number) {
    [this.#world, this.name, this.#program, this.dice, this.skew] = [world, name, program, dice, skew];
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get now(): number {
    return Math.floor(this.#world.now + this.skew + this.jumpMs);
  }

  /** Runs code of this instance, unless it has ended. */
  enter(run: () => void): void {
    if (!this.#isAlive) return;
    this.begin(run);
    this.afterTurn();
  }

  /** Runs code of this instance. The promises that it resolves go on before the event ends. */
  begin<T>(run: () => T): T {
    this.#world.own(this);
    own(this);
    this.#program.serve(this);
    return run();
  }

  end(): void {
    this.#isAlive = false;
    this.endedAt = this.#world.now;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  setTimeout(run: () => void, ms: number): number {
    const timer = ++this.#timer;
    const ring = () => {
      this.#timers.delete(timer);
      this.enter(run);
    };
    this.#timers.set(timer, this.#world.after(Math.max(0, ms), ring));
    return timer;
  }

  clearTimeout(timer: number): void {
    this.#timers.get(timer)?.();
    this.#timers.delete(timer);
  }

  tell(line: unknown): void {
    this.#world.tell(this.name, `logs ${line}`);
    if (String(line).includes('"outcome":"assertion"')) this.#world.fail(new Broken("assertions", String(line)));
  }
}
