//! A campaign with a budget, from its first request until its budget is spent, through the real objects.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MISSED_READINGS } from "../../../shared/limits.ts";
import { SHARES_KEY } from "../../../shared/pacing/shares.ts";
import { Ledger } from "../../src/ledger/ledger.ts";
import { ledgerAt, shardsOf } from "../../src/ledger/shards.ts";
import { Summary } from "../../src/ledger/summary.ts";
import { PacingModule } from "../../src/pacing/module.ts";
import { pacerOf } from "../../src/pacing/objects.ts";
import { Saved } from "../../src/pacing/saved.ts";
import { at } from "../support/clock.ts";
import { Isolate } from "../support/isolate.ts";
import { totals } from "../support/ledger.ts";
import { pushBudget, startTraffic, type Traffic, vars } from "../support/pacing.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** One impression costs 1.80 dollars per mille. */
const IMPRESSION = 1_800_000n;
const alarm = () => runInDurableObject(pacerOf(env), (_, { storage }) => storage.getAlarm());

let traffic: Traffic;

beforeEach(async () => {
  traffic = await startTraffic();
});

afterEach(() => traffic.end());

/** Spends from a budget until there are some bids, and lets the pacer read what they cost. */
async function spending(budget: object, bids = 5): Promise<void> {
  await pushBudget({ budget, pacing: "asap" });
  await traffic.until(60, 10, () => traffic.bids > bids);
  await traffic.rest(2);
}

/** Goes on at three o'clock of a day. */
function jump(day: string): void {
  traffic.now = at(`${day}T03:00:00`);
}

/** The pacer reads old days beside its ticks: after some of them, it misses nothing, and all bills count once. */
async function countsAll(): Promise<void> {
  const isMissing = ({ what }: { what: string }) => what === "missing";
  for (let n = 0; n < 60 && (await pacerOf(env).alarms()).some(isMissing); n++) await traffic.step(0);
  expect(await traffic.told()).toMatchObject({ spent: `${traffic.billed}` });
}

/** The objects of the 14th hand their totals over. */
async function handOver(): Promise<void> {
  for (const shard of shardsOf("2094-03-14")) await runDurableObjectAlarm(ledgerAt(env, shard));
}

it("waits for shares, spends its budget and not more, and bids on when the budget grows", async () => {
  await pushBudget({ budget: { daily: "0.1" }, pacing: "asap" });
  expect(await traffic.step(10)).toBe(0);
  expect(traffic.isolate.counters.toJSON()).toMatchObject({ pacing: 10 });
  await traffic.until(30, 10, () => traffic.bids > 0);
  await traffic.until(200, 40, () => traffic.billed > 60_000_000n);
  for (let n = 0; n < 10; n++) await traffic.step(40);
  expect(traffic.billed).toBeLessThanOrEqual(100_000_000n + IMPRESSION);
  const told = await traffic.told();
  expect(told).toMatchObject({ cid: "acme-spring", cur: "USD", daily: "100000000", spent_today: `${traffic.billed}` });
  const { totals: report } = await totals(env, { from: "2094-03-14", to: "2094-03-14", by: [] }, traffic.now);
  expect(report.find(({ kind }) => kind === "bill")?.nanos).toBe(traffic.billed);
  const spent = traffic.billed;
  // A budget below the spend stops the campaign. The isolate and the pacer look at the pointer each 30 s.
  await pushBudget({ budget: { daily: "0.05" }, pacing: "asap" });
  await traffic.rest(8);
  // The first requests are decided with the shares of before, and bring the new ones.
  await traffic.step(10);
  const { bids } = traffic;
  await traffic.step(40);
  expect(traffic.bids).toBe(bids);
  expect(await traffic.told()).toMatchObject({
    share: 0,
    why: "daily-overspent",
    left: "0",
  });
  await pushBudget({ budget: { daily: "0.5" }, pacing: "asap" });
  await traffic.until(40, 40, () => traffic.billed > spent + 20_000_000n);
  expect((await traffic.told()).daily).toBe("500000000");
});

