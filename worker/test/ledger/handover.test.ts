//! After the last notice can arrive, an object hands its totals over once, and is empty then.
//!
//! The tests' alarms are in the future of the real clock, and the tests run them early. An alarm that fires by itself
//! would meet a storage that is being removed.

import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Query, Total } from "../../../shared/ledger/rows.ts";
import { CLOCKS_MS, HANDOVER_RETRY_MS, HANDOVER_SUMS, OVERDUE_MS, PAGE_TOTALS } from "../../../shared/limits.ts";
import { Ledger } from "../../src/ledger/ledger.ts";
import { totals as read } from "../../src/ledger/report.ts";
import { ledgerAt, summaryOf } from "../../src/ledger/shards.ts";
import { Summary } from "../../src/ledger/summary.ts";
import { at, now } from "../support/clock.ts";
import {
  ALL_BY,
  bidId,
  billOf,
  bookAll,
  hash,
  namesOf,
  quarterOf,
  shardOfBill,
  totals,
  withOnly,
} from "../support/ledger.ts";
import { sql, tablesOf } from "../support/objects.ts";

const CLOSES = "2094-03-22T00:00:00";
const DUE = "2094-03-22T01:00:00";
const DAYS: Query = { from: "2094-03-13", to: "2094-03-15", by: ALL_BY };
const NONE = { booked: null, refused: null };

const { quarter, campaign } = billOf(0);
const LATE = quarterOf("2094-03-14T20:00");
const SHARD = shardOfBill(billOf(0));
const stub = () => ledgerAt(env, SHARD);
const own = withOnly([SHARD]);
/** The object's alarm runs. False if none was set. */
const ring = () => runDurableObjectAlarm(stub());
const tables = () => tablesOf(stub());

/** The days and counts of the whole report. */
async function reported(): Promise<[string, number][]> {
  return (await totals(own, DAYS, now())).totals.map(({ day, count }) => [day, count]);
}

beforeEach(async () => {
  await reset();
  vi.spyOn(console, "error").mockImplementation(() => {});
  at("2094-03-14T23:00:00");
  await stub().count([], [namesOf(campaign, "Asia/Kathmandu")]);
  for (const n of [0, 32, 64]) await stub().book(billOf(n, { quarter: n === 64 ? LATE : quarter }));
});

const BEFORE: [string, number][] = [
  ["2094-03-14", 2],
  ["2094-03-15", 1],
];

it("the totals move to the summary, and the object is empty", async () => {
  expect(await reported()).toEqual(BEFORE);
  const before = await totals(own, DAYS, now());
  at(DUE);
  // The object may have left the memory long ago, and its alarm starts it.
  await evictDurableObject(stub());
  expect(await ring()).toBe(true);
  expect(await tables()).toEqual([]);
  expect(await runInDurableObject(stub(), (_, { storage }) => storage.getAlarm())).toBeNull();
  expect(await totals(own, DAYS, now())).toEqual(before);
  expect(await stub().report(DAYS)).toEqual([]);
  // Years later, only the summary is asked.
  at("2099-01-01T00:00:00");
  expect(await totals(own, DAYS, now())).toEqual(before);
});

it("the summary keeps the versions of a split, and no hours", async () => {
  for (const n of [96, 128]) await stub().book(billOf(n, { arm: n === 96 ? 1 : 2 }));
  const rows = async () => {
    const found = await totals(own, { ...DAYS, by: ["hour", "version"] }, now());
    return found.totals.map(({ hour, version, count }) => [hour, version, count]);
  };
  expect(await rows()).toEqual([
    ["2094-03-14T10:00Z", "", 2],
    ["2094-03-14T10:00Z", "first", 1],
    ["2094-03-14T10:00Z", "second", 1],
    ["2094-03-14T20:00Z", "", 1],
  ]);
  at(DUE);
  await ring();
  expect(await rows()).toEqual([
    ["", "", 3],
    ["", "first", 1],
    ["", "second", 1],
  ]);
});

