//! An object that shows how its platform treats it. It runs in workerd and in the simulator.

import { DurableObject } from "cloudflare:workers";
import { now } from "./clock.ts";

interface Probes {
  LEDGER: { getByName(name: string): Record<string, (...args: unknown[]) => Promise<unknown>> };
}

/** `cli/test/simulate/assumptions.ts` explains both. */
interface Calls {
  object: string;
  calls: [method: string, ...args: unknown[]][];
}
type Result = { value: unknown } | { error: string };

/** The simulator knows it by the name of one of the Worker's classes. */
export class Ledger extends DurableObject {
  #calls = 0;
  #alarm = 0;
  #waking: (() => void) | undefined;

  constructor(ctx: DurableObjectState, env: never) {
    super(ctx, env);
    if (this.#has("broken")) throw new Error("it cannot start");
  }

  /** Writes a line. */
  async write(line: string): Promise<void> {
    this.#write(line);
  }

  /** The lines that were written, in their order. */
  async lines(): Promise<unknown[]> {
    return this.#has("lines") ? this.#exec("SELECT line FROM lines ORDER BY rowid").map(({ line }) => line) : [];
  }

  /** The calls of this instance. */
  async counted(): Promise<number> {
    return ++this.#calls;
  }

  /** Writes a line, and ends with an error. */
  async writeAndThrow(line: string): Promise<void> {
    this.#write(line);
    throw new RangeError("on purpose");
  }

  /** Writes a line in a transaction that fails. */
  async rollBack(line: string): Promise<void> {
    const write = () => {
      this.#write(line);
      throw new Error("rolled back");
    };
    expectThrow(() => this.ctx.storage.transactionSync(write));
  }

  async end(): Promise<void> {
    this.ctx.abort("on purpose");
  }

  /** Waits until `wake` is called. */
  async sleep(): Promise<string> {
    await new Promise<void>((done) => {
      this.#waking = done;
    });
    return "woken";
  }

  async wake(): Promise<void> {
    this.#waking?.();
  }

  /** Sets alarms, each so many milliseconds from now. */
  async setAlarms(...ms: number[]): Promise<void> {
    for (const one of ms) {
      this.#alarm = now() + one;
      await this.ctx.storage.setAlarm(this.#alarm);
    }
  }

  /** Whether an alarm is set. */
  async hasAlarm(): Promise<boolean> {
    return (await this.ctx.storage.getAlarm()) !== null;
  }

  async deleteAll(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  /** Each instance throws in its constructor from now on. */
  async breakStart(): Promise<void> {
    this.#exec("CREATE TABLE broken (line TEXT)");
  }

  /**
   * Writes whether an alarm is set while it runs. If the last line was `fail`, it fails; if it was `again`, it sets
   * another alarm, and if it was `same`, the one that has rung.
   */
  override async alarm(): Promise<void> {
    const before = await this.lines();
    this.#write(`rings, alarm set: ${await this.hasAlarm()}`);
    if (before.at(-1) === "again") await this.setAlarms(100);
    if (before.at(-1) === "same") await this.ctx.storage.setAlarm(this.#alarm);
    if (before.at(-1) === "fail") throw new Error("on purpose");
  }

  #write(line: string): void {
    this.#exec("CREATE TABLE IF NOT EXISTS lines (line TEXT NOT NULL)");
    this.#exec("INSERT INTO lines VALUES (?)", line);
  }

  #has(table: string): boolean {
    return this.#exec("SELECT 1 AS one FROM sqlite_master WHERE name = ?", table).length > 0;
  }

  #exec(query: string, ...bindings: string[]): Record<string, unknown>[] {
    return this.ctx.storage.sql.exec(query, ...bindings).toArray();
  }
}

function expectThrow(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
  throw new Error("it should throw");
}

export default {
  /** Makes calls at once, by one stub, and answers with the result of each. */
  async fetch(request: Request, { LEDGER }: Probes): Promise<Response> {
    const { object, calls }: Calls = await request.json();
    const stub = LEDGER.getByName(object);
    const results = calls.map(async ([method, ...args]): Promise<Result> => {
      try {
        return { value: (await stub[method]?.(...args)) ?? null };
      } catch (error) {
        return { error: (error as Error).message };
      }
    });
    const withBigInts = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}` : value);
    return new Response(JSON.stringify(await Promise.all(results), withBigInts));
  },
};
