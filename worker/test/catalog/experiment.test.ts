//! A second version answers its share of the requests, or its bids on them are compared. If the second version fails,
//! the first version serves alone.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { POINTER_KEY, versionOf } from "../../../shared/catalog/pointer.ts";
import { SHADOW_LOG_EVERY } from "../../../shared/limits.ts";
import type { Row } from "../../../shared/report/rows.ts";
import { file, json, smallCatalog } from "../support/catalogs.ts";
import { wait } from "../support/clock.ts";
import { catalogDocument, simple, text } from "../support/fixtures.ts";
import { fresh, Isolate, NOTICE_KEYS } from "../support/isolate.ts";
import * as kv from "../support/kv.ts";
import { pushed } from "../support/kv.ts";

const document = text(catalogDocument).replace('"format": 1,', '"format": 1, "version_in_bids": true,');
const paying = (price: string) => file(document.replace('"max_cpm": "1.80"', `"max_cpm": "${price}"`));
const [cheap, dear, dearer] = [paying("1.80"), paying("1.90"), paying("2.00")];
const ids = Array.from({ length: 200 }, (_, number) => `request-${number}`);

let isolate: Isolate;
let [first, second] = ["", ""];

beforeEach(async () => {
  isolate = await fresh(cheap);
  first = isolate.keeper.version ?? "";
});

async function pushSecond(mode: "split" | "shadow", share: number, catalog = dear): Promise<void> {
  second = await pushed(catalog, { second: { mode, share } });
  await isolate.refresh();
}

/** The version that answers one request. */
const version = async (id = "req-1", one = isolate) => (await one.bid({ id }))?.ext?.catalog ?? "";

/** Takes up what KV has, and tells the version that answers then. */
async function next(vars: object = {}): Promise<string> {
  await isolate.refresh(vars);
  return version();
}