it("an alarm that comes early waits until the object is due by any clock", async () => {
  at("2094-03-22T00:59:59");
  expect(await ring()).toBe(true);
  const alarm = await runInDurableObject(stub(), (_, { storage }) => storage.getAlarm());
  // By the platform's clock, an alarm at `DUE` might have passed already, and ring at once: seed 1 of the simulator.
  expect(alarm).toBe(Date.parse(`${DUE}Z`) + 1000 + CLOCKS_MS);
  expect(await reported()).toEqual(BEFORE);
});

it("an object whose clock is hours late rings no second time before it is due by that clock", async () => {
  const late = 3 * 3_600_000;
  at(Date.parse(`${DUE}Z`) - late);
  expect(await ring()).toBe(true);
  const alarm = await runInDurableObject(stub(), (_, { storage }) => storage.getAlarm());
  at((alarm ?? 0) - late);
  expect(await ring()).toBe(true);
  expect(await tables()).toEqual([]);
  expect(await reported()).toEqual(BEFORE);
});

it("a report during a handover does not take the alarm for lost", async () => {
  at(DUE);
  const { absorb } = Summary.prototype;
  vi.spyOn(Summary.prototype, "absorb").mockImplementationOnce(async function (this: Summary, ...args) {
    await stub().report(DAYS);
    await absorb.apply(this, args);
  });
  expect(await ring()).toBe(true);
  expect(String(vi.mocked(console.error).mock.calls)).not.toContain("ledger-alarm");
  expect(await tables()).toEqual([]);
  expect(await runInDurableObject(stub(), (_, { storage }) => storage.getAlarm())).toBeNull();
});

it("a bill, a refusal, a reading of the pacer and a report each set a lost alarm again", async () => {
  const subject = { quarter, campaign, creative: hash(11), ssp: hash(21) };
  const uses: Record<string, (ledger: Ledger) => Promise<unknown>> = {
    bill: (ledger) => ledger.book(billOf(96)),
    refusal: (ledger) => ledger.refuse(billOf(128).bid, "price-missing", subject),
    reading: (ledger) => ledger.spent(null),
    report: (ledger) => ledger.report(DAYS),
  };
  for (const [name, use] of Object.entries(uses)) {
    await runInDurableObject(stub(), (_, { storage }) => storage.deleteAlarm());
    await runInDurableObject(stub(), (ledger) => use(ledger as Ledger));
    const alarm = await runInDurableObject(stub(), (_, { storage }) => storage.getAlarm());
    expect(alarm, name).toBe(Date.parse(`${DUE}Z`));
  }
});

it("if the summary fails, nothing is deleted, and the handover is tried again", async () => {
  at(DUE);
  const absorb = vi.spyOn(Summary.prototype, "absorb").mockRejectedValueOnce(new Error("down"));
  expect(await ring()).toBe(true);
  expect(absorb).toHaveBeenCalledTimes(1);
  expect(await reported()).toEqual(BEFORE);
  expect(await ring()).toBe(true);
  expect(absorb).toHaveBeenCalledTimes(2);
  expect(await tables()).toEqual([]);
  expect(await reported()).toEqual(BEFORE);
});

it("the summary calls an object that has lost its alarm, and a report names it until its totals have come", {
  timeout: 60_000,
}, async () => {
  await runInDurableObject(stub(), (_, { storage }) => storage.deleteAlarm());
  // The first names have set the alarm of the summary. Nobody else asks.
  at("2094-03-22T03:00:00");
  expect(await runDurableObjectAlarm(summaryOf(env))).toBe(true);
  const alarm = await runInDurableObject(stub(), (_, { storage }) => storage.getAlarm());
  expect(alarm).toBe(now() + HANDOVER_RETRY_MS);
  const next = await runInDurableObject(summaryOf(env), (_, { storage }) => storage.getAlarm());
  expect(next).toBe(now() + OVERDUE_MS);
  expect((await summaryOf(env).report(DAYS)).overdue).toEqual([SHARD]);
  expect((await summaryOf(env).spent([], "2094-01-01")).overdue).toEqual([SHARD]);
  // Weeks later, no report asks the object itself.
  expect((await totals(own, DAYS, Date.parse("2094-04-22"))).missing).toEqual([SHARD]);
  expect(await ring()).toBe(true);
  expect((await totals(own, DAYS, Date.parse("2094-04-22"))).missing).toEqual([]);
  expect((await summaryOf(env).report(DAYS)).overdue).toBeUndefined();
});

