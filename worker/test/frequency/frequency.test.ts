//! One object of frequency caps: what it refuses, how windows slide, keys that are replaced, forgetting and expiry.

import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { Cap, Limited } from "../../../shared/frequency/decide.ts";
import { MAX_SUBJECTS, MAX_WAITING } from "../../../shared/limits.ts";
import type { Frequency, Sent } from "../../src/frequency/frequency.ts";
import { countersOf } from "../../src/frequency/objects.ts";
import { Tables } from "../../src/frequency/tables.ts";
import { at } from "../support/clock.ts";
import { sql } from "../support/objects.ts";

const HOUR = 3_600_000;
const [KEY, OTHER] = ["a1".repeat(16), "33".repeat(16)];
const START = Date.parse("2094-03-14T12:00:00Z");
/** How long a bid waits for its bill, in hours. */
const WAIT = 48;

let objects = 0;
let bids = 0;
let object: DurableObjectStub<Frequency>;

beforeEach(() => {
  at(START);
  object = env.FREQUENCY.getByName(`test/${objects++}`);
});

function limited(subject: string, ...caps: [n: number, per: Cap["per"]][]): Limited {
  return { subject, caps: caps.map(([n, per]) => ({ n, per })) };
}

/** A bid that counts at once, or when it is billed. */
const sent = (on: Sent["on"], ...subjects: Limited[]): Sent => ({
  bid: (bids++).toString(16).padStart(18, "0"),
  on,
  subjects,
});

/** The object learns of bids for a person. */
const bid = (of: Sent[], key = KEY) => object.bid(key, of, WAIT);
/** How often a person may still see each of these. */
const left = (of: Limited[], key = KEY) => object.left(key, of);
const rowsIn = async (table: string) => (await sql(object, `SELECT 1 FROM ${table}`)).length;

const [once, twice] = [limited("c1", [1, "day"]), limited("c1", [2, "day"])];

it("refuses a person at the cap of a subject, and no other person or subject", async () => {
  const thrice = limited("k1", [3, "day"]);
  for (let n = 0; n < 2; n++) {
    expect(await left([twice, thrice])).toEqual([2 - n, 3 - n]);
    await bid([sent("bid", twice, thrice)]);
  }
  expect(await left([twice, thrice])).toEqual([0, 1]);
  expect(await left([thrice, limited("c2", [1, "day"]), twice])).toEqual([1, 1, 0]);
  expect(await left([twice, thrice], OTHER)).toEqual([2, 3]);
});

it("a cap on bills counts a bid once when it is billed, however often that is told", async () => {
  const waiting = sent("bill", once);
  await bid([waiting, sent("bill", once)]);
  expect(await left([once])).toEqual([1]);
  await Promise.all([object.bill(waiting.bid), object.bill(waiting.bid)]);
  await object.bill(waiting.bid);
  expect(await left([once])).toEqual([0]);
  await object.bill("ff".repeat(9));
  expect(await left([twice])).toEqual([1]);
});

it("a bill that comes before its bid counts when the bid comes, once: seed 9 of the simulator", async () => {
  const early = sent("bill", twice);
  await object.bill(early.bid);
  for (let time = 0; time < 2; time++) await bid([early]);
  expect(await left([twice])).toEqual([1]);
  // The bid is told again after its bill, because the first answer was lost.
  const again = sent("bill", twice);
  await bid([again]);
  await object.bill(again.bid);
  await bid([again]);
  await object.bill(again.bid);
  expect(await left([limited("c1", [3, "day"])])).toEqual([1]);
});

it.each([
  ["hour", HOUR, HOUR + 300_000],
  ["day", 24 * HOUR, 25 * HOUR],
  ["week", 7 * 24 * HOUR, 7 * 24 * HOUR + 6 * HOUR],
  ["lifetime", 179 * 24 * HOUR, 181 * 24 * HOUR],
] as const)("a window of a %s slides", async (per, within, behind) => {
  const cap = limited("c1", [1, per]);
  const start = at(START + 17_000);
  await bid([sent("bid", cap)]);
  at(start + within - 1000);
  expect(await left([cap])).toEqual([0]);
  at(start + behind);
  expect(await left([cap])).toEqual([1]);
});

it("the key chooses the object", () => {
  const keys = ["0041".padEnd(32, "0"), "ffff".padEnd(32, "0")];
  expect(countersOf(keys)).toEqual([
    { key: keys[0], object: 1 },
    { key: keys[1], object: 63 },
  ]);
});

