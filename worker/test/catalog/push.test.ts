//! An isolate serves the pushed catalog. If KV or a push fails, the isolate bids with the last good version, and
//! `/healthz` shows the failure.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { rollback } from "../../../cli/catalog/move.ts";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { POINTER_KEY, type Pointer, partKeys, versionOf } from "../../src/catalog/pointer.ts";
import { MAX_COMPILED_BYTES, REFRESH_TIMEOUT_MS } from "../../src/limits.ts";
import { Bidder } from "../../src/wasm/bidder.ts";
import { catalogDocument, text } from "../support/fixtures.ts";
import {
  clear,
  compiled,
  dying,
  file,
  Isolate,
  later,
  options,
  pushed,
  store,
  wait,
  withSnapshots,
} from "../support/isolate.ts";

const cheap = catalogDocument;
const dear = file(text(cheap).replace('"max_cpm": "1.80"', '"max_cpm": "1.90"'));

let log: MockInstance<typeof console.error>;
let isolate: Isolate;

beforeEach(async () => {
  later();
  log = vi.spyOn(console, "error").mockImplementation(() => {});
  isolate = new Isolate();
  await clear();
  await pushed(cheap);
  await isolate.refresh();
});

/** Writes a snapshot and a pointer to it, without any check. */
async function point(snapshot: Uint8Array<ArrayBuffer>, changes: Partial<Pointer> = {}): Promise<Pointer> {
  const version = await versionOf(snapshot);
  const pushed = "2026-11-21T12:00:00Z";
  const pointer = { format: 1, version, parts: 1, campaigns: 1, pushed, previous: null, ...changes } as const;
  await env.CATALOG.put(partKeys(version, "snapshot", 1)[0] ?? "", snapshot);
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(pointer));
  return pointer;
}

it("serves a pushed version, and the previous one after a rollback", async () => {
  expect(await isolate.price()).toBe(1.8);
  const version = await pushed(dear);
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
  await rollback(store, undefined, (snapshot) => new Bidder(snapshot, module), options());
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.8);
});

it("fetches only the pointer as long as the version stays the same", async () => {
  let fetched = 0;
  const counting = withSnapshots((whole) => {
    fetched++;
    return whole();
  });
  for (let i = 0; i < 3; i++) await isolate.refresh(counting);
  expect(fetched).toBe(0);
  await pushed(dear);
  for (let i = 0; i < 3; i++) await isolate.refresh(counting);
  expect(fetched).toBe(1);
});

