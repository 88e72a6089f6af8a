//! A running bidder with a clock of its own, and what its exchange and its operator ask it.

import { setTimeout as sleep } from "node:timers/promises";
import type { Known } from "../../../shared/ledger/rows.ts";
import type { Row } from "../../../shared/report/rows.ts";
import { now } from "../../../worker/test/support/clock.ts";
import { OBJECTS } from "../../deploy/configuration.ts";
import { type Bindings, json, type RunningScript, type Stored, startScript } from "../../workerd.ts";
import { type Bid, bidsOn, NOTICE_KEY, OPERATOR, OPERATOR_TOKEN } from "../bidder.ts";

/** At `realStart` it is `start`, and time is `speed` times as fast. Milliseconds since the epoch. */
export interface Clock {
  realStart: number;
  start: number;
  speed: number;
}

/** The catalog of a bidder, by key of KV. */
export type Pushed = Record<string, Stored>;

/** The state of a catalog in `GET /healthz`. */
export interface Health {
  ok: boolean;
  catalog: { version: string; failure: string | null; warning: string | null; second: { version: string } | null };
}

/** Starts a script with a clock and the bindings of a bidder. */
export function startTimed(
  entry: URL,
  pushed: Pushed,
  clock: Clock,
  { vars, ...bindings }: Bindings,
): Promise<RunningScript> {
  return startScript(
    entry,
    { CATALOG: pushed },
    {
      define: { CLOCK: JSON.stringify(clock) },
      vars: { EVENTS_ONE_IN: "off", NOTICE_KEYS: NOTICE_KEY, OPERATOR_TOKEN, ...vars },
      ...{ durableObjects: OBJECTS, ...bindings },
    },
  );
}

export class Running implements AsyncDisposable {
  readonly #script: RunningScript;
  readonly #clock: Clock;
  #stopped: Promise<void> | undefined;

  private constructor(script: RunningScript, clock: Clock) {
    [this.#script, this.#clock] = [script, clock];
  }

  /** Starts a bidder, and waits until it has the catalog. */
  static async start(pushed: Pushed, clock: Clock, bindings: Bindings = {}): Promise<Running> {
    const script = await startTimed(new URL("worker.ts", import.meta.url), pushed, clock, bindings);
    while (!(await fetch(`${script.origin}/healthz`)).ok) await sleep(20);
    return new Running(script, clock);
  }

  get origin(): string {
    return this.#script.origin;
  }

  /** The time of the bidder, in milliseconds since the epoch. */
  get now(): number {
    const { realStart, start, speed } = this.#clock;
    return start + (now() - realStart) * speed;
  }

  /** The JSON of a path that is for the operator. */
  json<T>(path: string): Promise<T> {
    return json(this.#script, path, { headers: OPERATOR });
  }

  health(): Promise<Health> {
    return this.json("/healthz");
  }

  /** All rows of the report of these days. */
  async report({ from, to }: { from: string; to: string }): Promise<Row[]> {
    const query = `by=day,campaign,ssp,creative&from=${from}&to=${to}`;
    return (await this.json<{ rows: Row[] }>(`/report?${query}`)).rows;
  }

  /** What the ledger knows of a token. */
  async known(token: string): Promise<Known> {
    return (await this.json<{ ledger: Known }>(`/n/why/${token}`)).ledger;
  }

  /** Budgets, when the pacer knows what was spent. */
  async budgets(): Promise<Record<string, string>[]> {
    for (;;) {
      const response = await fetch(`${this.origin}/budget`, { headers: OPERATOR });
      if (response.ok) return ((await response.json()) as { campaigns: Record<string, string>[] }).campaigns;
      await sleep(50);
    }
  }

  bid({ ssp, body }: { ssp: string; body: object }): Promise<Bid[]> {
    return bidsOn(this.origin, body, ssp);
  }

  /** Sends a notice, and throws if the answer is not 204. */
  async notice(path: string): Promise<void> {
    const { status } = await this.#script.fetch(path);
    if (status !== 204) throw new Error(`${path}: ${status}`);
  }

  /** Calls the alarms of all objects of the ledger of a day. */
  async handOver(day: string): Promise<void> {
    await this.#script.fetch(`/ring/${day}`, { method: "POST" });
  }

  /** Stops; a second stop does nothing. */
  stop(): Promise<void> {
    this.#stopped ??= this.#script.stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