it("does not bid without keys of notices, because its spend would be unknown", async () => {
  await spending({ daily: "5" });
  traffic.isolate = new Isolate();
  traffic.vars = { ...vars, NOTICE_KEYS: "" };
  const { bids } = traffic;
  for (let n = 0; n < 3; n++) await traffic.step(10);
  expect(traffic.bids).toBe(bids);
  traffic.isolate = new Isolate();
  traffic.vars = vars;
  await traffic.until(5, 10, () => traffic.bids > bids);
});

it("a pacer that starts again knows what was spent and learned", async () => {
  await spending({ daily: "0.05" });
  const before = await traffic.told();
  await evictDurableObject(pacerOf(env));
  // An alarm or the next call starts it.
  expect(await alarm()).not.toBeNull();
  await traffic.step(10);
  const after = await traffic.told();
  expect(after.spent_today).toBe(`${traffic.billed}`);
  expect(Number(before.spent_today)).toBeGreaterThan(0);
  // Without the saved state, it would count requests first and hold everything back.
  expect(before.share).toBeGreaterThan(0);
  expect(after.share).toBeGreaterThan(before.share / 4);
  expect(after.requests).toBeGreaterThan(0);
});

it("nobody gets shares while the pacer cannot write: after another start, others could have their number", async () => {
  await spending({ daily: "5" });
  const numberOf = async () => Number(/number (\d+)/.exec(await pacerOf(env).exchange(null))?.[1] ?? 0);
  const before = await numberOf();
  const full = vi.spyOn(Saved.prototype, "write").mockImplementation(() => {
    throw new Error("no");
  });
  for (let starts = 0; starts < 2; starts++) {
    await evictDurableObject(pacerOf(env));
    await traffic.rest(2);
    expect(await numberOf()).toBe(0);
  }
  full.mockRestore();
  await traffic.step(0);
  expect(await numberOf()).toBeGreaterThan(before);
});

it("a trap of the module is one more start", async () => {
  await spending({ daily: "0.05" }, 2);
  answering("tick", () => {
    throw new WebAssembly.RuntimeError("unreachable");
  });
  await traffic.step(10);
  vi.mocked(PacingModule.prototype.ask).mockRestore();
  await traffic.step(10);
  await traffic.step(10);
  expect(await traffic.told()).toMatchObject({ spent_today: `${traffic.billed}` });
  expect((await traffic.told()).share).toBeGreaterThan(0);
});

it("an object of the ledger that does not answer keeps its sums, and stops nothing", async () => {
  await spending({ daily: "0.05" });
  const heal = unreadable(/./);
  const before = traffic.billed;
  for (let n = 0; n < 2; n++) await traffic.step(10);
  const told = await traffic.told();
  expect(BigInt(told.spent_today)).toBe(before);
  const [made] = ((await env.CATALOG.get(SHARES_KEY)) ?? "").split("\n");
  expect(traffic.now - Number(made)).toBeLessThanOrEqual(20_000);
  heal();
  await traffic.step(0);
  expect((await traffic.told()).spent_today).toBe(`${traffic.billed}`);
});

it("reads yesterday's bills at once when a clock that was hours ahead is set right", async () => {
  await spending({ daily: "5" }, 0);
  traffic.now += 3 * 3_600_000;
  await traffic.rest(1);
  traffic.now -= 3 * 3_600_000;
  const spent = vi.spyOn(Ledger.prototype, "spent");
  await traffic.rest(1);
  const shards = (spent.mock.contexts as unknown as { ctx: DurableObjectState }[]).map(({ ctx }) => ctx.id.name);
  expect(shards).toContain("2094-03-13/00");
});

const { ask } = PacingModule.prototype;

/** Lets the pacing module answer one question otherwise. */
function answering(question: Parameters<typeof ask>[0], answer: () => string): void {
  vi.spyOn(PacingModule.prototype, "ask").mockImplementation(function (this: PacingModule, what, now) {
    return what === question ? answer() : ask.call(this, what, now);
  });
}