it("if the summary has the totals but the object does not know, they count once", async () => {
  at(DUE);
  const { absorb } = Summary.prototype;
  vi.spyOn(Summary.prototype, "absorb").mockImplementationOnce(async function (this: Summary, ...args) {
    await absorb.apply(this, args);
    throw new Error("the answer is lost");
  });
  expect(await ring()).toBe(true);
  // Both have them now.
  expect(await tables()).not.toEqual([]);
  expect((await summaryOf(env).report(DAYS)).totals).toHaveLength(2);
  expect(await reported()).toEqual(BEFORE);
  expect(await ring()).toBe(true);
  expect(await tables()).toEqual([]);
  expect(await reported()).toEqual(BEFORE);
});

it("a report while the totals are being handed over has them once", async () => {
  at(DUE);
  let handed = 0;
  const { names } = Summary.prototype;
  // The handover happens between two steps of the object's own report.
  vi.spyOn(Summary.prototype, "names").mockImplementation(async function (this: Summary, hashes) {
    const known = await names.call(this, hashes);
    if (handed++ === 0) await ring();
    return known;
  });
  expect(await reported()).toEqual(BEFORE);
  expect(await tables()).toEqual([]);
});

it("a closed object takes nothing, and makes no tables again after its handover", async () => {
  const subject = { quarter, campaign, creative: hash(11), ssp: hash(21) };
  const attempts = () =>
    runInDurableObject(stub(), (instance) =>
      Promise.allSettled([
        instance.book(billOf(96)),
        instance.refuse(bidId(96), "price", subject),
        instance.count([{ ...subject, kind: "bid", detail: "", count: 1 }], []),
      ]),
    );
  at(CLOSES);
  expect((await attempts()).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
  at(DUE);
  await ring();
  const refused = await attempts();
  expect(refused.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
  expect(String((refused[0] as PromiseRejectedResult).reason)).toContain("the ledger of 2094-03-14 is closed");
  expect(await tables()).toEqual([]);
  expect(await stub().why(bidId(0))).toEqual(NONE);
  expect(await reported()).toEqual(BEFORE);
});

it("a bill of the last millisecond is handed over too", async () => {
  at("2094-03-21T23:59:59.999");
  await runInDurableObject(stub(), async (instance) => {
    const booked = instance.book(billOf(96));
    at(DUE);
    await Promise.all([booked, instance.alarm()]);
  });
  const more = BEFORE.map(([day, count]) => [day, day === "2094-03-14" ? count + 1 : count]);
  expect(await reported()).toEqual(more);
});

/** So many campaigns with a bill each, besides the three bills; what the summary has then. */
async function bookMany(): Promise<void> {
  const bills = Array.from({ length: 2 * HANDOVER_SUMS }, (_, n) => billOf(32 * n + 1000, { campaign: hash(n + 100) }));
  await bookAll(stub(), bills);
}

it("many totals are handed over in calls of limited length, and count only when all have arrived", {
  timeout: 60_000,
}, async () => {
  await bookMany();
  const before = await totals(own, DAYS, now());
  at(DUE);
  const { stage } = Summary.prototype;
  let calls = 0;
  const mocked = vi.spyOn(Summary.prototype, "stage").mockImplementation(async function (this: Summary, ...args) {
    const [, , , sums, weights] = args;
    expect(sums.length).toBeLessThanOrEqual(HANDOVER_SUMS);
    expect(weights.length).toBeLessThanOrEqual(HANDOVER_SUMS);
    // The second call fails; after it has been stored.
    await stage.call(this, ...args);
    if (++calls === 2) throw new Error("the answer is lost");
  });
  expect(await ring()).toBe(true);
  expect(await totals(own, DAYS, now())).toEqual(before);
  expect((await summaryOf(env).report(DAYS)).totals).toEqual([]);
  expect(await ring()).toBe(true);
  expect(mocked).toHaveBeenCalledTimes(4);
  expect(await tables()).toEqual([]);
  const asked = ["0", "64", "ffffffffffffffff"].map((digits) => ({
    campaign: digits.padStart(16, "0"),
    from: "2000-01-01",
  }));
  const spent = await summaryOf(env).spent(asked, "2094-01-01");
  expect(spent.sums).toMatchObject([{ at: 1, nanos: "1111111", bid: "2222222", held: "0" }]);
  // The alarm of the summary adds the parts to the tables; until then, they count too.
  expect(await totals(own, DAYS, now())).toEqual(before);
  await runDurableObjectAlarm(summaryOf(env));
  expect(await totals(own, DAYS, now())).toEqual(before);
  expect(await summaryOf(env).spent(asked, "2094-01-01")).toEqual(spent);
  expect(await sql(summaryOf(env), "SELECT count(*) FROM staged")).toEqual([[0]]);
  expect(await sql(summaryOf(env), "SELECT count(*) FROM weights")).toEqual([[2 * HANDOVER_SUMS + 2]]);
});

const KEY = { period: "2094-03-14", campaign, ssp: hash(21), creative: hash(11), kind: "bill" as const, detail: "" };
const SUM = { ...KEY, cur: "USD", ownCur: "EUR", count: 1, nanos: 3n, usdNanos: 3n, ownNanos: 2n };

it("a report asks the summary for few days at a time, and again if it took an object's totals meanwhile", async () => {
  const summary = summaryOf(env);
  const days = ["2094-02-01", "2094-02-02", "2094-02-04", "2094-02-09", "2094-02-28"];
  for (const [n, period] of days.entries()) await summary.absorb(`${period}/${n}`, [{ ...SUM, period }], []);
  const { report } = Summary.prototype;
  const asked: string[] = [];
  vi.spyOn(Summary.prototype, "report").mockImplementation(async function (this: Summary, query, part) {
    asked.push(`${query.from.slice(8)}-${query.to.slice(8)}`);
    const told = await report.call(this, query, part);
    if (asked.length === 2) await this.absorb("2094-02-01/99", [{ ...SUM, period: "2094-02-01" }], []);
    return told;
  });
  const query = { from: "2094-02-01", to: "2094-02-28", by: ["campaign"] as const };
  const told = await totals(withOnly([]), query, Date.parse("2094-03-14"));
  expect(asked).toEqual(["01-01", "02-03", "04-07", "01-04", "05-11", "12-18", "19-25", "26-28"]);
  expect(told.totals.map(({ count }) => count)).toEqual([days.length + 1]);
});

it("a report by day is sent day by day, and each day has an object that is handed over meanwhile once", async () => {
  const query = { ...DAYS, by: ["day"] as const };
  const { days } = await read(own, query, now());
  const sent: [string, number][] = [];
  for await (const groups of days) {
    for (const { day, counts } of groups) sent.push([day, counts["bill "] ?? 0]);
    if (sent.length > 1) continue;
    at(DUE);
    await ring();
  }
  expect(sent).toEqual(BEFORE);
  expect(await tables()).toEqual([]);
});

it("an object tells many totals in parts of its campaigns, and those without a campaign, as it tells all at once", {
  timeout: 60_000,
}, async () => {
  const subject = { quarter, campaign: "", creative: "", ssp: "" };
  await stub().refuse(bidId(320), "price", subject);
  const campaigns = Array.from({ length: PAGE_TOTALS }, (_, n) => hash(n + 100));
  await stub().count(
    campaigns.map((campaign) => ({ ...subject, campaign, kind: "bid", detail: "", count: 1 })),
    [],
  );
  const whole = await stub().report(DAYS);
  expect(whole?.length).toBeGreaterThan(PAGE_TOTALS);
  expect(await stub().report(DAYS, "")).toBeNull();
  const parts = await Promise.all(Array.from("0123456789abcdef", (digit) => stub().report(DAYS, digit)));
  const rows = parts.flatMap((part) => part ?? []);
  const byText = (rows: Total[] | null) => rows?.map((row) => Object.values(row).join()).sort();
  expect(byText(rows)).toEqual(byText(whole));
  expect(Math.max(...parts.map((part) => part?.length ?? 0))).toBeLessThan(PAGE_TOTALS / 10);
  const reported = await totals(own, DAYS, now());
  expect(reported.totals.map(({ count }) => count)).toEqual(whole?.map(({ count }) => count));
  at(DUE);
  await ring();
  expect(await totals(own, DAYS, now())).toEqual(reported);
  expect((await summaryOf(env).report(DAYS, "")).totals).toBeNull();
});

it("an object that answers no more when its days have been announced ends the report", async () => {
  const { report } = Ledger.prototype;
  let isDown = false;
  vi.spyOn(Ledger.prototype, "report").mockImplementation(async function (this: Ledger, query, part) {
    if (isDown) throw new Error("overloaded");
    return report.call(this, query, part);
  });
  const [first, last] = ["2094-03-09", "2094-03-15"];
  const { days, missing } = await read(own, { from: first, to: last, by: ["day"] }, now());
  expect(missing).toEqual([]);
  isDown = true;
  await expect(Array.fromAsync(days)).rejects.toThrow("overloaded");
  // If it does not answer from the beginning, it is named, although its days come later.
  const lacking = await totals(own, { from: first, to: last, by: ["day"] }, now());
  expect(lacking).toEqual({ totals: [], missing: [SHARD] });
});

it("a report of one campaign gets only its totals", async () => {
  await stub().book(billOf(96, { campaign: hash(7) }));
  const query: Query = { ...DAYS, campaign: `c-${campaign}` };
  expect((await stub().report(query))?.map(({ count }) => count)).toEqual([2, 1]);
  expect((await totals(own, query, now())).totals.map(({ count }) => count)).toEqual([2, 1]);
});

it("totals of two attempts are never mixed, also if a call of the first comes late", async () => {
  const sum = SUM;
  const summary = summaryOf(env);
  await summary.stage(SHARD, "first", 0, [sum], []);
  await summary.stage(SHARD, "second", 0, [sum], []);
  await summary.stage(SHARD, "first", 1, [sum], []);
  await runInDurableObject(summary, async (instance) => {
    await expect(instance.absorbStaged(SHARD, { attempt: "second", chunks: 2 }, [sum], [])).rejects.toThrow("1 of 2");
  });
  await summary.absorbStaged(SHARD, { attempt: "second", chunks: 1 }, [sum], []);
  // A call that comes after all of it leaves nothing behind.
  await summary.stage(SHARD, "first", 2, [sum], []);
  await summary.absorbStaged(SHARD, { attempt: "first", chunks: 3 }, [sum], []);
  for (let n = 0; n < 2; n++) {
    expect(await summary.report(DAYS)).toMatchObject({ totals: [{ count: 2 }], places: [SHARD] });
    await runDurableObjectAlarm(summary);
  }
  expect(await sql(summary, "SELECT count(*) FROM staged")).toEqual([[0]]);
  expect(await sql(summary, "SELECT count(*) FROM complete")).toEqual([[0]]);
});

it("an alarm of the summary that the platform has lost is set again by the next question", async () => {
  const summary = summaryOf(env);
  await summary.stage(SHARD, "first", 0, [SUM], []);
  await summary.absorbStaged(SHARD, { attempt: "first", chunks: 1 }, [SUM], []);
  await runInDurableObject(summary, (_, { storage }) => storage.deleteAlarm());
  expect(await summary.report(DAYS)).toMatchObject({ totals: [{ count: 2 }] });
  await vi.waitFor(async () => expect(await runDurableObjectAlarm(summary)).toBe(true));
  expect(await sql(summary, "SELECT count(*) FROM staged")).toEqual([[0]]);
});

it("what a refused bill weighs is of the campaign's own day, also if its count was lost", async () => {
  const shard = "2094-03-14/31";
  const object = ledgerAt(env, shard);
  await summaryOf(env).learn([{ of: "campaign", hash: hash(7), name: "c", cur: "EUR", zone: "Asia/Kathmandu" }]);
  const subject = { quarter: quarterOf("2094-03-14T20:00"), campaign: hash(7), creative: "", ssp: hash(21) };
  const weight = { issued: subject.quarter * 900, ownCur: "EUR", bidNanos: 5 };
  await object.refuse(bidId(31), "rate", subject, weight);
  await runInDurableObject(object, (_, state) => state.abort("killed")).catch(() => {});
  const started = ledgerAt(env, shard);
  at("2094-03-22T02:00:00");
  await runDurableObjectAlarm(started);
  expect(await sql(summaryOf(env), "SELECT day FROM weights")).toEqual([["2094-03-15"]]);
});

it("names are asked for in calls of limited length", async () => {
  await bookMany();
  const names = vi.spyOn(Summary.prototype, "names");
  expect((await totals(own, { ...DAYS, by: ["campaign"] }, now())).totals).toHaveLength(2 * HANDOVER_SUMS + 1);
  expect(names.mock.calls.every(([hashes]) => hashes.length <= HANDOVER_SUMS)).toBe(true);
});

it("the summary adds up sums over 2^63 exactly", async () => {
  const nanos = (1n << 63n) - 1n;
  const key = { period: "2094-03-14", campaign, ssp: hash(21), creative: hash(11), kind: "bill" as const, detail: "" };
  const sum = { ...key, cur: "USD", ownCur: "EUR", count: 7, nanos, usdNanos: nanos - 1n, ownNanos: nanos - 2n };
  for (const shard of ["2094-03-14/97", "2094-03-14/98", "2094-03-14/98"])
    await summaryOf(env).absorb(shard, [sum], []);
  expect((await summaryOf(env).report(DAYS)).totals).toMatchObject([
    { count: 14, usdNanos: 2n * nanos - 2n, nanos: 2n * nanos - 4n },
  ]);
});

it("a report without an object that does not answer names it, and has all others", async () => {
  const { report } = Ledger.prototype;
  const silent = (shards: string) =>
    async function (this: Ledger, query: Query) {
      const { name = "" } = (this as unknown as { ctx: DurableObjectState }).ctx.id;
      if (name.startsWith(shards)) throw new Error("overloaded");
      return report.call(this, query);
    };
  const mocked = vi.spyOn(Ledger.prototype, "report");
  const whole = await totals(env, DAYS, now());
  expect(whole).toMatchObject({ totals: [{ count: 2 }, { count: 1 }], missing: [] });
  mocked.mockImplementation(silent("2094-03-14/31"));
  expect(await totals(env, DAYS, now())).toEqual({ ...whole, missing: ["2094-03-14/31"] });
  mocked.mockImplementation(silent(SHARD));
  expect(await totals(env, DAYS, now())).toEqual({ totals: [], missing: [SHARD] });
  mocked.mockImplementation(silent("2094"));
  await expect(totals(env, DAYS, now())).rejects.toThrow("no object of the ledger answers");
  mocked.mockImplementation(report);
  vi.spyOn(Summary.prototype, "report").mockRejectedValueOnce(new Error("overloaded"));
  expect(await totals(env, DAYS, now())).toEqual({ ...whole, missing: ["summary"] });
});
