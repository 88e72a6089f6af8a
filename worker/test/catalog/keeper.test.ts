//! The isolate's catalog is refreshed in the background, and stays in use when KV fails.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { CatalogKeeper } from "../../src/catalog/keeper.ts";
import { POINTER_KEY } from "../../src/catalog/pointer.ts";
import { REFRESH_TIMEOUT_MS } from "../../src/limits.ts";
import { Counters } from "../../src/telemetry/counters.ts";
import { catalogDocument, text } from "../support/fixtures.ts";
import { later, wait } from "../support/isolate.ts";

const dearer = text(catalogDocument).replace('"max_cpm": "1.80"', '"max_cpm": "1.90"');

beforeEach(async () => {
  later();
  vi.spyOn(console, "error").mockImplementation(() => {});
  await env.CATALOG.put(POINTER_KEY, catalogDocument);
});

/** An environment whose KV answers every read with `get`. */
function withKv(get: () => Promise<unknown>): Env {
  return { ...env, CATALOG: { get } as unknown as KVNamespace };
}

/** Uses the keeper as one request does, and waits for the background work. */
async function use(keeper: CatalogKeeper, from: Env = env) {
  const ctx = createExecutionContext();
  const bidder = keeper.use(from, ctx);
  await waitOnExecutionContext(ctx);
  return bidder;
}

it("waits for KV only before the first catalog", async () => {
  const keeper = new CatalogKeeper(new Counters());
  const ctx = createExecutionContext();
  expect(keeper.use(env, ctx)).toBeUndefined();
  expect(await keeper.first()).toBeDefined();
  await waitOnExecutionContext(ctx);
  expect(await use(keeper)).toBeDefined();
});

it("a new isolate has no catalog as long as KV does not answer", async () => {
  const keeper = new CatalogKeeper(new Counters());
  const late = withKv(() => new Promise(() => {}));
  keeper.use(late, { waitUntil: () => {} });
  expect(await keeper.first()).toBeUndefined();
  wait(REFRESH_TIMEOUT_MS);
  await use(keeper);
  expect(await use(keeper)).toBeDefined();
});

it("a pushed catalog is used from the first request after the refresh", async () => {
  const keeper = new CatalogKeeper(new Counters());
  await use(keeper);
  const first = await use(keeper);
  await env.CATALOG.put(POINTER_KEY, dearer);
  expect(await use(keeper)).toBe(first);
  wait(30_000);
  expect(await use(keeper)).toBe(first);
  expect(await use(keeper)).not.toBe(first);
});

it.each([
  ["throws", () => Promise.reject(new Error("KV is down")), "KV is down"],
  ["has lost the key", () => Promise.resolve(null), "no value under the key"],
  ["holds half a document", () => Promise.resolve(catalogDocument.slice(0, 999).buffer), "not JSON"],
  ["holds no catalog", () => Promise.resolve(new TextEncoder().encode("{}").buffer), "ssps"],
])("the last good catalog stays when KV %s", async (_, get, failure) => {
  const keeper = new CatalogKeeper(new Counters());
  await use(keeper);
  const first = await use(keeper);
  const { version } = keeper.state();
  wait(30_000);
  await use(keeper, withKv(get));
  expect(await use(keeper)).toBe(first);
  expect(keeper.state().version).toBe(version);
  expect(keeper.state().failure ?? "").toContain(failure);
  // The next good refresh clears the failure.
  wait(30_000);
  await use(keeper);
  expect(keeper.state().failure).toBeNull();
});

it("the late answer of a refresh that was given up does not replace a newer catalog", async () => {
  const keeper = new CatalogKeeper(new Counters());
  let answer: (value: ArrayBuffer) => void = () => {};
  const slow = withKv(() => new Promise<ArrayBuffer>((resolve) => (answer = resolve)));
  keeper.use(slow, { waitUntil: () => {} });
  wait(REFRESH_TIMEOUT_MS);
  await use(keeper);
  const { version } = keeper.state();
  answer(new TextEncoder().encode(dearer).buffer as ArrayBuffer);
  await use(keeper);
  await new Promise((done) => setTimeout(done, 20));
  expect(keeper.state().version).toBe(version);
});
