//! What the pacer reads of the ledger, with objects and a module that only note what they are asked.

import { beforeEach, expect, it } from "vitest";
import { ASKED_AT_ONCE, LEDGER_SHARDS, NOTICE_DAYS, READ_AT_ONCE } from "../../../shared/limits.ts";
import type { LedgerStub } from "../../src/ledger/shards.ts";
import type { Since } from "../../src/ledger/summary.ts";
import { Bills } from "../../src/pacing/bills.ts";
import type { PacingModule, Past } from "../../src/pacing/module.ts";

const TODAY = "2094-03-14";
const NOW = Date.parse(`${TODAY}T12:00:00Z`);
const MINUTE = 60_000;

/** The objects that were asked, and the most at the same time. */
let asked: string[];
let most: number;
/** Whether each was asked for everything, and of how many campaigns; undefined: of all. */
const wanted = new Map<string, [boolean, number | undefined]>();
/** The questions to the summary, and the objects that it then has. */
let slices: Since[][];
let absorbed: () => string[];
/** What the module was told. */
let told: [what: string, text: string][];

beforeEach(() => {
  [asked, most, slices, told] = [[], 0, [], []];
  absorbed = () => [];
});

let atOnce = 0;

async function spent(shard: string, [ack, , reader]: Parameters<LedgerStub["spent"]>) {
  asked.push(shard);
  // An object that has restarted does not know the reader.
  if (reader?.only === null) return { instance: "b", batch: 0, named: 0, whole: false, rows: "", isForgotten: true };
  wanted.set(shard, [ack === null, reader?.only?.length]);
  most = Math.max(most, ++atOnce);
  await new Promise((done) => setTimeout(done));
  atOnce--;
  return { instance: "a", batch: 1, named: 1, whole: true, rows: "0 0 0 1 5 5 0 USD\n" };
}

async function past(part: Since[]) {
  slices.push(part);
  const sums = part.map((_, at) => ({ at, ssp: "0b", cur: "USD", nanos: "7", bid: "7", held: "0" }));
  return { sums, places: absorbed() };
}

function bills(): Bills {
  const LEDGER = {
    getByName: (shard: string) => ({ spent: (...all: Parameters<LedgerStub["spent"]>) => spent(shard, all) }),
  };
  const module = {
    midnights: () => [],
    booked: (shard: string) => told.push(["booked", shard]),
    tell: (what: string, text: string) => told.push([what, text]),
  };
  return new Bills(
    { LEDGER, SUMMARY: { getByName: () => ({ spent: past }) } } as unknown as Env,
    module as unknown as PacingModule,
  );
}

const totals = (length: number): Past[] => Array.from({ length }, (_, n) => ({ campaign: `c${n}`, day: 0 }));
const days = () => [...new Set(asked.map((shard) => shard.slice(0, 10)))].sort();

it("asks few objects at once, and for old days only if a budget has a total", async () => {
  const one = bills();
  await one.pull(NOW, true);
  expect([days(), asked.length, most]).toEqual([["2094-03-13", TODAY], 2 * LEDGER_SHARDS, READ_AT_ONCE]);
  one.want(() => totals(1), NOW);
  expect(one.isComplete).toBe(false);
  await one.pull(NOW, true);
  expect(one.isComplete).toBe(true);
  expect(days()).toHaveLength(NOTICE_DAYS + 8);
  expect(most).toBeLessThanOrEqual(3 * READ_AT_ONCE);
});

it("forgets the days before yesterday if no budget has a total, and reads them again for the next one", async () => {
  const one = bills();
  await one.pull(NOW, true);
  await one.pull(NOW + 36 * 60 * MINUTE, true);
  const closed = told.filter(([what]) => what === "closed").map(([, shard]) => shard);
  expect(closed).toHaveLength(2 * LEDGER_SHARDS);
  expect(closed.every((shard) => shard < "2094-03-15")).toBe(true);
  asked = [];
  one.want(() => totals(1), NOW);
  await one.pull(NOW + 36 * 60 * MINUTE, true);
  expect(days()).toContain(TODAY);
  expect(one.isComplete).toBe(true);
});

it("reads old days for campaigns with a total only, and as a whole if there are more of them", async () => {
  const one = bills();
  const old = "2094-03-11/00";
  for (const [length, minutes, expected] of [
    [2, 0, [true, 2]],
    [2, 10, [false, 2]],
    [1, 20, [false, 2]],
    [3, 30, [true, 3]],
  ] as const) {
    one.want(() => totals(length), NOW + minutes * MINUTE);
    expect(one.isComplete).toBe(length < 3 && minutes > 0);
    await one.pull(NOW + minutes * MINUTE, true);
    expect([one.isComplete, wanted.get(`${TODAY}/00`)]).toEqual([true, [minutes === 0, undefined]]);
    expect(wanted.get(old)).toEqual(expected);
  }
});

it("asks the summary for some campaigns at a time, and again if it took an object's totals meanwhile", async () => {
  const one = bills();
  const all = 2 * ASKED_AT_ONCE + 1;
  one.want(() => totals(all), NOW);
  // It takes an object's totals after its second answer.
  absorbed = () => (slices.length > 2 ? ["2094-03-06/00", "2094-03-06/01"] : ["2094-03-06/00"]);
  await one.pull(NOW, true);
  const lengths = [ASKED_AT_ONCE, ASKED_AT_ONCE, 1];
  expect(slices.map(({ length }) => length)).toEqual([...lengths, ...lengths]);
  const lines =
    told
      .find(([what]) => what === "past")?.[1]
      .trimEnd()
      .split("\n") ?? [];
  expect(lines.slice(all)).toEqual(totals(all).map(({ campaign }) => `${campaign} 0 0b 7 7 0 USD`));
  expect(told.filter(([what, shard]) => what === "closed" && shard.startsWith("2094-03-06"))).toHaveLength(2);
});
