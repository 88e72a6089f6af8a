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
import { ExtraBidders } from "../../src/catalog/extra-bidders.ts";
import { POINTER_KEY } from "../../src/catalog/pointer.ts";
import { Isolate as State } from "../../src/isolate.ts";
import { Tally } from "../../src/notices/tally.ts";
import { PacingExchange } from "../../src/pacing/exchange.ts";
import { answer } from "../../src/router.ts";
import { Bidder } from "../../src/wasm/bidder.ts";
import { catalogDocument, simple, text } from "./fixtures.ts";

/** A catalog document, as bytes or parsed. */
type Catalog = Uint8Array<ArrayBuffer> | object;

/** Keys with which bids have notices. */
export const NOTICE_KEYS = "a-key-of-the-tests-a-key-of-the-tests";

/** A request of the operator: the tests' Worker has this token. */
export const OPERATOR = { headers: { authorization: "Bearer operator" } };

/** An answer, and what waits for the work behind it. */
interface Started {
  response: Response;
  settle: () => Promise<void>;
}

export interface Bid {
  price: number;
  ext?: { catalog: string };
}

/** The state of an isolate whose work behind an answer is done at once, because the tests wait for it. */
export class Isolate extends State {
  /** Events are off, because otherwise the work after an answer would wait for the next flush of events. */
  eventsOneIn = "off";
  override readonly tally = new Tally(this.counters, 1);
  override readonly pacing = new PacingExchange(this.counters, 1);
  override readonly extraBidders = new ExtraBidders(1);

  /** Pushes a catalog, and takes it up. Returns its version. */
  async serve(document: Catalog, from: Env = env): Promise<string> {
    const version = await pushed(document);
    await this.refresh(from);
    return version;
  }

  /** Runs the next refresh to its end. */
  async refresh(from: Env = env): Promise<void> {
    wait(30_000);
    const ctx = createExecutionContext();
    this.keeper.use(from, ctx);
    await waitOnExecutionContext(ctx);
  }

  /** Answers a request, and waits for the work after the answer. */
  async fetch(path: string, init: RequestInit = {}, vars: object = {}): Promise<Response> {
    const { response, settle } = await this.start(path, init, vars);
    await settle();
    return response;
  }

  /** Answers a request. `settle` waits for the work after the answer. */
  async start(path: string, init: RequestInit = {}, vars: object = {}): Promise<Started> {
    const ctx = createExecutionContext();
    const url = path.startsWith("/") ? `https://bidder.test${path}` : path;
    const from = { ...env, EVENTS_ONE_IN: this.eventsOneIn, ...vars } as Bindings;
    const response = await answer(new Request(url, init), from, ctx, this);
    return { response, settle: () => waitOnExecutionContext(ctx) };
  }

  /** Answers a post to `/bid/:ssp`, and waits for the work after the answer. */
  async post(body: BodyInit, init: RequestInit = {}, from: Env = env, ssp = "demo"): Promise<Response> {
    const { response, settle } = await this.answer(body, init, from, ssp);
    await settle();
    return response;
  }

  /** Answers a post to `/bid/:ssp`. `settle` waits for the work after the answer. */
  answer(body: BodyInit, init: RequestInit = {}, from: Env = env, ssp = "demo"): Promise<Started> {
    return this.start(`/bid/${ssp}`, { method: "POST", body, ...init }, { ...from, EVENTS_ONE_IN: this.eventsOneIn });
  }

