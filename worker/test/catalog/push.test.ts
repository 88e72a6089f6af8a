//! An isolate serves the pushed catalog. If KV or a push fails, the isolate bids with the last good version, and
//! `/healthz` shows the failure. Only an isolate's first requests wait for KV.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { POINTER_KEY, type Pointer, partKeys, versionOf } from "../../../shared/catalog/pointer.ts";
import { MAX_COMPILED_BYTES, REFRESH_TIMEOUT_MS } from "../../../shared/limits.ts";
import { dayAt } from "../../../shared/time/days.ts";
import { changed, cheap, dear, file, smallCatalog, smallRequest } from "../support/catalogs.ts";
import { now, wait } from "../support/clock.ts";
import { text } from "../support/fixtures.ts";
import { fresh, Isolate } from "../support/isolate.ts";
import * as kv from "../support/kv.ts";
import { pushed } from "../support/kv.ts";

let isolate: Isolate;

beforeEach(async () => {
  isolate = await fresh(cheap);
});

const keyOf = (version: string, what: "snapshot" | "document" = "snapshot") => partKeys(version, what, 1)[0] ?? "";
const dearSnapshot = () => kv.compiled(dear).snapshot;

/** Writes a snapshot and a pointer to it, without any check. Returns its version. */
async function point(changes: Partial<Pointer> = {}, snapshot = dearSnapshot()): Promise<string> {
  const version = await versionOf(snapshot);
  const pushed = "2026-11-21T12:00:00Z";
  const pointer = { format: 1, version, parts: 1, campaigns: 1, pushed, previous: null, earlier: [], ...changes };
  await env.CATALOG.put(keyOf(version), snapshot);
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(pointer));
  return version;
}

/** Pushes the source as another build would: with another layout, and the hash of its bytes as its name. */
async function pointToOtherLayout(document: Uint8Array<ArrayBuffer>): Promise<string> {
  const snapshot = dearSnapshot();
  const version = await point({}, new Uint8Array(snapshot.with(8, 1 + (snapshot[8] ?? 0))));
  await env.CATALOG.put(keyOf(version, "document"), document);
  return version;
}

it("serves a pushed version, and the previous one after a rollback", async () => {
  expect(await isolate.price()).toBe(1.8);
  const version = await pushed(dear);
  const late = isolate.bidder();
  expect(await isolate.price()).toBe(1.8);
  await isolate.refresh();
  expect(isolate.bidder()).not.toBe(late);
  expect(await isolate.price()).toBe(1.9);
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
  await kv.rolledBack();
  expect(await isolate.next()).toBe(1.8);
});

it("a new isolate waits for KV, and has no catalog as long as KV does not answer", async () => {
  const cold = new Isolate();
  cold.bidder(kv.KV_SILENT);
  expect(await cold.keeper.first()).toBeUndefined();
  wait(REFRESH_TIMEOUT_MS);
  expect(cold.bidder()).toBeUndefined();
  expect(await cold.keeper.first(5000)).toBeDefined();
});

it("fetches only the pointer as long as the version stays the same", async () => {
  const counting = vi.fn((whole: () => Promise<ArrayBuffer | null>) => whole());
  const refreshes = async () => {
    for (let i = 0; i < 3; i++) await isolate.refresh(kv.withSnapshots(counting));
  };
  await refreshes();
  expect(counting).not.toHaveBeenCalled();
  await pushed(dear);
  await refreshes();
  expect(counting).toHaveBeenCalledOnce();
});

it("joins the parts of a large snapshot in order", async () => {
  const snapshot = dearSnapshot();
  const version = await point({ parts: 3 });
  const third = Math.ceil(snapshot.byteLength / 3);
  for (const [part, key] of partKeys(version, "snapshot", 3).entries()) {
    await env.CATALOG.put(key, snapshot.slice(part * third, (part + 1) * third));
  }
  expect(await isolate.next()).toBe(1.9);
});

