//! Each assertion of the product fails when what it looks at is not true, and what follows loses no money.

import { reset, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { headOf } from "../../shared/pacing/shares.ts";
import { takeBroken } from "../../shared/telemetry/assertions.ts";
import { ANSWER } from "../../shared/wasm/abi.ts";
import { Tables as People } from "../src/frequency/tables.ts";
import { Ledger } from "../src/ledger/ledger.ts";
import { ledgerAt, summaryOf } from "../src/ledger/shards.ts";
import { Tables } from "../src/ledger/tables.ts";
import { PacingModule } from "../src/pacing/module.ts";
import { pacerOf } from "../src/pacing/objects.ts";
import { Saved } from "../src/pacing/saved.ts";
import { example, NO_URLS, simpleWith } from "./support/catalogs.ts";
import { at, now } from "./support/clock.ts";
import { catalogDocument } from "./support/fixtures.ts";
import { fresh, NOTICE_KEYS } from "./support/isolate.ts";
import { billOf, shardOfBill } from "./support/ledger.ts";
import { sql } from "./support/objects.ts";
import { pushBudget, startTraffic } from "./support/pacing.ts";

const SHARD = shardOfBill(billOf(0));
const stub = () => ledgerAt(env, SHARD);
const CLOSED = "2094-03-22T01:00:00";

beforeEach(async () => {
  await reset();
  vi.spyOn(console, "error").mockImplementation(() => {});
  at("2094-03-14T23:00:00");
});

it("spend without a booked bid makes the pacers read all bills again", async () => {
  await stub().book(billOf(0));
  const first = await stub().spent(null);
  vi.spyOn(Tables.prototype, "book").mockReturnValue([{ booking: false, now: null, ownNanos: 5, released: 0 }]);
  await stub().book(billOf(32));
  expect(takeBroken()).toEqual(["no spend changes without a booked bid"]);
  expect(await stub().spent(first)).toMatchObject({ whole: true });
});

it("a booked bill without a price makes the pacers read all bills again", async () => {
  vi.spyOn(Tables.prototype, "book").mockReturnValue([{ booking: true, now: null, ownNanos: 0, released: 0 }]);
  await stub().book(billOf(0));
  expect(takeBroken()).toEqual(["a booked bill has a price"]);
});

it.each([
  ["the sums of a day are those of its bills", "DELETE FROM seen"],
  [
    "no booked bid still counts as one that is not",
    "INSERT INTO held SELECT bid, campaign, ssp, quarter * 900, own_cur, 1 FROM seen",
  ],
])("an object hands over what its rows say unless %s", async (what, wrong) => {
  await stub().book(billOf(0));
  await sql(stub(), wrong);
  at(CLOSED);
  await runDurableObjectAlarm(stub());
  expect(takeBroken()).toEqual([what]);
  const { totals } = await summaryOf(env).report({ from: "2094-03-13", to: "2094-03-15", by: [] });
  expect(totals?.map(({ count }) => count)).toEqual(wrong.startsWith("DELETE") ? [] : [1]);
  const { sums } = await summaryOf(env).spent([{ campaign: billOf(0).campaign, from: "2094-03-13" }], "");
  expect(sums.map(({ held }) => held)).toEqual(wrong.startsWith("DELETE") ? [] : ["0"]);
});

const SUM = {
  ...{ period: "2094-03-14", campaign: "c".repeat(16), ssp: "5".repeat(16), creative: "a".repeat(16) },
  ...{ kind: "bid" as const, detail: "", cur: "", ownCur: "", count: 1, nanos: 0n, usdNanos: 0n, ownNanos: 0n },
} as const;

it.each([
  ["the totals of an object are of its day, in some time zone", { period: "2094-03-16" }],
  ["no total of an object is below zero", { count: -1 }],
])("the summary takes no object unless %s", async (what, wrong) => {
  await runInDurableObject(summaryOf(env), async (summary) => {
    await expect(summary.absorb(SHARD, [{ ...SUM, ...wrong }], [])).rejects.toThrow(what);
  });
  expect(takeBroken()).toEqual([what]);
  expect(await summaryOf(env).spent([], "")).toMatchObject({ places: [] });
});

it.each([
  ["no more bids stop waiting for a bill than have waited", 0, 2],
  ["no bid waits if none is counted", 1, 2],
])("bids that wait are counted again unless %s", async (what, known, rows) => {
  const object = env.FREQUENCY.getByName(what);
  const subjects = [{ subject: "s", caps: [{ n: 1, per: "hour" as const }] }];
  await object.bid("00".repeat(16), [{ bid: "0".repeat(18), on: "bill", subjects }], 1);
  await runInDurableObject(object, async (_, { storage }) => {
    const add = (key: string, count: number) => {
      for (let n = 0; n < count; n++)
        storage.sql.exec("INSERT INTO pending VALUES (randomblob(9), unhex(?), '[]', 9e9)", key);
    };
    storage.sql.exec("DELETE FROM pending");
    add("02", known);
    const people = new People(storage.sql);
    add("02", rows - known - 1);
    add("03", 1);
    people.forget("02");
  });
  expect(takeBroken()).toEqual([what]);
});

it("a bill that is not booked gets a 503", async () => {
  const isolate = await fresh(example({ spring: NO_URLS }));
  isolate.vars = { NOTICE_KEYS };
  const made = await isolate.bid();
  vi.spyOn(Ledger.prototype, "book").mockResolvedValue({ booking: false, now: null });
  expect((await isolate.notice(made?.burl ?? "", { PRICE: "1.5", CURRENCY: "USD" })).status).toBe(503);
  expect(takeBroken()).toEqual(["a bill that is answered is booked"]);
});

it("a price that books a bid gets a 503", async () => {
  const isolate = await fresh(example({ spring: NO_URLS, demo: { billing: "impression" } }));
  isolate.vars = { NOTICE_KEYS };
  const made = await isolate.bid();
  vi.spyOn(Ledger.prototype, "price").mockResolvedValue({ booking: true, now: null });
  expect((await isolate.notice(made?.nurl ?? "", { PRICE: "1.5", CURRENCY: "USD" })).status).toBe(503);
  expect(takeBroken()).toEqual(["a price alone books no bid"]);
});

it("an answer that is not sound is not sent, but counted, captured and an event", async () => {
  const isolate = await fresh(catalogDocument);
  isolate.vars = { EVENTS_ONE_IN: "1" };
  expect((await isolate.post(simpleWith({}))).status).toBe(200);
  const listener = isolate.options.tap.listen(1, now());
  if (listener === null) throw new Error("nothing can be captured");
  const took = vi.spyOn(isolate.events, "take");
  isolate.bidder()?.call((to) => {
    const { decide, ...exports } = to.exports;
    const broken: typeof decide = (...all) => decide(...all) | ANSWER.BROKEN;
    return Object.assign(to, { exports: { ...exports, decide: broken } });
  }, null);
  const answer = await isolate.post(simpleWith({}));
  expect([answer.status, await answer.text()]).toEqual([204, ""]);
  expect(takeBroken()).toEqual(["the bids of an answer are within their bounds, one for each offer"]);
  expect(isolate.counters.toJSON()).toMatchObject({ bid: 1, unsound: 1 });
  expect(isolate.options.tap.drain(listener, now()).lines).toEqual([expect.stringContaining('"outcome":"unsound"')]);
  expect(took.mock.calls.map(([records]) => records?.byteLength ?? 0)).toEqual([expect.toSatisfy((n) => n > 0)]);
});

it.each([
  ["shares have a higher number than those before", () => vi.spyOn(Saved.prototype, "nextNumber").mockReturnValue(1)],
  [
    "no shares are of another time than their tick",
    () => vi.spyOn(PacingModule.prototype, "ask").mockReturnValue("5\n"),
  ],
])("the pacer gives no shares unless %s", async (what, mock) => {
  const traffic = await startTraffic();
  await pushBudget({ budget: { daily: "5" } });
  await traffic.rest(3);
  const before = await pacerOf(env).exchange(null);
  mock();
  await traffic.rest(1);
  expect(headOf(await pacerOf(env).exchange(null)).number).toBe(headOf(before).number);
  expect(takeBroken()).toContain(what);
  await traffic.end();
});