it("joins the parts of a large snapshot in order", async () => {
  const { snapshot } = compiled(dear);
  const { version } = await point(snapshot, { parts: 3 });
  const third = Math.ceil(snapshot.byteLength / 3);
  for (const [part, key] of partKeys(version, "snapshot", 3).entries()) {
    await env.CATALOG.put(key, snapshot.slice(part * third, (part + 1) * third));
  }
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
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
])("bids with the last good version if KV %s", async (_, get, failure, count) => {
  const { version } = isolate.keeper.state();
  await pushed(dear);
  for (let i = 0; i < 3; i++) {
    await isolate.refresh(withSnapshots(get));
    expect(await isolate.price()).toBe(1.8);
    expect(isolate.keeper.state()).toMatchObject({ version, failure: expect.stringContaining(failure) });
  }
  expect(log).toHaveBeenCalledTimes(1);
  // A temporary failure is tried again at each refresh, a refused version is not.
  expect(isolate.counters.toJSON()).toMatchObject({ [count]: count === "catalog-refused" ? 1 : 3 });
  await rollback(store, undefined, (snapshot) => new Bidder(snapshot, module), options());
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

it("a new isolate follows a pointer with a note of 5,000 characters", async () => {
  const { snapshot } = compiled(dear);
  const { version } = await point(snapshot, { note: "x".repeat(5000) });
  const cold = new Isolate();
  await cold.refresh();
  expect(cold.keeper.state()).toMatchObject({ version, failure: null });
});

it.each<[string, (pointer: Pointer) => object]>([
  ["has another format", (pointer) => ({ ...pointer, format: 2 })],
  ["names no version", (pointer) => ({ ...pointer, version: "newest" })],
  ["names too many parts", (pointer) => ({ ...pointer, parts: 17 })],
  ["names a damaged version", (pointer) => pointer],
])("a new isolate serves the previous version if the pointer %s", async (_, broken) => {
  const previous = isolate.keeper.version;
  const pointer = await point(compiled(dear).snapshot, { previous });
  await env.CATALOG.put(partKeys(pointer.version, "snapshot", 1)[0] ?? "", "damaged");
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(broken(pointer)));
  const cold = new Isolate();
  for (let i = 0; i < 2; i++) {
    await cold.refresh();
    expect(await cold.price()).toBe(1.8);
  }
  expect(cold.keeper.state()).toMatchObject({
    version: previous,
    failure: expect.stringContaining("catalog refused"),
    warning: expect.stringContaining("the previous version is served"),
  });
  expect(cold.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
  const version = await pushed(dear, store, { force: true });
  await cold.refresh();
  expect(cold.keeper.state()).toMatchObject({ version, failure: null, warning: null });
});

it("a new isolate looks for the previous version until KV answers", async () => {
  await point(compiled(dear).snapshot, { previous: isolate.keeper.version, parts: 17 });
  const cold = new Isolate();
  const failing = { get: env.CATALOG.get.bind(env.CATALOG), list: () => Promise.reject(new Error("KV is down")) };
  await cold.refresh({ ...env, CATALOG: failing as unknown as KVNamespace });
  expect(await cold.bid()).toBeNull();
  await cold.refresh();
  expect(await cold.price()).toBe(1.8);
});

it("takes a missing version as soon as it is in KV", async () => {
  const { snapshot } = compiled(dear);
  const { version } = await point(snapshot);
  const [key = ""] = partKeys(version, "snapshot", 1);
  await env.CATALOG.delete(key);
  await isolate.refresh();
  expect(isolate.keeper.state().failure).toContain("push it again");
  await env.CATALOG.put(key, snapshot);
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null });
});

it("takes a damaged version after it was pushed again", async () => {
  const version = await pushed(dear);
  const [key = ""] = partKeys(version, "snapshot", 1);
  await env.CATALOG.put(key, "damaged");
  await isolate.refresh();
  expect(isolate.keeper.state().failure).toContain("other bytes");
  await pushed(dear);
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
});

it("bids if KV hangs, shows the failure, and ignores the late answer", async () => {
  const { version } = isolate.keeper.state();
  await pushed(dear);
  let answer = () => {};
  const late = withSnapshots((whole) => new Promise((done) => (answer = () => done(whole()))));
  wait(30_000);
  isolate.keeper.use(late, { waitUntil: () => {} });
  await vi.waitFor(() => expect(answer).not.toHaveLength(1));
  expect(await isolate.price()).toBe(1.8);
  await rollback(store, undefined, (snapshot) => new Bidder(snapshot, module), options());
  wait(REFRESH_TIMEOUT_MS);
  isolate.keeper.use(env, { waitUntil: () => {} });
  expect(isolate.keeper.state().failure).toContain("did not answer");
  expect(isolate.counters.toJSON()).toMatchObject({ "refresh-failed": 1 });
  await vi.waitFor(() => expect(isolate.keeper.state().failure).toBeNull());
  answer();
  await new Promise((done) => setTimeout(done, 20));
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null });
  expect(await isolate.price()).toBe(1.8);
});

/**
 * Pushes the catalog as another build would: with another layout, the hash of its bytes as its name, and its source.
 */
async function pointToOtherLayout(document: Uint8Array<ArrayBuffer>): Promise<Pointer> {
  const { snapshot } = compiled(dear);
  const pointer = await point(new Uint8Array(snapshot.with(8, 1 + (snapshot[8] ?? 0))));
  await env.CATALOG.put(partKeys(pointer.version, "document", 1)[0] ?? "", document);
  return pointer;
}

it("compiles the source of a snapshot with another layout, and shows a warning", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { version } = await pointToOtherLayout(dear);
  for (const one of [isolate, new Isolate()]) {
    for (let i = 0; i < 3; i++) await one.refresh();
    expect(await one.price()).toBe(1.9);
    const warning = expect.stringContaining("of another version of the bidder; push the catalog again");
    expect(one.keeper.state()).toMatchObject({ version, failure: null, warning });
  }
  expect(warned).toHaveBeenCalledTimes(2);
  await pushed(cheap);
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ failure: null, warning: null });
});

