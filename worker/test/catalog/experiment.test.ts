//! A second version answers its share of the requests, or its bids on them are compared. If the second version fails,
//! the first version serves alone.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { promote, rollback, setSecond } from "../../../cli/catalog/move.ts";
import { POINTER_KEY, versionOf } from "../../src/catalog/pointer.ts";
import { SHADOW_LOG_EVERY } from "../../src/limits.ts";
import { catalogDocument, text } from "../support/fixtures.ts";
import {
  bytesOf,
  clear,
  compiled,
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

const document = text(catalogDocument).replace('"format": 1,', '"format": 1, "version_in_bids": true,');
const cheap = file(document);
const dear = file(document.replace('"max_cpm": "1.80"', '"max_cpm": "1.90"'));
const dearer = file(document.replace('"max_cpm": "1.80"', '"max_cpm": "2.00"'));
const ids = Array.from({ length: 200 }, (_, number) => `request-${number}`);

// Each of these tests sends hundreds of requests in turn.
vi.setConfig({ testTimeout: 30_000 });

let isolate: Isolate;
let [first, second] = ["", ""];
let errors: MockInstance<typeof console.error>;
let log: MockInstance<typeof console.info>;

beforeEach(async () => {
  later();
  errors = vi.spyOn(console, "error").mockImplementation(() => {});
  log = vi.spyOn(console, "info").mockImplementation(() => {});
  isolate = new Isolate();
  await clear();
  first = await isolate.serve(cheap);
});

async function pushSecond(mode: "split" | "shadow", share: number): Promise<void> {
  second = await pushed(dear, store, { second: { mode, share } });
  await isolate.refresh();
}

/** The version that answers each request. Checks that the price is the version's. */
async function versions(one = isolate): Promise<string[]> {
  const all: string[] = [];
  for (const id of ids) {
    const bid = await one.bid(id);
    const version = bid?.ext?.catalog ?? "";
    expect(bid?.price).toBe(version === second ? 1.9 : 1.8);
    all.push(version);
  }
  return all;
}

it("answers its share of the requests, and the same requests in every isolate", async () => {
  await pushSecond("split", 25);
  const all = await versions();
  const own = all.filter((version) => version === second).length;
  expect(own).toBeGreaterThan(25);
  expect(own).toBeLessThan(80);
  expect(all.filter((version) => version === first)).toHaveLength(ids.length - own);
  expect(isolate.counters.toJSON()).toMatchObject({ split: own, bid: ids.length });
  const other = new Isolate();
  await other.refresh();
  expect(await versions(other)).toEqual(all);
  const state = { version: second, mode: "split", share: 25, campaigns: 9, failure: null };
  expect(isolate.keeper.state()).toMatchObject({ version: first, failure: null, second: state });
});

it.each([0, 100])("answers no or every request with a share of %i", async (share) => {
  await pushSecond("split", share);
  expect(new Set(await versions())).toEqual(new Set([share === 0 ? first : second]));
});

it("keeps its requests when its share grows", async () => {
  await pushSecond("split", 10);
  const few = await versions();
  await setSecond(store, second, { mode: "split", share: 50 }, open, options());
  await isolate.refresh();
  const many = await versions();
  expect(many.filter((version) => version === second).length).toBeGreaterThan(70);
  expect(few.every((version, place) => version === first || many[place] === second)).toBe(true);
});

it("as a shadow answers nothing; differences are counted, and some are logged", async () => {
  await pushSecond("shadow", 100);
  expect(new Set(await versions())).toEqual(new Set([first]));
  expect(isolate.counters.toJSON()).toMatchObject({ shadow: ids.length, "shadow-different": ids.length });
  expect(isolate.counters.toJSON()).not.toHaveProperty("split");
  expect(log).toHaveBeenCalledTimes(ids.length / SHADOW_LOG_EVERY);
  expect(JSON.parse(log.mock.calls[0]?.[0])).toEqual({
    shadow: {
      ssp: "demo",
      request: ids[0],
      first: { version: first, outcome: "bid", bids: [expect.objectContaining({ price: 1.8 })] },
      second: { version: second, outcome: "bid", bids: [expect.objectContaining({ price: 1.9 })] },
    },
  });
});

it("as a shadow with the same bids makes no difference", async () => {
  const more = document.replace('"creatives": [', '"creatives": [{"crid":"unused","banner":{"w":1,"h":1,"adm":"x"}},');
  second = await pushed(file(more), store, { second: { mode: "shadow", share: 100 } });
  await isolate.refresh();
  await isolate.bid();
  expect(isolate.counters.toJSON()).toMatchObject({ shadow: 1 });
  expect(isolate.counters.toJSON()).not.toHaveProperty("shadow-different");
});

it("leaves an SSP that it does not know to the first version", async () => {
  const without = document.replace('"id": "demo"', '"id": "other"');
  second = await pushed(file(without), store, { second: { mode: "split", share: 100 } });
  await isolate.refresh();
  expect((await isolate.bid())?.ext?.catalog).toBe(first);
});

it("serves alone after a promotion, without another fetch; the first version serves again after a rollback", async () => {
  await pushSecond("split", 50);
  await promote(store, open, options());
  await isolate.refresh(withSnapshots(() => Promise.reject(new Error("fetched"))));
  expect(new Set(await versions())).toEqual(new Set([second]));
  expect(isolate.keeper.state()).toMatchObject({ version: second, failure: null, second: null });
  await rollback(store, undefined, open, options());
  await isolate.refresh();
  expect(new Set(await versions())).toEqual(new Set([first]));
});

it("is gone after a rollback, and after a push", async () => {
  for (const end of [() => rollback(store, undefined, open, options()), () => pushed(dearer)]) {
    await pushSecond("split", 100);
    expect((await isolate.bid())?.price).toBe(1.9);
    await end();
    await isolate.refresh();
    expect(isolate.keeper.state().second).toBeNull();
  }
  expect(await isolate.price()).toBe(2);
});

it.each<[string, Parameters<typeof withSnapshots>[0], string, "second-refused" | "second-failed"]>([
  ["cannot be fetched", () => Promise.reject(new Error("KV is down")), "KV is down", "second-failed"],
  ["is missing", async () => null, "KV holds no catalog/", "second-failed"],
  ["is cut off", async (whole) => (await bytesOf(whole)).slice(0, 999).buffer, "other bytes", "second-refused"],
  ["has changed", async (whole) => (await bytesOf(whole)).with(99, 7).buffer, "other bytes", "second-refused"],
])("leaves all requests to the first version if it %s", async (_, get, failure, count) => {
  second = await pushed(dear, store, { second: { mode: "split", share: 100 } });
  for (let i = 0; i < 3; i++) {
    await isolate.refresh(withSnapshots((whole, key) => (key.includes(second) ? get(whole, key) : whole())));
    expect((await isolate.bid())?.ext?.catalog).toBe(first);
    const state = { version: second, failure: expect.stringContaining(failure) };
    expect(isolate.keeper.state()).toMatchObject({ version: first, failure: null, age: 0, second: state });
  }
  expect(errors).toHaveBeenCalledTimes(1);
  expect(isolate.counters.toJSON()).toMatchObject({ [count]: count === "second-refused" ? 1 : 3 });
  // In spite of the failure, the isolate follows the next pointer.
  const version = await pushed(dearer);
  await isolate.refresh();
  expect(isolate.keeper.state()).toMatchObject({ version, failure: null, second: null });
  expect(await isolate.price()).toBe(2);
});

it.each([
  ["of an unknown mode", { mode: "mirror" }, "mode mirror"],
  ["of an impossible share", { share: 101 }, "share of 101"],
  ["without a version", { version: "" }, "names no version"],
  ["that is null", null, null],
])("leaves all requests to the first version if the pointer names one %s", async (_, changes, failure) => {
  await pushSecond("split", 100);
  const pointer = JSON.parse((await env.CATALOG.get(POINTER_KEY)) ?? "");
  const changed = { ...pointer, second: changes && { ...pointer.second, ...changes } };
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(changed));
  await isolate.refresh();
  expect((await isolate.bid())?.ext?.catalog).toBe(first);
  expect(isolate.keeper.state().second?.failure ?? null).toEqual(failure && expect.stringContaining(failure));
});

