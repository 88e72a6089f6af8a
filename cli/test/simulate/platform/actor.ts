//! One Durable Object: its storage, the instance that runs now if there is one, its alarm, and the calls that wait for
//! its answers.
//!
//! Kept from the platform: one instance at a time; an instance starts with a call or an alarm; answers leave when all
//! that was written before is durable; an alarm rings at least once, and again if its handler fails; an instance without
//! calls ends after some time, with what it had in memory.

import type { SQLInputValue } from "node:sqlite";
import type { Dice } from "./dice.ts";
import { Instance } from "./instance.ts";
import { copied } from "./network.ts";
import type { Program } from "./program.ts";
import type { Rates } from "./rates.ts";
import { Storage } from "./storage.ts";
import type { Cancel, World } from "./world.ts";

/** The answer to a call: a value, or why there is none. */
export type Answer = { value: unknown } | { error: Error };

/** What an actor needs of the platform. */
export interface Setting {
  world: World;
  rates: Rates;
  /** The code of the next instance. */
  programOf: () => Program;
  /** The bindings of an instance, and the gate that holds back what it sends. */
  envOf: (caller: Instance, gate: (run: () => void) => void) => object;
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Cloudflare promises that alarms are not lost. These classes promise that it does no harm. */
const LOSES_ALARMS = ["Ledger", "Pacer"];
/** Milliseconds: the start of an instance, and without calls until its end. */
const START_MS = [2, 60] as const;
const IDLE_MS = [70_000, 140_000] as const;
/** A call of a silent object fails after so many milliseconds. */
const SILENT_MS = [10, 30_000] as const;
/** After a failure, an alarm is tried again so many times, at first after so many milliseconds. */
const ALARM_RETRIES = 6;
const ALARM_RETRY_MS = 2000;

export class Actor {
  readonly className: string;
  readonly id: string;
  readonly storage: Storage;
  /** Until then, it answers nothing, and its alarm does not ring. */
  silentUntil = 0;
  /** When it was called last, or its alarm rang; and how many of its instances have ended. */
  usedAt = 0;
  ended = 0;
  readonly #setting: Setting;
  readonly #dice: Dice;
  #instance: Instance | undefined;
  #methods: Methods = {};
  /** What waits for the start of the instance. */
  #starting: ((error?: Error) => void)[] | undefined;
  readonly #pending = new Set<(answer: Answer) => void>();
  #cancelAlarm: Cancel = () => {};
  #isRinging = false;

