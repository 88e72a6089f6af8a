//! One object of frequency caps: what it refuses, how windows slide, keys that are replaced, forgetting and expiry.

import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { Sent } from "../../src/frequency/frequency.ts";
import { placesOf } from "../../src/frequency/places.ts";
import { FORMER_OBJECTS_UNTIL, MAX_SUBJECTS, MAX_WAITING } from "../../src/limits.ts";
import type { Cap, Limited } from "../../src/wasm/answers.ts";
import { at } from "../support/clock.ts";

const HOUR = 3_600_000;
const [KEY, OTHER] = ["a1".repeat(16), "33".repeat(16)];

let objects = 0;
const fresh = () => env.FREQUENCY.getByName(`test/${objects++}`);

function limited(subject: string, ...caps: [n: number, per: Cap["per"]][]): Limited {
  return { subject, caps: caps.map(([n, per]) => ({ n, per })) };
}

let bids = 0;
const sent = (on: Sent["on"], ...subjects: Limited[]): Sent => ({
  bid: (bids++).toString(16).padStart(18, "0"),
  on,
  subjects,
});

const START = Date.parse("2094-03-14T12:00:00Z");

it("refuses a person at the cap of a subject, and no other person or subject", async () => {
  at(START);
  const [object, twice] = [fresh(), limited("c1", [2, "day"])];
  const thrice = limited("k1", [3, "day"]);
  for (let n = 0; n < 2; n++) {
    expect(await object.left(KEY, [twice, thrice])).toEqual([2 - n, 3 - n]);
    await object.bid(KEY, [sent("bid", twice, thrice)], 48);
  }
  expect(await object.left(KEY, [twice, thrice])).toEqual([0, 1]);
  expect(await object.left(KEY, [thrice, limited("c2", [1, "day"]), twice])).toEqual([1, 1, 0]);
  expect(await object.left(OTHER, [twice, thrice])).toEqual([2, 3]);
});

it("a cap on bills counts a bid once when it is billed, however often that is told", async () => {
  at(START);
  const [object, once] = [fresh(), limited("c1", [1, "day"])];
  const bid = sent("bill", once);
  await object.bid(KEY, [bid, sent("bill", once)], 48);
  expect(await object.left(KEY, [once])).toEqual([1]);
  await Promise.all([object.bill(bid.bid), object.bill(bid.bid)]);
  await object.bill(bid.bid);
  expect(await object.left(KEY, [once])).toEqual([0]);
  expect(await object.left(KEY, [limited("c1", [2, "day"])])).toEqual([1]);
  await object.bill("ff".repeat(9));
  expect(await object.left(KEY, [limited("c1", [2, "day"])])).toEqual([1]);
});

it("a bill that comes before its bid counts when the bid comes, once: seed 9 of the simulator", async () => {
  at(START);
  const [object, twice] = [fresh(), limited("c1", [2, "day"])];
  const bid = sent("bill", twice);
  await object.bill(bid.bid);
  for (let time = 0; time < 2; time++) await object.bid(KEY, [bid], 48);
  expect(await object.left(KEY, [twice])).toEqual([1]);
  // The bid is told again after its bill, because the first answer was lost.
  const other = sent("bill", twice);
  await object.bid(KEY, [other], 48);
  await object.bill(other.bid);
  await object.bid(KEY, [other], 48);
  await object.bill(other.bid);
  expect(await object.left(KEY, [limited("c1", [3, "day"])])).toEqual([1]);
});

it.each([
  ["hour", HOUR, HOUR + 300_000],
  ["day", 24 * HOUR, 25 * HOUR],
  ["week", 7 * 24 * HOUR, 7 * 24 * HOUR + 6 * HOUR],
  ["lifetime", 179 * 24 * HOUR, 181 * 24 * HOUR],
] as const)("a window of a %s slides", async (per, within, behind) => {
  const [object, cap] = [fresh(), limited("c1", [1, per])];
  at(START + 17_000);
  await object.bid(KEY, [sent("bid", cap)], 48);
  at(START + 17_000 + within - 1000);
  expect(await object.left(KEY, [cap])).toEqual([0]);
  at(START + 17_000 + behind);
  expect(await object.left(KEY, [cap])).toEqual([1]);
});