/** The version that answers each request. Checks that the price is the version's. */
async function versions(one = isolate): Promise<string[]> {
  const all: string[] = [];
  for (const id of ids) {
    const bid = await one.bid({ id });
    all.push(bid?.ext?.catalog ?? "");
    expect(bid?.price).toBe(all.at(-1) === second ? 1.9 : 1.8);
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

it("answers every request with a share of 100", async () => {
  await pushSecond("split", 100);
  expect(new Set(await versions())).toEqual(new Set([second]));
});

it("bids and notices of a split are reported by version; those of an SSP that only the first version knows are not", async () => {
  isolate.vars = { NOTICE_KEYS, OPERATOR: "anybody" };
  const catalog = (...ssps: string[]) =>
    json(smallCatalog([{ max_cpm: "2" }], { version_in_bids: true, ssps: ssps.map((id) => ({ id })) }));
  await isolate.serve(catalog("demo", "old"));
  await pushSecond("split", 50, catalog("demo"));
  const expected = { first: 0, second: 0 };
  for (const id of ids.slice(0, 20)) {
    const bid = await isolate.bid({ id });
    expected[bid?.ext?.catalog === second ? "second" : "first"]++;
    for (const url of [bid?.nurl, bid?.burl]) await isolate.notice(url ?? "", { PRICE: "1", CURRENCY: "USD" });
  }
  await isolate.post(simple, {}, {}, "old");
  const { rows } = await (await isolate.fetch("/report?by=version")).json<{ rows: Row[] }>();
  expect(expected.second).toBeGreaterThan(0);
  for (const [version, count] of Object.entries({ ...expected, "": 1 })) {
    const row = rows.find((row) => row.version === version);
    const notices = version ? count : 0;
    expect(row, version).toMatchObject({ bids: count, wins: notices, billed: notices });
  }
});

it("keeps its requests when its share grows from 0 to 10 and 50", async () => {
  await pushSecond("split", 0);
  expect(new Set(await versions())).toEqual(new Set([first]));
  const [few, many] = [await grown(10), await grown(50)];
  expect(many.filter((version) => version === second).length).toBeGreaterThan(70);
  expect(few.every((version, at) => version === first || many[at] === second)).toBe(true);
});

async function grown(share: number): Promise<string[]> {
  await kv.setSecond(second, { mode: "split", share });
  await isolate.refresh();
  return versions();
}

it("as a shadow answers nothing; differences are counted, and some are logged", async () => {
  await pushSecond("shadow", 100);
  expect(new Set(await versions())).toEqual(new Set([first]));
  expect(isolate.counters.toJSON()).toMatchObject({ shadow: ids.length, "shadow-different": ids.length });
  expect(isolate.counters.toJSON()).not.toHaveProperty("split");
  expect(console.info).toHaveBeenCalledTimes(ids.length / SHADOW_LOG_EVERY);
  expect(JSON.parse(vi.mocked(console.info).mock.calls[0]?.[0])).toEqual({
    shadow: {
      ...{ ssp: "demo", request: ids[0] },
      first: { version: first, outcome: "bid", bids: [expect.objectContaining({ price: 1.8 })] },
      second: { version: second, outcome: "bid", bids: [expect.objectContaining({ price: 1.9 })] },
    },
  });
});

it("as a shadow with the same bids makes no difference", async () => {
  const more = document.replace('"creatives": [', '"creatives": [{"crid":"unused","banner":{"w":1,"h":1,"adm":"x"}},');
  await pushSecond("shadow", 100, file(more));
  await isolate.bid();
  expect(isolate.counters.toJSON()).toMatchObject({ shadow: 1 });
  expect(isolate.counters.toJSON()).not.toHaveProperty("shadow-different");
});

it("leaves an SSP that it does not know to the first version", async () => {
  await pushSecond("split", 100, file(document.replace('"id": "demo"', '"id": "other"')));
  expect(await version()).toBe(first);
});

it("serves alone after a promotion, without another fetch; the first version serves again after a rollback", async () => {
  await pushSecond("split", 50);
  await kv.promoted();
  await isolate.refresh(kv.withSnapshots(() => Promise.reject(new Error("fetched"))));
  expect(new Set(await versions())).toEqual(new Set([second]));
  expect(isolate.keeper.state()).toMatchObject({ version: second, failure: null, second: null });
  await kv.rolledBack();
  await isolate.refresh();
  expect(new Set(await versions())).toEqual(new Set([first]));
});

it("is gone after a rollback, and after a push", async () => {
  for (const end of [kv.rolledBack, () => pushed(dearer)]) {
    await pushSecond("split", 100);
    expect(await isolate.price()).toBe(1.9);
    await end();
    await isolate.refresh();
    expect(isolate.keeper.state().second).toBeNull();
  }
  expect(await isolate.price()).toBe(2);
});

it.each(kv.BROKEN)("leaves all requests to the first version if it %s", async (_, vars, failure, isFinal) => {
  second = await pushed(dear, { second: { mode: "split", share: 100 } });
  for (let i = 0; i < 3; i++) {
    expect(await next(vars(second))).toBe(first);
    const state = { version: second, failure: expect.stringContaining(failure) };
    expect(isolate.keeper.state()).toMatchObject({ version: first, failure: null, age: 0, second: state });
  }
  expect(console.error).toHaveBeenCalledTimes(1);
  expect(isolate.counters.toJSON()).toMatchObject(isFinal ? { "second-refused": 1 } : { "second-failed": 3 });
  // In spite of the failure, the isolate follows the next pointer.
  const third = await isolate.serve(dearer);
  expect(isolate.keeper.state()).toMatchObject({ version: third, failure: null, second: null });
  expect(await isolate.price()).toBe(2);
});

it.each([
  ["of an unknown mode", { mode: "mirror" }, "mode mirror"],
  ["of an impossible share", { share: 101 }, "share of 101"],
  ["without a version", { version: "" }, "names no version"],
  ["that is null", null, null],
])("leaves all requests to the first version if the pointer names one %s", async (_, changes, failure) => {
  await pushSecond("split", 100);
  await kv.patched({ second: changes && { ...(await kv.pointer()).second, ...changes } });
  expect(await next()).toBe(first);
  expect(isolate.keeper.state().second?.failure ?? null).toEqual(failure && expect.stringContaining(failure));
});

it("follows the pointer, even an old one that KV returns once more", async () => {
  const old = await env.CATALOG.get(POINTER_KEY, "arrayBuffer");
  await pushSecond("split", 100);
  expect(await next(kv.withPointer(old))).toBe(first);
  expect(await next()).toBe(second);
});

it("stays in use if KV fails or hangs, or the clock jumps", async () => {
  await pushSecond("split", 100);
  expect(await next(kv.KV_DOWN)).toBe(second);
  expect(isolate.keeper.state().failure).toContain("KV is down");
  wait(-3_600_000);
  await isolate.refresh();
  wait(86_400_000 * 365);
  expect(await next()).toBe(second);
  wait(30_000);
  isolate.bidder(kv.KV_SILENT);
  expect(await version()).toBe(second);
});

it("a push of a second version that is killed before its last step changes nothing, and the next push succeeds", async () => {
  const next = await versionOf(kv.compiled(dear).snapshot);
  await kv.killedAtEachStep(
    (dying) => pushed(dear, { second: { mode: "split", share: 100 } }, dying),
    async () => {
      await isolate.refresh();
      const hasMoved = isolate.keeper.second !== undefined;
      expect(isolate.keeper.state()).toMatchObject({ version: first, failure: null });
      expect(await version()).toBe(hasMoved ? next : first);
      return hasMoved;
    },
  );
});