  constructor(className: string, id: string, setting: Setting, dice: Dice) {
    [this.className, this.id, this.#setting, this.#dice] = [className, id, setting, dice];
    this.storage = new Storage(setting.world, dice, setting.rates);
    this.storage.onAlarm = (alarm) => this.#plan(alarm);
    this.storage.onFailure = () => this.end("its disk fails");
  }

  get name(): string {
    return `${this.className} ${this.id}`;
  }

  get isRunning(): boolean {
    return this.#instance !== undefined;
  }

  /** Whether its alarm is set, or rings now. */
  get hasAlarm(): boolean {
    return this.#isRinging || this.storage.alarm !== null;
  }

  /** Sets the clock of the instance: so many milliseconds forward; 0 makes it right again. */
  setClock(jumpMs: number): void {
    if (this.#instance) this.#instance.jumpMs = jumpMs;
  }

  /** A call arrives. */
  call(method: string, args: unknown[], reply: (answer: Answer) => void): void {
    const { world } = this.#setting;
    if (world.now < this.silentUntil) {
      world.after(this.#dice.between(...SILENT_MS), () => reply({ error: new Error("the object is overloaded") }));
      return;
    }
    this.usedAt = world.now;
    this.#started(true, (error) => {
      if (error) reply({ error });
      else this.#run(method, args, reply);
    });
  }

  /** Ends the instance, wherever it waits. What is not durable is lost. */
  end(why: string): void {
    if (this.#instance === undefined) return;
    this.#setting.world.tell(this.name, `ends: ${why}`);
    this.#instance.end();
    this.#instance = undefined;
    this.ended++;
    this.storage.crash();
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const reply of pending) reply({ error: new Error("the object was reset") });
  }

  /** Runs a method. Its answer waits for the disk. */
  #run(method: string, args: unknown[], reply: (answer: Answer) => void): void {
    let isAnswered = false;
    const once = (answer: Answer) => {
      if (isAnswered) return;
      isAnswered = true;
      this.#pending.delete(once);
      reply(answer);
    };
    this.#pending.add(once);
    const leave = (answer: Answer) => this.storage.whenDurable(() => once(answer));
    this.#instance?.enter(() => {
      // Another build may not have the method.
      const missing = async () => Promise.reject(new TypeError(`the object does not have the method ${method}`));
      (this.#methods[method]?.(...args) ?? missing()).then(
        (value) => leave({ value: copied(value) }),
        (error) => leave({ error: new Error(String(error?.message ?? error)) }),
      );
    });
  }

  /** Calls `run` when an instance runs. The platform does not tell its name to one that an alarm has started. */
  #started(isNamed: boolean, run: (error?: Error) => void): void {
    if (this.#instance !== undefined) run();
    else if (this.#starting) this.#starting.push(run);
    else {
      const starting = [run];
      this.#starting = starting;
      this.#setting.world.after(this.#dice.between(...START_MS), () => {
        this.#starting = undefined;
        let error: Error | undefined;
        try {
          this.#start(isNamed);
        } catch (thrown) {
          error = new Error(`the object cannot start: ${thrown}`);
          this.end(error.message);
        }
        for (const one of starting) one(error);
      });
    }
  }

  #start(isNamed: boolean): void {
    const { world, rates, programOf, envOf } = this.#setting;
    const program = programOf();
    const skew = this.#dice.between(-1, 1) * rates.skew;
    const instance = new Instance(world, this.name, program, this.#dice, skew);
    this.#instance = instance;
    instance.afterTurn = () => {
      if (this.#dice.chance(rates.kills)) world.atEndOfTurn(() => this.#isNow(instance) && this.end("it is killed"));
    };
    const abort = (why: string) => {
      world.atEndOfTurn(() => this.#isNow(instance) && this.end(why));
      throw new Error(why);
    };
    const id = { name: isNamed ? this.id : undefined, toString: () => this.id };
    const ctx = { id, storage: facade(this.storage), waitUntil, abort };
    const type = program.exports[this.className] as new (ctx: object, env: object) => Methods;
    const gate = (run: () => void) => this.storage.whenDurable(() => instance.enter(run));
    const env = envOf(instance, gate);
    this.#methods = instance.begin(() => new type(ctx, env));
    this.#watchIdle(instance);
  }

  #isNow(instance: Instance): boolean {
    return this.#instance === instance;
  }

  #watchIdle(instance: Instance): void {
    const { world } = this.#setting;
    world.after(this.#dice.between(...IDLE_MS), () => {
      if (!this.#isNow(instance)) return;
      const isIdle = this.#pending.size === 0 && world.now - this.usedAt >= IDLE_MS[0];
      if (isIdle) this.end("it is idle");
      else this.#watchIdle(instance);
    });
  }

  /** Plans the alarm that is on disk. */
  #plan(alarm: number | null): void {
    const { world, rates } = this.#setting;
    this.#cancelAlarm();
    if (alarm === null) return;
    if (LOSES_ALARMS.includes(this.className) && !this.#isRinging && this.#dice.chance(rates.lostAlarms)) {
      world.tell(this.name, "loses its alarm");
      this.storage.clearAlarm();
      return;
    }
    const late = this.#dice.chance(rates.lateAlarms) ? this.#dice.unit() * rates.alarmSeconds * 1000 : 0;
    this.#cancelAlarm = world.at(Math.max(alarm, world.now) + late, () => this.#ring(0));
  }

  /**
   * Rings. An alarm whose handler fails, or whose object ends meanwhile, rings again, unless the handler has set another
   * one.
   */
  #ring(retries: number): void {
    const { world } = this.#setting;
    if (this.#isRinging) return;
    if (world.now < this.silentUntil) {
      this.#cancelAlarm = world.at(this.silentUntil, () => this.#ring(retries));
      return;
    }
    this.#isRinging = true;
    this.usedAt = world.now;
    this.#started(false, (failure) => {
      const { storage } = this;
      const rung = storage.alarm;
      // While the handler runs, there is no alarm, unless it sets one.
      storage.alarm = null;
      const ended = (answer: Answer) => {
        this.#isRinging = false;
        world.tell(this.name, "error" in answer ? `alarm fails: ${answer.error.message}` : "alarm rang");
        const isOver = "value" in answer && !this.#dice.chance(this.#setting.rates.twice);
        // After a crash, the alarm that rang is on disk.
        const isSet = storage.alarm !== null && ("value" in answer || storage.alarm !== rung);
        if (isSet) this.#plan(storage.alarm);
        else if (isOver) storage.clearAlarm();
        else {
          storage.alarm = rung;
          this.#cancelAlarm();
          if (retries >= ALARM_RETRIES && this.isRunning) return;
          const wait = ALARM_RETRY_MS * 2 ** Math.min(retries, ALARM_RETRIES);
          this.#cancelAlarm = world.after(wait, () => this.#ring(retries + 1));
        }
      };
      if (failure) ended({ error: failure });
      else this.#run("alarm", [], ended);
    });
  }
}

function waitUntil(work: Promise<unknown>): void {
  Promise.resolve(work).catch(() => {});
}

/** What an object sees of its storage. */
function facade(storage: Storage) {
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    const { rows, written } = storage.exec(query, bindings);
    return {
      rowsWritten: written,
      toArray: () => rows,
      one: () => rows[0],
      raw: () => rows.map((row) => Object.values(row))[Symbol.iterator](),
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  };
  return {
    sql: { exec },
    transactionSync: <T>(work: () => T) => storage.transaction(work),
    getAlarm: async () => storage.alarm,
    setAlarm: async (at: number) => storage.setAlarm(at),
    deleteAlarm: async () => storage.setAlarm(null),
    deleteAll: async () => storage.deleteAll(),
  };
}
