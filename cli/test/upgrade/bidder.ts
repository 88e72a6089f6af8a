//! Starts a bidder with its storage in a folder, at a time of its own, and reads and fills such a folder.

import { setTimeout as sleep } from "node:timers/promises";
import type { Known } from "../../../worker/src/ledger/rows.ts";
import type { Row } from "../../../worker/src/report/rows.ts";
import { OBJECTS } from "../../deploy/configuration.ts";
import { json, type RunningScript, startScript } from "../../workerd.ts";
import { type Bid, bidsOn, NOTICE_KEY, OPERATOR, OPERATOR_TOKEN } from "../bidder.ts";
import type { Asked } from "./recording.ts";
import type { Stored } from "./stored.ts";

/** The state of a catalog in `GET /healthz`. */
export interface Health {
  ok: boolean;
  catalog: { version: string; failure: string | null; warning: string | null; second: { version: string } | null };
}

/** The catalog of a pushed bidder, by key. */
export type Pushed = Record<string, { value: Uint8Array; metadata?: unknown }>;

/** A running bidder. */
export class Running implements AsyncDisposable {
  readonly #script: RunningScript;
  readonly #offset: number;

  private constructor(script: RunningScript, offset: number) {
    [this.#script, this.#offset] = [script, offset];
  }

  /** Starts a bidder whose clock is ahead by so many milliseconds. `pushed` is put into its KV. */
  static async start(folder: string, offset: number, pushed: Pushed = {}): Promise<Running> {
    const script = await run("worker.ts", folder, offset, pushed);
    while (!(await fetch(`${script.origin}/healthz`)).ok) await sleep(20);
    return new Running(script, offset);
  }

  /** The time of the bidder, in milliseconds since the epoch. */
  get now(): number {
    return Date.now() + this.#offset;
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
      const response = await fetch(`${this.#script.origin}/budget`, { headers: OPERATOR });
      if (response.ok) return ((await response.json()) as { campaigns: Record<string, string>[] }).campaigns;
      await sleep(50);
    }
  }

  bid({ ssp, body }: Asked): Promise<Bid[]> {
    return bidsOn(this.#script.origin, body, ssp);
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

  /** Warnings and errors since the start. */
  logged(): Promise<string[]> {
    return this.json("/logged");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#script.stop();
  }
}

/** What a stopped bidder has stored. `offset` is that of its clock. */
export async function storedIn(folder: string, offset: number): Promise<Stored> {
  const script = await run("store.ts", folder, offset);
  try {
    return await json(script, "/");
  } finally {
    await script.stop();
  }
}

/** Fills an empty folder for a bidder whose clock has this offset. */
export async function fill(folder: string, stored: Stored, offset: number): Promise<void> {
  const script = await run("store.ts", folder, offset);
  try {
    await script.fetch("/", { method: "PUT", body: JSON.stringify(stored) });
  } finally {
    await script.stop();
  }
}

function run(script: string, folder: string, offset: number, pushed: Pushed = {}): Promise<RunningScript> {
  return startScript(
    new URL(script, import.meta.url),
    { CATALOG: pushed },
    {
      define: { CLOCK: JSON.stringify({ realStart: 0, start: offset, speed: 1 }) },
      vars: { EVENTS_ONE_IN: "off", NOTICE_KEYS: NOTICE_KEY, OPERATOR_TOKEN },
      durableObjects: OBJECTS,
      persist: folder,
    },
  );
}