  /** The bid on the simple request with this id; null if there is none. Waits for the work after the answer. */
  async bid(id = "req-1", from: Env = env): Promise<Bid | null> {
    const response = await this.post(json({ ...JSON.parse(text(simple)), id }), {}, from);
    return response.status === 204 ? null : ((await bidsIn<Bid>(response))[0] ?? null);
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

export function json(value: unknown): Uint8Array<ArrayBuffer> {
  return file(JSON.stringify(value));
}

export function compiled(document: Uint8Array): Compiled {
  const made = compile(document, compiler);
  return { ...made, campaigns: new Bidder(made.snapshot, module).campaigns };
}

export function options(): MoveOptions {
  return { now: new Date(), step: async (_, work) => work(() => {}) };
}

/** Pushes a catalog. Returns its version. */
export async function pushed(
  document: Catalog,
  into = store,
  more: Partial<Parameters<typeof push>[3]> = {},
): Promise<string> {
  const bytes = document instanceof Uint8Array ? document : json(document);
  return (await push(into, bytes, compiled, { ...options(), ...more })).version;
}

/** `fixtures/catalog.json` after a change of the parsed document. */
export function changed(change: (document: ReturnType<typeof JSON.parse>) => void): Uint8Array<ArrayBuffer> {
  const document = JSON.parse(text(catalogDocument));
  change(document);
  return json(document);
}

/** The example, whose campaign on the simple request pays 1.80 dollars, and the same with 1.90. */
export const cheap = catalogDocument;
export const dear = priced("1.90");

/** The example with this price of the campaign that bids on the simple request. */
export function priced(price: string): Uint8Array<ArrayBuffer> {
  return file(text(catalogDocument).replace('"max_cpm": "1.80"', `"max_cpm": "${price}"`));
}

/** A catalog with one creative, a banner of 300 by 250, and these campaigns that show it. */
export function smallCatalog(campaigns: object[], more: object = {}): object {
  const campaign = { seat: "s", adomain: ["a.example"], max_cpm: "1", creatives: ["b"] };
  return {
    format: 1,
    ssps: [{ id: "demo" }],
    creatives: [{ crid: "b", banner: { w: 300, h: 250, adm: "<p>" } }],
    campaigns: campaigns.map((own, n) => ({ cid: `c${n}`, ...campaign, ...own })),
    ...more,
  };
}

/** A request that the campaigns of {@link smallCatalog} bid on. */
export function smallRequest(more: object = {}): Uint8Array<ArrayBuffer> {
  return json({ id: "r", imp: [{ id: "1", banner: { w: 300, h: 250 } }], ...more });
}

/** The bids of a response with status 200. */
export async function bidsIn<T = { cid: string }>(response: Response): Promise<T[]> {
  expect(response.status).toBe(200);
  return (await response.json<{ seatbid: { bid: T[] }[] }>()).seatbid.flatMap(({ bid }) => bid);
}

/** The tests' KV, but reads of versions call `get`. `whole` reads the real value. */
export function withSnapshots(
  get: (whole: () => Promise<ArrayBuffer | null>, key: string) => Promise<ArrayBuffer | null>,
): Env {
  const real = (key: string) => env.CATALOG.get(key, "arrayBuffer");
  return withKv((key) => (key === POINTER_KEY ? real(key) : get(() => real(key), key)));
}

/** The tests' KV, but each read calls `get`. */
export function withKv(get: (key: string) => Promise<unknown>, more: object = {}): Env {
  return { ...env, CATALOG: { get, ...more } as unknown as KVNamespace };
}

export async function bytesOf(whole: () => Promise<ArrayBuffer | null>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array((await whole()) ?? new ArrayBuffer(0));
}

/** How the commands open a snapshot. */
export const open = (snapshot: Uint8Array) => new Bidder(snapshot, module);

/**
 * Runs a command again and again, killed after one more step each time, until it ends. `check` looks at what is served
 * then, and says whether the pointer has moved: after that, the command only checks the result.
 */
export async function killedAtEachStep(
  command: (steps: number) => Promise<unknown>,
  check: () => Promise<boolean>,
): Promise<void> {
  for (let steps = 0; ; steps++) {
    const outcome = await command(steps).catch(() => "killed");
    const hasMoved = await check();
    if (outcome === "killed") continue;
    expect(hasMoved && steps > 5).toBe(true);
    return;
  }
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
