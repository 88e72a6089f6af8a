//! The state of an isolate for tests, and the tests' KV as a store for the commands.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { push } from "../../../cli/catalog/push.ts";
import type { MoveOptions, Store } from "../../../cli/catalog/store.ts";
import type { Compiled } from "../../../cli/catalog/upload.ts";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { compile } from "../../src/catalog/compile.ts";
import { CatalogKeeper } from "../../src/catalog/keeper.ts";
import { POINTER_KEY } from "../../src/catalog/pointer.ts";
import { Attempts } from "../../src/http/attempts.ts";
import { Asked } from "../../src/inspect/asked.ts";
import { Repeats } from "../../src/notices/repeats.ts";
import { NoticeSettings } from "../../src/notices/settings.ts";
import { Tally } from "../../src/notices/tally.ts";
import { PacingExchange } from "../../src/pacing/exchange.ts";
import { Events } from "../../src/queue/events.ts";
import { bid } from "../../src/routes/bid.ts";
import type { Isolate as State } from "../../src/routes/isolate.ts";
import { SkadnKey } from "../../src/skadn/signer.ts";
import { Tap } from "../../src/tail/tap.ts";
import { Counters } from "../../src/telemetry/counters.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { Bidder } from "../../src/wasm/bidder.ts";
import { simple, text } from "./fixtures.ts";

export interface Bid {
  price: number;
  ext?: { catalog: string };
}

export class Isolate implements State {
  /** Events are off, because otherwise the work after an answer would wait for the next flush of events. */
  eventsOneIn = "off";
  readonly counters = new Counters();
  readonly events = new Events(this.counters);
  readonly attempts = new Attempts(this.counters);
  readonly metrics = new Metrics(this.counters);
  readonly keeper = new CatalogKeeper(this.counters);
  readonly notices = new NoticeSettings();
  /** Hands its counts over at once, because the work after an answer waits for it. */
  readonly tally = new Tally(this.counters, 1);
  readonly repeats = new Repeats();
  /** Exchanges at once, because the work after an answer waits for it. */
  readonly pacing = new PacingExchange(this.counters, 1);
  readonly skadn = new SkadnKey();
  /** Drops a version at once, because the work after an answer waits for it. */
  readonly asked = new Asked(1);
  readonly tap = new Tap();

  /** Runs the next refresh to its end. */
  async refresh(from: Env = env): Promise<void> {
    wait(30_000);
    const ctx = createExecutionContext();
    this.keeper.use(from, ctx);
    await waitOnExecutionContext(ctx);
  }

  /** Answers a post to `/bid/:ssp`, and waits for the work after the answer. */
  async post(body: BodyInit, init: RequestInit = {}, from: Env = env, ssp = "demo"): Promise<Response> {
    const { response, settle } = await this.answer(body, init, from, ssp);
    await settle();
    return response;
  }

  /** Answers a post to `/bid/:ssp`. `settle` waits for the work after the answer. */
  async answer(
    body: BodyInit,
    init: RequestInit = {},
    from: Env = env,
    ssp = "demo",
  ): Promise<{ response: Response; settle: () => Promise<void> }> {
    const ctx = createExecutionContext();
    const sent = new Request(`https://bidder.test/bid/${ssp}`, { method: "POST", body, ...init });
    const vars = { ...from, EVENTS_ONE_IN: this.eventsOneIn } as unknown as Env;
    const response = await bid(sent, ssp, vars, ctx, this);
    return { response, settle: () => waitOnExecutionContext(ctx) };
  }

  /** The bid on the simple request with this id; null if there is none. Waits for the work after the answer. */
  async bid(id = "req-1", from: Env = env): Promise<Bid | null> {
    const response = await this.post(file(JSON.stringify({ ...JSON.parse(text(simple)), id })), {}, from);
    if (response.status === 204) return null;
    expect(response.status).toBe(200);
    return ((await response.json()) as { seatbid: { bid: Bid[] }[] }).seatbid[0]?.bid[0] ?? null;
  }

  async price(): Promise<number> {
    return (await this.bid())?.price ?? 0;
  }
}

/** The tests' KV as a store for the commands. */
export const store: Store = {
  where: "--local",
  get: async (key) => {
    const value = await env.CATALOG.get(key, "arrayBuffer");
    return value && new Uint8Array(value);
  },
  put: (key, value, metadata) => env.CATALOG.put(key, value, metadata ? { metadata } : {}),
  list: async (prefix) => (await env.CATALOG.list({ prefix })).keys,
  delete: async (keys) => {
    for (const key of keys) await env.CATALOG.delete(key);
  },
};

/** Deletes everything in the tests' KV. */
export async function clear(): Promise<void> {
  await store.delete((await env.CATALOG.list()).keys.map(({ name }) => name));
}

/** A store for a command that is killed after this many operations. */
export function dying(operations: number): Store {
  let left = operations;
  const counted = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (left-- === 0) throw new Error("killed");
      return work(...args);
    };
  };
  const { where, get, put, list, delete: remove } = store;
  return { where, get: counted(get), put: counted(put), list: counted(list), delete: counted(remove) };
}

export function file(content: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(content));
}

export function compiled(document: Uint8Array): Compiled {
  const made = compile(document, compiler);
  return { ...made, campaigns: new Bidder(made.snapshot, module).campaigns };
}

export function options(): MoveOptions {
  return { now: new Date(), step: async (_, work) => work(() => {}) };
}

export async function pushed(
  document: Uint8Array<ArrayBuffer>,
  into = store,
  more: Partial<Parameters<typeof push>[3]> = {},
): Promise<string> {
  return (await push(into, document, compiled, { ...options(), ...more })).version;
}

/** The tests' KV, but reads of versions call `get`. `whole` reads the real value. */
export function withSnapshots(
  get: (whole: () => Promise<ArrayBuffer | null>, key: string) => Promise<ArrayBuffer | null>,
): Env {
  const real = (key: string) => env.CATALOG.get(key, "arrayBuffer");
  const faulty = (key: string) => (key === POINTER_KEY ? real(key) : get(() => real(key), key));
  return { ...env, CATALOG: { get: faulty } as unknown as KVNamespace };
}

/** Moves the clock forward by `ms`. */
export function wait(ms: number): void {
  const later = Date.now() + ms;
  vi.spyOn(Date, "now").mockReturnValue(later);
}

let tests = 0;

/** Moves the clock so far that failures of earlier tests are logged again: see `src/telemetry/failures.ts`. */
export function later(): void {
  wait(++tests * 3_600_000);
}
