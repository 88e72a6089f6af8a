//! Pushed catalogs in the isolate: what is pushed gets served, and whatever KV or a push does wrong,
//! bids go on with the last good version, and `GET /healthz` says so.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { type Compiled, push, rollback } from "../../cli/catalog/push.ts";
import type { Store } from "../../cli/catalog/store.ts";
import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { bid } from "../src/bid.ts";
import { Bidder } from "../src/bidder.ts";
import { CatalogKeeper } from "../src/catalog.ts";
import { compile } from "../src/compile.ts";
import { Counters } from "../src/counters.ts";
import { REFRESH_TIMEOUT_MS } from "../src/limits.ts";
import { POINTER_KEY, type Pointer, partKeys, versionOf } from "../src/pointer.ts";
import { catalogDocument, fixtures, text } from "./fixtures.ts";

const request = fixtures("bid").find(({ name }) => name === "simple-banner")?.request ?? new Uint8Array();
const cheap = catalogDocument;
const dear = file(text(cheap).replace('"max_cpm": "1.80"', '"max_cpm": "1.90"'));

let log: MockInstance<typeof console.error>;
let counters: Counters;
let keeper: CatalogKeeper;

beforeEach(async () => {
  log = vi.spyOn(console, "error").mockImplementation(() => {});
  counters = new Counters();
  keeper = new CatalogKeeper(counters);
  await store.delete((await env.CATALOG.list()).keys.map(({ name }) => name));
  await pushed(cheap);
  await refresh();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The KV of the tests as a store of the commands. */
const store: Store = {
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

function file(content: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(content));
}

function compiled(document: Uint8Array): Compiled {
  const snapshot = compile(document, compiler);
  return { snapshot, campaigns: new Bidder(snapshot, module).campaigns };
}

const options = () => ({ now: new Date(), step: async <T>(_: string, work: () => Promise<T> | T) => work() });

async function pushed(document: Uint8Array<ArrayBuffer>, into = store): Promise<string> {
  return (await push(into, document, compiled, options())).version;
}

/** Puts a pointer to a snapshot of these bytes, which nobody checked. */
async function point(snapshot: Uint8Array<ArrayBuffer>, changes: Partial<Pointer> = {}): Promise<Pointer> {
  const version = await versionOf(snapshot);
  const pushed = "2026-11-21T12:00:00Z";
  const pointer = { format: 1, version, parts: 1, campaigns: 1, pushed, previous: null, ...changes } as const;
  await env.CATALOG.put(partKeys(version, "snapshot", 1)[0] ?? "", snapshot);
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(pointer));
  return pointer;
}

/** The KV of the tests, but that what lies below `catalog/` comes as told. */
function withSnapshots(get: (whole: () => Promise<ArrayBuffer | null>) => Promise<ArrayBuffer | null>): Env {
  const real = (key: string) => env.CATALOG.get(key, "arrayBuffer");
  const faulty = (key: string) => (key === POINTER_KEY ? real(key) : get(() => real(key)));
  return { ...env, CATALOG: { get: faulty } as unknown as KVNamespace };
}

/** Lets `ms` pass on the clock that the keeper reads. */
function wait(ms: number) {
  const later = Date.now() + ms;
  vi.spyOn(Date, "now").mockReturnValue(later);
}

/** The next refresh, from first to last. */
async function refresh(from: Env = env): Promise<void> {
  wait(30_000);
  const ctx = createExecutionContext();
  keeper.use(from, ctx);
  await waitOnExecutionContext(ctx);
}

/** The price of the bid that a request gets now. */
async function price(): Promise<number> {
  const ctx = createExecutionContext();
  const sent = new Request("https://bidder.test/bid/demo", { method: "POST", body: request });
  const response = await bid(sent, "demo", env, ctx, keeper, counters);
  expect(response.status).toBe(200);
  const answer = (await response.json()) as { seatbid: { bid: { price: number }[] }[] };
  return answer.seatbid[0]?.bid[0]?.price ?? 0;
}

it("serves what was pushed, and what was before after a rollback", async () => {
  expect(await price()).toBe(1.8);
  const version = await pushed(dear);
  await refresh();
  expect(await price()).toBe(1.9);
  expect(keeper.state()).toMatchObject({ version, failure: null, age: 0 });
  await rollback(store, undefined, (snapshot) => new Bidder(snapshot, module), options());
  await refresh();
  expect(await price()).toBe(1.8);
});

it("fetches nothing but the pointer while the version is the same", async () => {
  let fetched = 0;
  const counting = withSnapshots((whole) => {
    fetched++;
    return whole();
  });
  for (let i = 0; i < 3; i++) await refresh(counting);
  expect(fetched).toBe(0);
  await pushed(dear);
  for (let i = 0; i < 3; i++) await refresh(counting);
  expect(fetched).toBe(1);
});

it("puts the parts of a large snapshot together in their order", async () => {
  const { snapshot } = compiled(dear);
  const { version } = await point(snapshot, { parts: 3 });
  const third = Math.ceil(snapshot.byteLength / 3);
  for (const [part, key] of partKeys(version, "snapshot", 3).entries()) {
    await env.CATALOG.put(key, snapshot.slice(part * third, (part + 1) * third));
  }
  await refresh();
  expect(await price()).toBe(1.9);
});

const bytes = async (whole: () => Promise<ArrayBuffer | null>) => new Uint8Array((await whole()) ?? new ArrayBuffer(0));

it.each<[string, Parameters<typeof withSnapshots>[0], string, "catalog-refused" | "refresh-failed"]>([
  ["throws", () => Promise.reject(new Error("KV is down")), "KV is down", "refresh-failed"],
  ["lacks the version", async () => null, "KV holds no catalog/", "refresh-failed"],
  [
    "cuts the snapshot off",
    async (whole) => (await bytes(whole)).slice(0, 999).buffer,
    "other bytes",
    "catalog-refused",
  ],
  ["holds an empty snapshot", async () => new ArrayBuffer(0), "other bytes", "catalog-refused"],
  ["changes a byte", async (whole) => (await bytes(whole)).with(99, 7).buffer, "other bytes", "catalog-refused"],
])("bids on with the last good version when KV %s", async (_, get, failure, count) => {
  const { version } = keeper.state();
  await pushed(dear);
  for (let i = 0; i < 3; i++) {
    await refresh(withSnapshots(get));
    expect(await price()).toBe(1.8);
    expect(keeper.state()).toMatchObject({ version, failure: expect.stringContaining(failure) });
  }
  expect(log).toHaveBeenCalledTimes(1);
  // What may come right by itself is tried again each time, what cannot is not.
  expect(counters.toJSON()).toMatchObject({ [count]: count === "catalog-refused" ? 1 : 3 });
  await rollback(store, undefined, (snapshot) => new Bidder(snapshot, module), options());
  await refresh();
  expect(keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

it("takes a version that was missing as soon as it is there", async () => {
  const { snapshot } = compiled(dear);
  const { version } = await point(snapshot);
  const [key = ""] = partKeys(version, "snapshot", 1);
  await env.CATALOG.delete(key);
  await refresh();
  expect(keeper.state().failure).toContain("push it again");
  await env.CATALOG.put(key, snapshot);
  await refresh();
  expect(await price()).toBe(1.9);
  expect(keeper.state()).toMatchObject({ version, failure: null });
});

it("takes a damaged version once it was pushed again", async () => {
  const version = await pushed(dear);
  const [key = ""] = partKeys(version, "snapshot", 1);
  await env.CATALOG.put(key, "damaged");
  await refresh();
  expect(keeper.state().failure).toContain("other bytes");
  await pushed(dear);
  await refresh();
  expect(await price()).toBe(1.9);
});

it("bids on when KV hangs, says so, and does not take the late answer for the newest", async () => {
  const { version } = keeper.state();
  await pushed(dear);
  let answer = () => {};
  const late = withSnapshots((whole) => new Promise((done) => (answer = () => done(whole()))));
  wait(30_000);
  keeper.use(late, { waitUntil: () => {} });
  await vi.waitFor(() => expect(answer).not.toHaveLength(1));
  expect(await price()).toBe(1.8);
  await rollback(store, undefined, (snapshot) => new Bidder(snapshot, module), options());
  wait(REFRESH_TIMEOUT_MS);
  keeper.use(env, { waitUntil: () => {} });
  expect(keeper.state().failure).toContain("not answered");
  expect(counters.toJSON()).toMatchObject({ "refresh-failed": 1 });
  await vi.waitFor(() => expect(keeper.state().failure).toBeNull());
  answer();
  await new Promise((done) => setTimeout(done, 20));
  expect(keeper.state()).toMatchObject({ version, failure: null });
  expect(await price()).toBe(1.8);
});

it("refuses a snapshot of another layout in words, once", async () => {
  const { snapshot } = compiled(dear);
  await point(new Uint8Array(snapshot.with(8, 1 + (snapshot[8] ?? 0))));
  for (let i = 0; i < 3; i++) await refresh();
  expect(await price()).toBe(1.8);
  expect(keeper.state().failure).toContain("of another version of the bidder; push the catalog again");
  expect(log).toHaveBeenCalledTimes(1);
  expect(counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it.each([
  ["of a newer format", { format: 2 as 1 }, "format 2"],
  ["without a version", { version: "latest" }, "names no version"],
  ["with no parts", { parts: 0 }, "parts"],
])("refuses a pointer %s", async (_, changes, failure) => {
  await point(compiled(dear).snapshot, changes);
  for (let i = 0; i < 3; i++) await refresh();
  expect(await price()).toBe(1.8);
  expect(keeper.state().failure).toContain(failure);
  expect(counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it("follows an old pointer, which KV may hand out once more, to a whole version and back", async () => {
  const old = await env.CATALOG.get(POINTER_KEY, "arrayBuffer");
  const version = await pushed(dear);
  await refresh();
  const stale = { get: (key: string) => (key === POINTER_KEY ? old : env.CATALOG.get(key, "arrayBuffer")) };
  await refresh({ ...env, CATALOG: stale as unknown as KVNamespace });
  expect(await price()).toBe(1.8);
  expect(keeper.state().failure).toBeNull();
  await refresh();
  expect(await price()).toBe(1.9);
  expect(keeper.state().version).toBe(version);
});

it.each([-86_400_000, 86_400_000 * 365])("follows the pointer when the clock jumps by %i ms", async (jump) => {
  wait(jump);
  const version = await pushed(dear);
  await refresh();
  await refresh();
  expect(keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

it("a push that is killed at any step changes nothing that is served, and the next one goes through", async () => {
  const { version } = keeper.state();
  for (let steps = 0; ; steps++) {
    let left = steps;
    const dying = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        if (left-- === 0) throw new Error("killed");
        return work(...args);
      };
    };
    const { get, put, list, delete: remove } = store;
    const killed = { get: dying(get), put: dying(put), list: dying(list), delete: dying(remove) };
    const outcome = await pushed(dear, killed).catch(() => "killed");
    await refresh();
    if (outcome !== "killed") {
      expect(steps).toBeGreaterThan(5);
      expect(keeper.state()).toMatchObject({ version: outcome, failure: null });
      return;
    }
    expect(keeper.state()).toMatchObject({ version, failure: null });
    expect(await price()).toBe(1.8);
  }
});