it.each<(typeof kv.BROKEN)[0]>([
  ...kv.BROKEN,
  ["has no readable pointer", () => kv.KV_DOWN, "KV is down", false],
  ["has lost its pointer", () => kv.withPointer(null), "no value under the key", false],
  ["is half a document", () => kv.withPointer(cheap.slice(0, 999).buffer), "not JSON", true],
  ["is no catalog", () => kv.withPointer(file("{}").buffer), "ssps", true],
])("bids with the last good version if the next one %s", async (_, vars, failure, isFinal) => {
  const { version } = isolate.keeper.state();
  await pushed(dear);
  for (let i = 0; i < 3; i++) {
    expect(await isolate.next(vars())).toBe(1.8);
    expect(isolate.keeper.state()).toMatchObject({ version, failure: expect.stringContaining(failure) });
  }
  expect(console.error).toHaveBeenCalledTimes(1);
  // A temporary failure is tried again at each refresh, a refused version is not.
  expect(isolate.counters.toJSON()).toMatchObject(isFinal ? { "catalog-refused": 1 } : { "refresh-failed": 3 });
  await kv.rolledBack();
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

it("a new isolate follows a pointer with a note of 5,000 characters", async () => {
  const version = await point({ note: "x".repeat(5000) });
  const cold = new Isolate();
  await cold.refresh();
  expect(cold.keeper.state()).toMatchObject({ version, failure: null });
});

it.each<[string, object]>([
  ["has another format", { format: 2 }],
  ["names no version", { version: "newest" }],
  ["names too many parts", { parts: 17 }],
  ["names a damaged version", {}],
])("a new isolate serves the previous version if the pointer %s", async (_, broken) => {
  const previous = isolate.keeper.version;
  await env.CATALOG.put(keyOf(await point({ previous })), "damaged");
  await kv.patched(broken);
  const cold = new Isolate();
  for (let i = 0; i < 2; i++) {
    expect(await cold.next()).toBe(1.8);
  }
  expect(cold.keeper.state()).toMatchObject({
    version: previous,
    failure: expect.stringContaining("catalog refused"),
    warning: expect.stringContaining("the previous version is served"),
  });
  expect(cold.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
  const version = await pushed(dear, { force: true });
  await cold.refresh();
  expect(cold.keeper.state()).toMatchObject({ version, failure: null, warning: null });
});

it("a new isolate looks for the previous version until KV answers", async () => {
  await point({ previous: isolate.keeper.version, parts: 17 });
  const cold = new Isolate();
  await cold.refresh(kv.KV_WITHOUT_LIST);
  expect(await cold.bid()).toBeNull();
  expect(await cold.next()).toBe(1.8);
});

it.each<[string, () => Promise<string>, "snapshot" | "document", string | null, string]>([
  ["a version that was missing", point, "snapshot", null, "push it again"],
  ["a version that was damaged", point, "snapshot", "damaged", "other bytes"],
  ["a source that was missing", () => pointToOtherLayout(dear), "document", null, "push the catalog again"],
])("takes %s as soon as it is in KV", async (_, write, what, broken, failure) => {
  const version = await write();
  const key = keyOf(version, what);
  const whole = (await env.CATALOG.get(key, "arrayBuffer")) ?? new ArrayBuffer();
  if (broken === null) await env.CATALOG.delete(key);
  else await env.CATALOG.put(key, broken);
  await isolate.refresh();
  expect(isolate.keeper.state().failure).toContain(failure);
  await env.CATALOG.put(key, whole);
  // A pointer that was refused is tried again when it changes.
  await kv.patched({ pushed: "2026-11-21T13:00:00Z" });
  expect(await isolate.next()).toBe(1.9);
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null });
});

it("bids if KV hangs, shows the failure, and ignores the late answer", async () => {
  const { version } = isolate.keeper.state();
  await pushed(dear);
  let answer = () => {};
  const asked = new Promise<void>((isAsked) => {
    const late = kv.withSnapshots((whole) => {
      isAsked();
      return new Promise((done) => (answer = () => done(whole())));
    });
    wait(30_000);
    isolate.bidder(late);
  });
  await asked;
  expect(await isolate.price()).toBe(1.8);
  await kv.rolledBack();
  wait(REFRESH_TIMEOUT_MS);
  isolate.bidder();
  expect(isolate.keeper.state().failure).toContain("did not answer");
  expect(isolate.counters.toJSON()).toMatchObject({ "refresh-failed": 1 });
  await vi.waitFor(() => expect(isolate.keeper.state().failure).toBeNull());
  answer();
  await new Promise((done) => setTimeout(done, 20));
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null });
  expect(await isolate.price()).toBe(1.8);
});