it.each<[string, Uint8Array<ArrayBuffer>, string]>([
  ["is damaged", dear.slice(0, 999), "not JSON"],
  [
    "is too large to compile here",
    file(text(dear) + " ".repeat(MAX_COMPILED_BYTES)),
    "of another version of the bidder",
  ],
])("refuses a snapshot with another layout once if its source %s", async (_, document, failure) => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await pointToOtherLayout(document);
  for (let i = 0; i < 3; i++) await isolate.refresh();
  expect(await isolate.price()).toBe(1.8);
  expect(isolate.keeper.state().failure).toContain(failure);
  expect(log).toHaveBeenCalledTimes(1);
  expect(isolate.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it("takes a snapshot with another layout as soon as its source is in KV", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { version } = await pointToOtherLayout(dear);
  const [key = ""] = partKeys(version, "document", 1);
  await env.CATALOG.delete(key);
  await isolate.refresh();
  expect(isolate.keeper.state().failure).toContain("of another version of the bidder; push the catalog again");
  await env.CATALOG.put(key, dear);
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
});

it.each([
  ["of a newer format", { format: 2 as 1 }, "format 2"],
  ["without a version", { version: "latest" }, "names no version"],
  ["with no parts", { parts: 0 }, "parts"],
])("refuses a pointer %s", async (_, changes, failure) => {
  await point(compiled(dear).snapshot, changes);
  for (let i = 0; i < 3; i++) await isolate.refresh();
  expect(await isolate.price()).toBe(1.8);
  expect(isolate.keeper.state().failure).toContain(failure);
  expect(isolate.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it("follows an old pointer, which KV may return once more, and then the new one again", async () => {
  const old = await env.CATALOG.get(POINTER_KEY, "arrayBuffer");
  const version = await pushed(dear);
  await isolate.refresh();
  const stale = { get: (key: string) => (key === POINTER_KEY ? old : env.CATALOG.get(key, "arrayBuffer")) };
  await isolate.refresh({ ...env, CATALOG: stale as unknown as KVNamespace });
  expect(await isolate.price()).toBe(1.8);
  expect(isolate.keeper.state().failure).toBeNull();
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
  expect(isolate.keeper.state().version).toBe(version);
});

it("shows when the time-zone data ends, and warns after that", async () => {
  const document = JSON.parse(text(cheap));
  document.campaigns[0].target = { hours: [{ from: 9, to: 17 }], zone: "Europe/Berlin" };
  await pushed(file(JSON.stringify(document)));
  await isolate.refresh();
  const { zones } = isolate.keeper.state();
  expect(zones).toBe(`${new Date().getUTCFullYear() + 3}-01-01T00:00:00.000Z`);
  expect(isolate.keeper.state().warning).toBeNull();
  wait(Date.parse(zones ?? "") - Date.now() + 1);
  expect(isolate.keeper.state().warning).toContain("time-zone data");
});

it.each([-86_400_000, 86_400_000 * 365])("follows the pointer if the clock jumps by %i ms", async (jump) => {
  wait(jump);
  const version = await pushed(dear);
  await isolate.refresh();
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

const EACH_STEP = { timeout: 60_000 };

it(
  "a push that is killed before its last step does not change what is served, and the next push succeeds",
  EACH_STEP,
  async () => {
    const { version } = isolate.keeper.state();
    const pushedVersion = await versionOf(compiled(dear).snapshot);
    for (let steps = 0; ; steps++) {
      const killed = dying(steps);
      const outcome = await pushed(dear, killed).catch(() => "killed");
      await isolate.refresh();
      // After the pointer has moved, the push only checks the result.
      const hasMoved = isolate.keeper.version !== version;
      expect(isolate.keeper.state()).toMatchObject({ version: hasMoved ? pushedVersion : version, failure: null });
      expect(await isolate.price()).toBe(hasMoved ? 1.9 : 1.8);
      if (outcome !== "killed") {
        expect(hasMoved && steps > 5).toBe(true);
        return;
      }
    }
  },
);