it("the key chooses the object, and the former object is read until its counts have expired", () => {
  const keys = ["0041".padEnd(32, "0"), "ffff".padEnd(32, "0")];
  const own = [
    { key: keys[0], object: 1 },
    { key: keys[1], object: 63 },
  ];
  expect(placesOf({ keys, object: 7 }, FORMER_OBJECTS_UNTIL)).toEqual(own);
  const former = keys.map((key) => ({ key, object: 7 }));
  expect(placesOf({ keys, object: 7 }, FORMER_OBJECTS_UNTIL - 1)).toEqual([...own, ...former]);
  expect(placesOf({ keys, object: 63 }, FORMER_OBJECTS_UNTIL - 1)).toEqual([...own, { key: keys[0], object: 63 }]);
});

it("forgets a person, and what waits for a bill", async () => {
  at(START);
  const [object, once] = [fresh(), limited("c1", [1, "lifetime"])];
  const waiting = sent("bill", once);
  await object.bid(KEY, [sent("bid", once), waiting], 48);
  await object.bid(OTHER, [sent("bid", once)], 48);
  expect(await object.forget(KEY)).toBe(2);
  await object.bill(waiting.bid);
  expect(await object.left(KEY, [once])).toEqual([1]);
  expect(await object.left(OTHER, [once])).toEqual([0]);
  expect(await object.forget(KEY)).toBe(0);
});

it("keeps a bounded number of rows for one person, and refuses what it could not count", async () => {
  at(START);
  const [object, cap] = [fresh(), (n: number) => limited(`c${n}`, [5, "day"])];
  const many = Array.from({ length: MAX_SUBJECTS + 10 }, (_, n) => cap(n));
  await object.bid(KEY, [sent("bid", ...many)], 48);
  const rows = await runInDurableObject(object, (_, { storage }) => {
    return storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM seen").one().n;
  });
  expect(rows).toBe(MAX_SUBJECTS);
  expect(await object.left(KEY, [cap(0), cap(MAX_SUBJECTS + 1)])).toEqual([4, 0]);
  expect(await object.left(OTHER, [cap(0), cap(MAX_SUBJECTS + 1)])).toEqual([5, 5]);
});

it("a person with many bids that nobody bills gets no more of campaigns with caps for some hours", async () => {
  at(START);
  const [object, cap] = [fresh(), limited("c1", [2, "day"])];
  const bids = Array.from({ length: MAX_WAITING + 10 }, () => sent("bill", cap));
  for (const bid of bids) await object.bid(KEY, [bid], 48);
  const rows = () =>
    runInDurableObject(object, (_, { storage }) => {
      return storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM pending").one().n;
    });
  expect(await rows()).toBe(MAX_WAITING);
  expect([await object.left(KEY, [cap]), await object.left(OTHER, [cap])]).toEqual([[0], [2]]);
  await object.bill(bids[0]?.bid ?? "");
  expect(await object.left(KEY, [cap])).toEqual([1]);
  await object.bid(KEY, [sent("bill", cap)], 48);
  expect(await object.left(KEY, [cap])).toEqual([0]);
  await runDurableObjectAlarm(object);
  expect(await object.left(KEY, [cap])).toEqual([1]);
});

it("the alarm deletes what has expired, and stops when nothing is left", async () => {
  at(START);
  const object = fresh();
  await object.bid(KEY, [sent("bid", limited("c1", [1, "hour"])), sent("bill", limited("c1", [1, "week"]))], 48);
  const left = () =>
    runInDurableObject(object, (_, { storage }) =>
      ["seen", "pending"].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray().length),
    );
  expect(await left()).toEqual([1, 1]);
  at(START + 2 * HOUR);
  expect(await runDurableObjectAlarm(object)).toBe(true);
  expect(await left()).toEqual([0, 1]);
  at(START + 49 * HOUR);
  expect(await runDurableObjectAlarm(object)).toBe(true);
  expect(await left()).toEqual([0, 0]);
  expect(await runDurableObjectAlarm(object)).toBe(false);
});

it("writes one row for a bid that waits, two for its bill, and one for each bid that counts at once", async () => {
  at(START);
  const [object, cap] = [fresh(), limited("c1", [1000, "day"])];
  const written = async (act: () => Promise<unknown>) => {
    const before = await object.rowsWritten();
    await act();
    return (await object.rowsWritten()) - before;
  };
  const bid = sent("bill", cap);
  expect(await written(() => object.bid(KEY, [bid], 48))).toBe(1);
  expect(await written(() => object.bill(bid.bid))).toBe(2);
  expect(await written(() => object.bid(KEY, [sent("bid", cap)], 48))).toBe(1);
  expect(await written(() => object.left(KEY, [cap]))).toBe(0);
});
