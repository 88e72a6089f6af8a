//! An isolate serves the pushed catalog. If KV or a push fails, the isolate bids with the last good version, and
//! `/healthz` shows the failure. Only an isolate's first requests wait for KV.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { rollback } from "../../../cli/catalog/move.ts";
import { POINTER_KEY, type Pointer, partKeys, versionOf } from "../../src/catalog/pointer.ts";
import { MAX_COMPILED_BYTES, REFRESH_TIMEOUT_MS } from "../../src/limits.ts";
import { text } from "../support/fixtures.ts";
import {
  bytesOf,
  changed,
  cheap,
  clear,
  compiled,
  dear,
  dying,
  file,
  Isolate,
  killedAtEachStep,
  later,
  open,
  options,
  pushed,
  store,
  wait,
  withKv,
  withSnapshots,
} from "../support/isolate.ts";

let log: MockInstance<typeof console.error>;
let isolate: Isolate;

beforeEach(async () => {
  later();
  log = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  isolate = new Isolate();
  await clear();
  await isolate.serve(cheap);
});

const back = () => rollback(store, undefined, open, options());
const keyOf = (version: string, what: "snapshot" | "document" = "snapshot") => partKeys(version, what, 1)[0] ?? "";

/** Writes a snapshot and a pointer to it, without any check. */
async function point(snapshot: Uint8Array<ArrayBuffer>, changes: Partial<Pointer> = {}): Promise<Pointer> {
  const version = await versionOf(snapshot);
  const pushed = "2026-11-21T12:00:00Z";
  const pointer = { format: 1, version, parts: 1, campaigns: 1, pushed, previous: null, ...changes } as const;
  await env.CATALOG.put(keyOf(version), snapshot);
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(pointer));
  return pointer;
}

it("serves a pushed version, and the previous one after a rollback", async () => {
  expect(await isolate.price()).toBe(1.8);
  const version = await pushed(dear);
  const late = isolate.keeper.use(env, { waitUntil() {} });
  expect(await isolate.price()).toBe(1.8);
  await isolate.refresh();
  expect(isolate.keeper.use(env, { waitUntil() {} })).not.toBe(late);
  expect(await isolate.price()).toBe(1.9);
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
  await back();
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.8);
});

it("a new isolate waits for KV, and has no catalog as long as KV does not answer", async () => {
  const { keeper } = new Isolate();
  keeper.use(
    withKv(() => new Promise(() => {})),
    { waitUntil() {} },
  );
  expect(await keeper.first()).toBeUndefined();
  wait(REFRESH_TIMEOUT_MS);
  expect(keeper.use(env, { waitUntil() {} })).toBeUndefined();
  expect(await keeper.first(5000)).toBeDefined();
});

