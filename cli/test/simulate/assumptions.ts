//! What the simulator assumes of the platform, one by one. Each runs in workerd and in the simulator, which may not be
//! kinder. `worker/test/support/probe.ts` is the object that they observe.

/** Calls of one object, all at once and by one stub: each is a method of the probe and its arguments. */
export interface Calls {
  object: string;
  calls: [method: string, ...args: unknown[]][];
}

/** The result of one call. */
export type Result = { value: unknown } | { error: string };

/** A platform with the probe on it. */
export interface Runner {
  /** Calls one object, all at once. */
  call(object: string, ...calls: Calls["calls"]): Promise<Result[]>;
  /** Lets so many milliseconds pass. */
  wait(ms: number): Promise<void>;
}

export interface Assumption {
  name: string;
  /** What happens. */
  observe(runner: Runner, object: string): Promise<unknown>;
  expected: unknown;
}

/** The value of each result; an error as `failed`, because platforms have other words. */
function values(results: Result[]): unknown[] {
  return results.map((result) => ("value" in result ? result.value : "failed"));
}

export const ASSUMPTIONS: Assumption[] = [
  {
    name: "calls of one stub arrive in their order",
    observe: async ({ call }, object) => {
      await call(object, ...Array.from({ length: 30 }, (_, n): [string, string] => ["write", `${n}`]));
      return values(await call(object, ["lines"]));
    },
    expected: [Array.from({ length: 30 }, (_, n) => `${n}`)],
  },
  {
    name: "another call runs while one waits",
    observe: async ({ call }, object) => values(await call(object, ["sleep"], ["wake"])),
    expected: ["woken", null],
  },
  {
    name: "the message of an error arrives, and what was written before it stays",
    observe: async ({ call }, object) => [
      ...(await call(object, ["writeAndThrow", "one"])),
      ...values(await call(object, ["lines"])),
    ],
    expected: [{ error: "on purpose" }, ["one"]],
  },
  {
    name: "a method that the class does not have fails",
    observe: async ({ call }, object) => values(await call(object, ["nothing"], ["lines"])),
    expected: ["failed", []],
  },
  {
    name: "a transaction that fails leaves nothing, and what was written before it stays",
    observe: async ({ call }, object) =>
      values(await call(object, ["write", "one"], ["rollBack", "two"], ["write", "three"], ["lines"])),
    expected: [null, null, null, ["one", "three"]],
  },
  {
    name: "an instance that ends loses its memory, and keeps what was answered",
    observe: async ({ call }, object) => {
      const before = values(await call(object, ["counted"], ["counted"], ["write", "one"]));
      await call(object, ["end"]);
      return [...before, ...values(await call(object, ["counted"], ["lines"]))];
    },
    expected: [1, 2, null, 1, ["one"]],
  },
  {
    name: "all calls of an instance that ends fail",
    observe: async ({ call }, object) => values(await call(object, ["sleep"], ["sleep"], ["end"])),
    expected: ["failed", "failed", "failed"],
  },
  {
    name: "an instance whose constructor throws answers no call",
    observe: async ({ call }, object) => {
      await call(object, ["breakStart"]);
      await call(object, ["end"]);
      return values([...(await call(object, ["lines"])), ...(await call(object, ["lines"]))]);
    },
    expected: ["failed", "failed"],
  },
  {
    name: "a later alarm replaces an earlier one, and rings once",
    observe: async ({ call, wait }, object) => {
      await call(object, ["setAlarms", 100, 600]);
      await wait(300);
      const early = values(await call(object, ["lines"], ["hasAlarm"]));
      await wait(1500);
      return [...early, ...values(await call(object, ["lines"], ["hasAlarm"]))];
    },
    expected: [[], true, ["rings, alarm set: false"], false],
  },
  {
    name: "an alarm outlives the instance that has set it",
    observe: async ({ call, wait }, object) => {
      await call(object, ["setAlarms", 500]);
      await call(object, ["end"]);
      await wait(1500);
      return values(await call(object, ["lines"]));
    },
    expected: [["rings, alarm set: false"]],
  },
  {
    name: "an alarm whose handler sets another one rings again",
    observe: async ({ call, wait }, object) => {
      await call(object, ["write", "again"], ["setAlarms", 50]);
      await wait(1500);
      return values(await call(object, ["lines"], ["hasAlarm"]));
    },
    expected: [["again", "rings, alarm set: false", "rings, alarm set: false"], false],
  },
  {
    name: "an alarm whose handler sets it to the same time rings again",
    observe: async ({ call, wait }, object) => {
      await call(object, ["write", "same"], ["setAlarms", 50]);
      await wait(1500);
      return values(await call(object, ["lines"], ["hasAlarm"]));
    },
    expected: [["same", "rings, alarm set: false", "rings, alarm set: false"], false],
  },
  {
    name: "an alarm whose handler throws rings again, and what it wrote stays",
    observe: async ({ call, wait }, object) => {
      await call(object, ["write", "fail"], ["setAlarms", 50]);
      await wait(6000);
      return values(await call(object, ["lines"], ["hasAlarm"]));
    },
    expected: [["fail", "rings, alarm set: false", "rings, alarm set: false"], false],
  },
  {
    name: "deleting everything deletes the tables and the alarm",
    observe: async ({ call }, object) =>
      values(await call(object, ["write", "one"], ["setAlarms", 60_000], ["deleteAll"], ["lines"], ["hasAlarm"])),
    expected: [null, null, null, [], false],
  },
];