it("follows the pointer, even an old one that KV returns once more", async () => {
  const old = await env.CATALOG.get(POINTER_KEY, "arrayBuffer");
  await pushSecond("split", 100);
  await isolate.refresh(
    withKv((key) => (key === POINTER_KEY ? Promise.resolve(old) : env.CATALOG.get(key, "arrayBuffer"))),
  );
  expect((await isolate.bid())?.ext?.catalog).toBe(first);
  await isolate.refresh();
  expect((await isolate.bid())?.ext?.catalog).toBe(second);
});

it("stays in use if KV fails or hangs, or the clock jumps", async () => {
  await pushSecond("split", 100);
  await isolate.refresh(withKv(() => Promise.reject(new Error("KV is down"))));
  expect((await isolate.bid())?.ext?.catalog).toBe(second);
  expect(isolate.keeper.state().failure).toContain("KV is down");
  wait(-3_600_000);
  await isolate.refresh();
  wait(86_400_000 * 365);
  await isolate.refresh();
  expect((await isolate.bid())?.ext?.catalog).toBe(second);
  wait(30_000);
  const hanging = withKv(() => new Promise(() => {}));
  isolate.keeper.use(hanging, { waitUntil() {} });
  expect((await isolate.bid())?.ext?.catalog).toBe(second);
});

it("a push of a second version that is killed before its last step changes nothing, and the next push succeeds", async () => {
  const next = await versionOf(compiled(dear).snapshot);
  await killedAtEachStep(
    (steps) => pushed(dear, dying(steps), { second: { mode: "split", share: 100 } }),
    async () => {
      await isolate.refresh();
      const hasMoved = isolate.keeper.experiment !== undefined;
      expect(isolate.keeper.state()).toMatchObject({ version: first, failure: null });
      expect((await isolate.bid())?.ext?.catalog).toBe(hasMoved ? next : first);
      return hasMoved;
    },
  );
});