it("fetches only the pointer as long as the version stays the same", async () => {
  const counting = vi.fn((whole: () => Promise<ArrayBuffer | null>) => whole());
  const from = withSnapshots(counting);
  for (let i = 0; i < 3; i++) await isolate.refresh(from);
  expect(counting).not.toHaveBeenCalled();
  await pushed(dear);
  for (let i = 0; i < 3; i++) await isolate.refresh(from);
  expect(counting).toHaveBeenCalledOnce();
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

const down = () => Promise.reject(new Error("KV is down"));

it.each<[string, Env, string, "catalog-refused" | "refresh-failed"]>([
  ["throws", withSnapshots(down), "KV is down", "refresh-failed"],
  ["lacks the version", withSnapshots(async () => null), "KV holds no catalog/", "refresh-failed"],
  [
    "cuts the snapshot off",
    withSnapshots(async (whole) => (await bytesOf(whole)).slice(0, 999).buffer),
    "other bytes",
    "catalog-refused",
  ],
  ["holds an empty snapshot", withSnapshots(async () => new ArrayBuffer(0)), "other bytes", "catalog-refused"],
  [
    "changes a byte",
    withSnapshots(async (whole) => (await bytesOf(whole)).with(99, 7).buffer),
    "other bytes",
    "catalog-refused",
  ],
  ["does not even have the pointer", withKv(down), "KV is down", "refresh-failed"],
  ["has lost the pointer", withKv(async () => null), "no value under the key", "refresh-failed"],
  ["holds half a document", withKv(async () => cheap.slice(0, 999).buffer), "not JSON", "catalog-refused"],
  ["holds no catalog", withKv(async () => file("{}").buffer), "ssps", "catalog-refused"],
])("bids with the last good version if KV %s", async (_, from, failure, count) => {
  const { version } = isolate.keeper.state();
  await pushed(dear);
  for (let i = 0; i < 3; i++) {
    await isolate.refresh(from);
    expect(await isolate.price()).toBe(1.8);
    expect(isolate.keeper.state()).toMatchObject({ version, failure: expect.stringContaining(failure) });
  }
  expect(log).toHaveBeenCalledTimes(1);
  // A temporary failure is tried again at each refresh, a refused version is not.
  expect(isolate.counters.toJSON()).toMatchObject({ [count]: count === "catalog-refused" ? 1 : 3 });
  await back();
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

it("a new isolate follows a pointer with a note of 5,000 characters", async () => {
  const { version } = await point(compiled(dear).snapshot, { note: "x".repeat(5000) });
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
  await env.CATALOG.put(keyOf(pointer.version), "damaged");
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
  await cold.refresh(withKv((key) => env.CATALOG.get(key, "arrayBuffer"), { list: down }));
  expect(await cold.bid()).toBeNull();
  await cold.refresh();
  expect(await cold.price()).toBe(1.8);
});

/**
 * Pushes the catalog as another build would: with another layout, the hash of its bytes as its name, and its source.
 */
async function pointToOtherLayout(document: Uint8Array<ArrayBuffer>): Promise<Pointer> {
  const { snapshot } = compiled(dear);
  const pointer = await point(new Uint8Array(snapshot.with(8, 1 + (snapshot[8] ?? 0))));
  await env.CATALOG.put(keyOf(pointer.version, "document"), document);
  return pointer;
}

it.each<[string, () => Promise<Pointer>, "snapshot" | "document", string | null, string]>([
  ["a version that was missing", () => point(compiled(dear).snapshot), "snapshot", null, "push it again"],
  ["a version that was damaged", () => point(compiled(dear).snapshot), "snapshot", "damaged", "other bytes"],
  ["a source that was missing", () => pointToOtherLayout(dear), "document", null, "push the catalog again"],
])("takes %s as soon as it is in KV", async (_, write, what, broken, failure) => {
  const { version } = await write();
  const key = keyOf(version, what);
  const whole = (await env.CATALOG.get(key, "arrayBuffer")) ?? new ArrayBuffer();
  if (broken === null) await env.CATALOG.delete(key);
  else await env.CATALOG.put(key, broken);
  await isolate.refresh();
  expect(isolate.keeper.state().failure).toContain(failure);
  await env.CATALOG.put(key, whole);
  // A pointer that was refused is tried again when it changes.
  const pointer = await env.CATALOG.get<Pointer>(POINTER_KEY, "json");
  await env.CATALOG.put(POINTER_KEY, JSON.stringify({ ...pointer, pushed: "2026-11-21T13:00:00Z" }));
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null });
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
  await back();
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

it("compiles the source of a snapshot with another layout, and shows a warning", async () => {
  const { version } = await pointToOtherLayout(dear);
  for (const one of [isolate, new Isolate()]) {
    for (let i = 0; i < 3; i++) await one.refresh();
    expect(await one.price()).toBe(1.9);
    const warning = expect.stringContaining("of another version of the bidder; push the catalog again");
    expect(one.keeper.state()).toMatchObject({ version, failure: null, warning });
  }
  expect(console.warn).toHaveBeenCalledTimes(2);
  await isolate.serve(cheap);
  expect(isolate.keeper.state()).toMatchObject({ failure: null, warning: null });
});

const tooLarge = file(text(dear) + " ".repeat(MAX_COMPILED_BYTES));

it.each<[string, () => Promise<unknown>, string]>([
  ["a snapshot with another layout and a damaged source", () => pointToOtherLayout(dear.slice(0, 999)), "not JSON"],
  [
    "one whose source is too large to compile here",
    () => pointToOtherLayout(tooLarge),
    "of another version of the bidder",
  ],
  ["a pointer of a newer format", () => point(compiled(dear).snapshot, { format: 2 as 1 }), "format 2"],
  ["a pointer without a version", () => point(compiled(dear).snapshot, { version: "latest" }), "names no version"],
  ["a pointer with no parts", () => point(compiled(dear).snapshot, { parts: 0 }), "parts"],
])("refuses once: %s", async (_, write, failure) => {
  await write();
  for (let i = 0; i < 3; i++) await isolate.refresh();
  expect(await isolate.price()).toBe(1.8);
  expect(isolate.keeper.state().failure).toContain(failure);
  expect(log).toHaveBeenCalledTimes(1);
  expect(isolate.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it("follows an old pointer, which KV may return once more, and then the new one again", async () => {
  const old = await env.CATALOG.get(POINTER_KEY, "arrayBuffer");
  const version = await isolate.serve(dear);
  await isolate.refresh(
    withKv((key) => (key === POINTER_KEY ? Promise.resolve(old) : env.CATALOG.get(key, "arrayBuffer"))),
  );
  expect(await isolate.price()).toBe(1.8);
  expect(isolate.keeper.state().failure).toBeNull();
  await isolate.refresh();
  expect(await isolate.price()).toBe(1.9);
  expect(isolate.keeper.state().version).toBe(version);
});

it("shows when the time-zone data ends, and warns after that", async () => {
  const hours = { hours: [{ from: 9, to: 17 }], zone: "Europe/Berlin" };
  await isolate.serve(changed(({ campaigns }) => Object.assign(campaigns[0], { target: hours })));
  const { zones } = isolate.keeper.state();
  expect(zones).toBe(`${new Date().getUTCFullYear() + 3}-01-01T00:00:00.000Z`);
  expect(isolate.keeper.state().warning).toBeNull();
  wait(Date.parse(zones ?? "") - Date.now() + 1);
  expect(isolate.keeper.state().warning).toContain("time-zone data");
});

it.each([-86_400_000, 86_400_000 * 365])("follows the pointer if the clock jumps by %i ms", async (jump) => {
  wait(jump);
  const version = await isolate.serve(dear);
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

it("a push that is killed before its last step does not change what is served, and the next push succeeds", async () => {
  const { version } = isolate.keeper.state();
  const next = await versionOf(compiled(dear).snapshot);
  await killedAtEachStep(
    (steps) => pushed(dear, dying(steps)),
    async () => {
      await isolate.refresh();
      const hasMoved = isolate.keeper.version !== version;
      expect(isolate.keeper.state()).toMatchObject({ version: hasMoved ? next : version, failure: null });
      expect(await isolate.price()).toBe(hasMoved ? 1.9 : 1.8);
      return hasMoved;
    },
  );
}, 60_000);