it("compiles the source of a snapshot with another layout, and shows a warning", async () => {
  const version = await pointToOtherLayout(dear);
  for (const one of [isolate, new Isolate()]) {
    for (let i = 0; i < 3; i++) expect(await one.next()).toBe(1.9);
    const warning = expect.stringContaining("of another version of the bidder; push the catalog again");
    expect(one.keeper.state()).toMatchObject({ version, failure: null, warning });
  }
  expect(console.warn).toHaveBeenCalledTimes(2);
  await isolate.serve(cheap);
  expect(isolate.keeper.state()).toMatchObject({ failure: null, warning: null });
});

const tooLarge = file(text(dear) + " ".repeat(MAX_COMPILED_BYTES));

it.each<[string, () => Promise<unknown>, string]>([
  ["another layout and a damaged source", () => pointToOtherLayout(dear.slice(0, 999)), "not JSON"],
  ["another layout and a source too large to compile", () => pointToOtherLayout(tooLarge), "of another version of the"],
  ["a pointer of a newer format", () => point({ format: 2 as 1 }), "format 2"],
  ["a pointer without a version", () => point({ version: "latest" }), "names no version"],
  ["a pointer with no parts", () => point({ parts: 0 }), "parts"],
])("refuses once: %s", async (_, write, failure) => {
  await write();
  for (let i = 0; i < 3; i++) expect(await isolate.next()).toBe(1.8);
  expect(isolate.keeper.state().failure).toContain(failure);
  expect(console.error).toHaveBeenCalledTimes(1);
  expect(isolate.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it("follows an old pointer, which KV may return once more, and then the new one again", async () => {
  const old = await env.CATALOG.get(POINTER_KEY, "arrayBuffer");
  const version = await isolate.serve(dear);
  expect(await isolate.next(kv.withPointer(old))).toBe(1.8);
  expect(isolate.keeper.state().failure).toBeNull();
  expect(await isolate.next()).toBe(1.9);
  expect(isolate.keeper.state().version).toBe(version);
});

it("shows when the time-zone data ends, and warns after that", async () => {
  const hours = { hours: [{ from: 9, to: 17 }], zone: "Europe/Berlin" };
  await isolate.serve(changed(({ campaigns }) => Object.assign(campaigns[0], { target: hours })));
  const { zones } = isolate.keeper.state();
  expect(zones).toBe(`${new Date(now()).getUTCFullYear() + 3}-01-01T00:00:00.000Z`);
  expect(isolate.keeper.state().warning).toBeNull();
  wait(Date.parse(zones ?? "") - now() + 1);
  expect(isolate.keeper.state().warning).toContain("time-zone data");
});

it("shows when the files of supply are too old, and warns and counts after that", async () => {
  const date = dayAt(now());
  const supply = { date, max_age_days: 2, systems: [], ads: [], app_ads: [] };
  const target = { supply: { authorised: "require" } };
  await isolate.serve(smallCatalog([{ target }], { supply }));
  const old = new Date(Date.parse(date) + 3 * 86_400_000).toISOString();
  expect(isolate.keeper.state()).toMatchObject({ supply: old, warning: null });
  const ask = async () => (await isolate.post(smallRequest())).status;
  expect([await ask(), isolate.counters.toJSON()["supply-old"]]).toEqual([204, undefined]);
  wait(Date.parse(old) - now());
  expect(isolate.keeper.state().warning).toContain("edgebid supply compile");
  expect([await ask(), isolate.counters.toJSON()["supply-old"]]).toEqual([200, 1]);
  await isolate.serve(cheap);
  expect(isolate.keeper.state()).toMatchObject({ supply: null, warning: null });
});

it.each([-86_400_000, 86_400_000 * 365])("follows the pointer if the clock jumps by %i ms", async (jump) => {
  wait(jump);
  const version = await isolate.serve(dear);
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, age: 0 });
});

it("a push that is killed before its last step does not change what is served, and the next push succeeds", async () => {
  const { version } = isolate.keeper.state();
  const next = await versionOf(dearSnapshot());
  await kv.killedAtEachStep(
    (dying) => pushed(dear, {}, dying),
    async () => {
      await isolate.refresh();
      const hasMoved = isolate.keeper.version !== version;
      expect(isolate.keeper.state()).toMatchObject({ version: hasMoved ? next : version, failure: null });
      expect(await isolate.price()).toBe(hasMoved ? 1.9 : 1.8);
      return hasMoved;
    },
  );
}, 60_000);