/** Lets the objects of the ledger fail whose names match. Returns a function that heals them. */
function unreadable(shards: RegExp): () => void {
  const { spent } = Ledger.prototype;
  const mocked = vi.spyOn(Ledger.prototype, "spent").mockImplementation(async function (this: Ledger, ...asked) {
    const { name = "" } = (this as unknown as { ctx: DurableObjectState }).ctx.id;
    if (shards.test(name)) throw new Error("no such table");
    return spent.call(this, ...asked);
  });
  return () => mocked.mockImplementation(spent);
}

it("a pacer that cannot tick has no shares after its clock was set back, because nobody knows how old they are", async () => {
  await spending({ daily: "5" });
  const failing = vi.spyOn(PacingModule.prototype, "ask").mockImplementation(() => {
    throw new Error("no");
  });
  const shares = async () => (await pacerOf(env).exchange(null)).split("\n")[1] ?? "";
  traffic.now = at(traffic.now + 90_000);
  expect(await shares()).toMatch(/^number \d+ 9\d{4}$/);
  traffic.now = at(traffic.now - 3_600_000);
  expect(await shares()).toBe("");
  failing.mockRestore();
  await traffic.step(0);
  expect(await shares()).toMatch(/^number \d+ 0$/);
});

it("an object that cannot be read counts with the mean of the others, also after a restart, and is named", async () => {
  answering("alarms", () => "[]");
  await pushBudget({ budget: { daily: "0.5" }, pacing: "asap" });
  await traffic.until(100, 40, () => traffic.bids > 60);
  await traffic.step(0);
  const own = async (shard: string) => {
    const rows = (await ledgerAt(env, shard).report({ from: "2094-03-13", to: "2094-03-15", by: [] })) ?? [];
    return rows.reduce((sum, { nanos }) => sum + nanos, 0n);
  };
  const shard = "2094-03-14/07";
  const others = traffic.billed - (await own(shard));
  const heal = unreadable(new RegExp(`^${shard}$`));
  // For a minute, what it told last counts.
  await traffic.step(0);
  expect(await traffic.told()).toMatchObject({ spent_today: `${traffic.billed}` });
  expect(await pacerOf(env).alarms()).toEqual([]);
  const mean = others + (others + 30n) / 31n;
  await traffic.rest(MISSED_READINGS);
  expect(await traffic.told()).toMatchObject({ spent_today: `${mean}` });
  await evictDurableObject(pacerOf(env));
  answering("alarms", () => '[{"what":"refused","count":3}]');
  await traffic.step(0);
  expect(await traffic.told()).toMatchObject({ spent_today: `${mean}` });
  expect(await pacerOf(env).alarms()).toEqual([
    { what: "missing", place: shard },
    { what: "refused", count: 3 },
  ]);
  const { bids } = traffic;
  await traffic.until(20, 40, () => traffic.bids > bids);
  heal();
  await traffic.step(0);
  expect(await traffic.told()).toMatchObject({ spent_today: `${traffic.billed}` });
  expect(await pacerOf(env).alarms()).toEqual([{ what: "refused", count: 3 }]);
});

it("a total counts days with an object that cannot be read", async () => {
  await spending({ total: "0.05" });
  const heal = unreadable(/^2094-03-(14|19|22)\/07$/);
  for (const day of ["2094-03-19", "2094-03-22"]) {
    jump(day);
    await evictDurableObject(pacerOf(env));
    await traffic.rest(2);
    expect(Number((await traffic.told()).spent), day).toBeGreaterThan(0.7 * Number(traffic.billed));
  }
  heal();
  traffic.now += 3_600_000;
  await countsAll();
});

it("a pacer that has just started makes no shares while most objects of a day are silent", async () => {
  await pushBudget({ budget: { daily: "0.05" }, pacing: "asap" });
  const heal = unreadable(/^2094-03-13\/(0|1[0-6])/);
  await traffic.step(5);
  expect(await pacerOf(env).exchange(null)).toBe("");
  expect(await pacerOf(env).told()).toBeNull();
  heal();
  await traffic.step(5);
  expect(await pacerOf(env).exchange(null)).toMatch(/^\d+\nnumber \d+ \d+\n[0-9a-f]{16} 0\n$/);
});