it("forgets a person, and what waits for a bill", async () => {
  const cap = limited("c1", [1, "lifetime"]);
  const waiting = sent("bill", cap);
  await bid([sent("bid", cap), waiting]);
  await bid([sent("bid", cap)], OTHER);
  expect(await object.forget(KEY)).toBe(2);
  await object.bill(waiting.bid);
  expect([await left([cap]), await left([cap], OTHER)]).toEqual([[1], [0]]);
  expect(await object.forget(KEY)).toBe(0);
});

it("keeps a bounded number of rows for one person, and refuses what it could not count", async () => {
  const cap = (n: number) => limited(`c${n}`, [5, "day"]);
  await bid([sent("bid", ...Array.from({ length: MAX_SUBJECTS + 10 }, (_, n) => cap(n)))]);
  expect(await rowsIn("seen")).toBe(MAX_SUBJECTS);
  const some = [cap(0), cap(MAX_SUBJECTS + 1)];
  expect([await left(some), await left(some, OTHER)]).toEqual([
    [4, 0],
    [5, 5],
  ]);
});

it("if it has too many rows, counts go on, and what it does not count yet is refused until rows expire", async () => {
  // Estimated from the people whose keys begin with 00.
  const people = ["00", "01", "ff"].map((byte) => byte.repeat(16));
  for (const key of people) await bid([sent("bid", twice)], key);
  await runInDurableObject(object, (_, { storage }) => {
    const [now, other] = [START / 1000, limited("c2", [9, "day"])];
    const [known = "", , third = ""] = people;
    const leftIn = (tables: Tables) =>
      [
        [twice, known],
        [other, known],
        [twice, KEY],
        [other, third],
      ].map(([subject, key]) => tables.left(key as string, subject as Limited, now));
    expect(leftIn(new Tables(storage.sql, 257))).toEqual([1, 9, 2, 9]);
    const full = new Tables(storage.sql, 256);
    expect(leftIn(full)).toEqual([1, 0, 0, 0]);
    full.count(
      known,
      [
        ["c1", 86_400],
        ["c2", 86_400],
      ],
      now,
    );
    expect(leftIn(full)).toEqual([0, 0, 0, 0]);
    expect(full.expire(now, 1000)).toBe(0);
    expect(leftIn(full)).toEqual([0, 0, 0, 0]);
    expect(full.forget(known)).toBe(1);
    expect(leftIn(full)).toEqual([2, 9, 2, 9]);
    // Each new row counts until the next estimate.
    const nearly = new Tables(storage.sql, 1);
    nearly.count(known, [["c1", 60]], now);
    expect(leftIn(nearly)).toEqual([1, 0, 0, 0]);
    expect(nearly.expire(now + 61, 1000)).toBe(1);
    expect(leftIn(nearly)).toEqual([2, 9, 2, 9]);
  });
});

it("a person with many bids that nobody bills gets no more of campaigns with caps for some hours", async () => {
  const bids = Array.from({ length: MAX_WAITING + 10 }, () => sent("bill", twice));
  for (const one of bids) await bid([one]);
  expect(await rowsIn("pending")).toBe(MAX_WAITING);
  expect([await left([twice]), await left([twice], OTHER)]).toEqual([[0], [2]]);
  await object.bill(bids[0]?.bid ?? "");
  expect(await left([twice])).toEqual([1]);
  await bid([sent("bill", twice)]);
  expect(await left([twice])).toEqual([0]);
  await runDurableObjectAlarm(object);
  expect(await left([twice])).toEqual([1]);
});

it("the alarm deletes what has expired, and stops when nothing is left", async () => {
  await bid([sent("bid", limited("c1", [1, "hour"])), sent("bill", limited("c1", [1, "week"]))]);
  const rows = async () => [await rowsIn("seen"), await rowsIn("pending")];
  expect(await rows()).toEqual([1, 1]);
  at(START + 2 * HOUR);
  expect(await runDurableObjectAlarm(object)).toBe(true);
  expect(await rows()).toEqual([0, 1]);
  at(START + 49 * HOUR);
  expect(await runDurableObjectAlarm(object)).toBe(true);
  expect(await rows()).toEqual([0, 0]);
  expect(await runDurableObjectAlarm(object)).toBe(false);
});

it("writes one row for a bid that waits, two for its bill, and one for each bid that counts at once", async () => {
  const cap = limited("c1", [1000, "day"]);
  const waiting = sent("bill", cap);
  const written: number[] = [];
  for (const act of [
    () => bid([waiting]),
    () => object.bill(waiting.bid),
    () => bid([sent("bid", cap)]),
    () => left([cap]),
  ]) {
    const before = await object.rowsWritten();
    await act();
    written.push((await object.rowsWritten()) - before);
  }
  expect(written).toEqual([1, 2, 1, 0]);
});
