//! A relay adds up the counts of isolates, and loses none while the pacer is away.

import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { PacingModule } from "../../src/pacing/module.ts";
import { pacerOf, relayOf } from "../../src/pacing/objects.ts";
import { Pacer } from "../../src/pacing/pacer.ts";
import type { Parcel } from "../../src/pacing/relay.ts";
import { at } from "../support/clock.ts";

const CAMPAIGN = "00000000000000c1";
const SSP = "00000000000000d1";
const counts = (since: number, bids: number) =>
  `${since} 5\n${CAMPAIGN} ${SSP} ${10 * bids} ${bids} 0 ${1000 * bids}\n`;
const relay = () => relayOf(env, 1, 3);

let now: number;
let parcels: Parcel[];
let answer: () => Promise<string>;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await reset();
  now = at("2094-03-14T12:00:00");
  parcels = [];
  answer = async () => `${now}\n`;
  vi.spyOn(Pacer.prototype, "exchange").mockImplementation(async (parcel) => {
    if (parcel !== null) parcels.push(parcel);
    return answer();
  });
});

/** Moves the clock by seconds. */
function later(seconds: number): void {
  now += seconds * 1000;
  at(now);
}

/** The relay's shares without the line that has their number and age. */
async function asked(counts: string | null): Promise<string> {
  return (await relay().exchange(counts)).replace(/number .*\n/, "");
}

/** Calls until the relay has the shares that are made now: it asks the pacer behind its answer. */
async function settled(): Promise<void> {
  await relay().exchange(null);
  await vi.waitFor(async () => expect(await asked(null)).toBe(`${now}\n`));
}

/** Waits until the pacer has got this many parcels. */
const sent = (count: number) => vi.waitFor(() => expect(parcels).toHaveLength(count));

it("adds up the counts of five seconds, and passes them on once", async () => {
  const first = `${now}\n`;
  expect(await asked(null)).toBe(first);
  for (const bids of [1, 2, 3]) expect(await asked(counts(100 - bids, bids))).toBe(first);
  expect(parcels).toEqual([]);
  later(5);
  expect(await asked(counts(100, 4))).toBe(first);
  await settled();
  expect(parcels.map(({ counts }) => counts)).toEqual([`97 5\ncalls=4\n${CAMPAIGN} ${SSP} 100 10 0 10000\n`]);
  later(5);
  await settled();
  expect(parcels).toHaveLength(1);
});

it("while the pacer is away, it answers at once with old shares, and then sends everything once", async () => {
  const first = `${now}\n`;
  expect(await asked(null)).toBe(first);
  answer = async () => Promise.reject(new Error("gone"));
  for (let n = 1; n <= 3; n++) {
    later(5);
    expect(await asked(counts(n, n))).toBe(first);
    await sent(n);
  }
  // The parcel of the first attempt is sent again as it was, so that the pacer can recognise it.
  expect(new Set(parcels.map((parcel) => JSON.stringify(parcel))).size).toBe(1);
  answer = async () => `${now}\n`;
  later(5);
  await settled();
  later(5);
  await settled();
  const [one, two] = [...new Map(parcels.map((parcel) => [parcel.number, parcel.counts])).values()];
  expect(one).toBe(counts(1, 1).replace("\n", "\ncalls=1\n"));
  // Calls without counts count too, because they get shares.
  expect(Number(/calls=(\d+)/.exec(two ?? "")?.[1])).toBeGreaterThanOrEqual(3);
  expect(two?.replace(/calls=.*\n/, "")).toBe(`2 5\n${CAMPAIGN} ${SSP} 50 5 0 5000\n`);
});

it("without any shares, the first caller waits a little, and gets an empty text", async () => {
  answer = () => new Promise(() => {});
  const began = performance.now();
  expect(await asked(null)).toBe("");
  expect(performance.now() - began).toBeGreaterThan(500);
  expect(performance.now() - began).toBeLessThan(5000);
});

it("keeps newer shares than those of a pacer that has just started", async () => {
  const first = `${now}\n`;
  await settled();
  let count = 0;
  for (const old of ["", `${now - 1000}\n`]) {
    answer = async () => old;
    later(5);
    await relay().exchange(counts(1, 1));
    await sent(++count);
    expect(await asked(null)).toBe(first);
  }
});

it("orders shares by their number, and tells their age by its own clock, whatever the pacer's clock says", async () => {
  const hour = 3_600_000;
  answer = async () => `${now + hour}\nnumber 7 1500\n`;
  await vi.waitFor(async () => expect(await relay().exchange(null)).toBe(`${now + hour}\nnumber 7 1500\n`));
  // The pacer's clock is set back.
  answer = async () => `${now - hour}\nnumber 8 20\n`;
  later(5);
  const old = `${now - 5000 + hour}\nnumber 7 6500\n`;
  expect(await relay().exchange(null)).toBe(old);
  await vi.waitFor(async () => expect(await relay().exchange(null)).toBe(`${now - hour}\nnumber 8 20\n`));
  // Older shares that come late are left out.
  answer = async () => `${now + hour}\nnumber 7 90\n`;
  later(5);
  await relay().exchange(counts(1, 1));
  await sent(1);
  expect(await relay().exchange(null)).toMatch(/\nnumber 8 5020\n$/);
});

it("after its clock was set back, it tells no shares until the pacer says how old they are", async () => {
  const shares = `${now}\nnumber 7 20\n`;
  answer = async () => shares;
  await vi.waitFor(async () => expect(await relay().exchange(null)).toBe(shares));
  answer = () => Promise.reject(new Error("gone"));
  later(90);
  expect(await relay().exchange(null)).toBe(`${now - 90_000}\nnumber 7 90020\n`);
  later(-3600);
  expect(await relay().exchange(null)).toBe("");
  answer = async () => shares.replace(" 20", " 95020");
  later(5);
  await vi.waitFor(async () => expect(await relay().exchange(null)).toMatch(/\nnumber 7 95020\n$/));
});

it("the pacer takes a parcel once, although it comes twice", async () => {
  vi.mocked(Pacer.prototype.exchange).mockRestore();
  const told = vi.spyOn(PacingModule.prototype, "tell");
  const parcel = { relay: "a", number: 0, counts: counts(1, 1) };
  for (const one of [parcel, parcel, { ...parcel, number: 1 }, { ...parcel, relay: "b" }]) {
    await pacerOf(env).exchange(one);
  }
  expect(told.mock.calls.filter(([what]) => what === "report")).toHaveLength(3);
});

it("after idle minutes, the first caller gets new shares", async () => {
  expect(await asked(null)).toBe(`${now}\n`);
  later(180);
  expect(await asked(null)).toBe(`${now}\n`);
});