it("a budget of the whole flight counts the days before, also those that only the summary knows", async () => {
  await spending({ total: "0.05" });
  expect(await traffic.told()).toMatchObject({ total: "50000000", spent: `${traffic.billed}` });
  for (const [day, isHandedOver] of [
    ["2094-03-19", false],
    ["2094-03-22", false],
    ["2094-03-22", true],
  ] as const) {
    jump(day);
    if (isHandedOver) await handOver();
    await evictDurableObject(pacerOf(env));
    await traffic.rest(2);
    expect(await traffic.told(), day).toMatchObject({ spent: `${traffic.billed}`, spent_today: "0" });
  }
  // The pacer goes on, reads the past again, and nothing counts twice.
  traffic.now += 3_600_000;
  await traffic.rest(2);
  expect((await traffic.told()).spent).toBe(`${traffic.billed}`);
});

it("a total counts what refused bills weigh, also when only the summary knows it", async () => {
  await spending({ total: "0.05" });
  let refused = null;
  for (let n = 0; refused === null && n < 400; n++) refused = await traffic.isolate.bid({ id: `refused-${n}` }, vars);
  if (refused === null) throw new Error("no bid");
  expect((await traffic.isolate.notice(refused.burl, {}, "GET", vars)).status).toBe(204);
  await traffic.rest(2);
  const spent = `${traffic.billed + BigInt(Math.round(refused.price * 1_000_000))}`;
  expect(await traffic.told()).toMatchObject({ spent });
  expect(await pacerOf(env).alarms()).toContainEqual(expect.objectContaining({ ssp: "demo", what: "refused" }));
  jump("2094-03-22");
  await handOver();
  await evictDurableObject(pacerOf(env));
  await traffic.rest(2);
  expect(await traffic.told()).toMatchObject({ spent, spent_today: "0" });
});

it("a clock that was set back over midnight counts nothing twice that an object still has and the summary too", async () => {
  await spending({ total: "0.05" });
  jump("2094-03-22");
  const { absorb } = Summary.prototype;
  vi.spyOn(Summary.prototype, "absorb").mockImplementation(async function (this: Summary, ...args) {
    await absorb.apply(this, args);
    throw new Error("the answer is lost");
  });
  await handOver();
  await traffic.rest(2);
  // The clock of the pacer is back on the day before, when the objects of the 14th still took bills.
  traffic.now = at("2094-03-21T23:00:00");
  await traffic.rest(2);
  traffic.now = at("2094-03-22T05:00:00");
  await traffic.rest(2);
  expect((await traffic.told()).spent).toBe(`${traffic.billed}`);
});

it("a silent summary holds back the budgets that need it, no others, and is named", async () => {
  answering("alarms", () => "[]");
  const { spent } = Summary.prototype;
  const mocked = vi.spyOn(Summary.prototype, "spent").mockRejectedValue(new Error("no such table"));
  await spending({ daily: "0.05" });
  expect(await pacerOf(env).alarms()).toEqual([]);
  jump("2094-03-22");
  await evictDurableObject(pacerOf(env));
  await pushBudget({ budget: { total: "0.05" }, pacing: "asap" });
  await traffic.step(0);
  expect(await traffic.told()).toMatchObject({
    share: 0,
    why: "past-unknown",
  });
  expect(await pacerOf(env).alarms()).toEqual([{ what: "missing", place: "summary" }]);
  mocked.mockImplementation(spent);
  traffic.now += 30_000;
  await countsAll();
  expect(await pacerOf(env).alarms()).toEqual([]);
});

it("a total that is added after weeks counts each bill once", async () => {
  await spending({ daily: "0.05" });
  // The pacer runs on, while the objects hand their totals over and fall out of what it reads.
  for (const day of ["2094-03-15", "2094-03-22", "2094-04-02"]) {
    jump(day);
    if (day === "2094-03-22") await handOver();
    await traffic.step(0);
  }
  await pushBudget({ budget: { total: "5" }, pacing: "asap" });
  // The ledger may need several ticks to answer, because all its objects have to start.
  for (let n = 0; n < 40 && (await traffic.told()).total === "0"; n++) await traffic.step(1, { bill: false });
  expect(await traffic.told()).toMatchObject({ total: "5000000000", spent: `${traffic.billed}` });
});

it("a total forgets no day while the summary is silent, however long", async () => {
  await spending({ total: "0.05" });
  jump("2094-03-19");
  await traffic.rest(2);
  const silent = vi.spyOn(Summary.prototype, "spent").mockRejectedValue(new Error("no answer"));
  for (const day of ["2094-03-22", "2094-03-30"]) {
    jump(day);
    if (day === "2094-03-22") await handOver();
    await traffic.rest(2);
    expect(await traffic.told(), day).toMatchObject({ spent: `${traffic.billed}` });
  }
  silent.mockRestore();
  traffic.now += 30_000;
  await countsAll();
});

it("a total that comes back holds its campaign back until the days without it are known", async () => {
  await spending({ daily: "5", total: "5" });
  await pushBudget({ budget: { daily: "5" }, pacing: "asap" });
  for (const day of ["2094-03-15", "2094-03-22"]) {
    jump(day);
    if (day === "2094-03-22") await handOver();
    await traffic.step(0);
  }
  const silent = vi.spyOn(Summary.prototype, "spent").mockRejectedValue(new Error("no answer"));
  await pushBudget({ budget: { daily: "5", total: "5" }, pacing: "asap" });
  for (let n = 0; n < 40 && (await traffic.told()).total === "0"; n++) await traffic.step(0);
  expect(await traffic.told()).toMatchObject({
    share: 0,
    why: "past-unknown",
  });
  silent.mockRestore();
  traffic.now += 30_000;
  await countsAll();
});

it("an order pays its campaign, with the share of the order", async () => {
  const orders = [{ id: "io-1", budget: { daily: "0.05" }, pacing: "asap" }];
  await pushBudget({ budget_of: "io-1" }, {}, { orders });
  await traffic.until(60, 10, () => traffic.bids > 5);
  await traffic.rest(2);
  const expected = { order: "io-1", members: ["acme-spring"], spent_today: `${traffic.billed}` };
  expect(await traffic.told()).not.toHaveProperty("cid");
  for (const id of [undefined, "io-1", "acme-spring"]) expect(await pacerOf(env).told(id)).toMatchObject([expected]);
  expect(await pacerOf(env).told("io-2")).toEqual([]);
});

it("without budgets there is no alarm, and a budget that goes away ends it", async () => {
  await pushBudget({});
  expect(await traffic.step(3)).toBe(3);
  expect(await alarm()).toBeNull();
  expect(await pacerOf(env).told()).toEqual([]);
  await pushBudget({ budget: { daily: "5" } });
  for (let n = 0; n < 8; n++) await traffic.step(1);
  expect(await alarm()).not.toBeNull();
  await pushBudget({});
  for (let n = 0; n < 8; n++) await traffic.step(1);
  expect(await alarm()).toBeNull();
  expect(await pacerOf(env).told()).toEqual([]);
});

it("the budgets of a second version count too, if its bids are sent", async () => {
  await pushBudget({});
  for (const [mode, bids] of [
    ["shadow", 0],
    ["split", 1],
  ] as const) {
    await pushBudget({ budget: { daily: "9000" }, pacing: "asap" }, { second: { mode, share: 100 } });
    for (let n = 0; n < 22; n++) await traffic.step(5);
    expect((await pacerOf(env).told()) ?? []).toHaveLength(bids);
  }
  // All requests are in the share of the second version.
  const { split = 0 } = traffic.isolate.counters.toJSON();
  await traffic.step(5);
  expect(traffic.isolate.counters.toJSON()).toMatchObject({ split: split + 5 });
  expect((await traffic.told()).share).toBeGreaterThan(0);
});

it("if the alarm is lost, the relay's calls tick", async () => {
  await pushBudget({ budget: { daily: "0.05" }, pacing: "asap" });
  await traffic.step(1);
  for (let n = 0; n < 20; n++) {
    await runInDurableObject(pacerOf(env), (_, { storage }) => storage.deleteAlarm());
    await traffic.step(10, { tick: false });
  }
  expect(traffic.bids).toBeGreaterThan(0);
});
