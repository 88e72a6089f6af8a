//! The isolate's exchange with a relay: when it runs, what becomes of counts, and where shares come from.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach, expect, it, vi } from "vitest";
import { RELAYS } from "../../../shared/limits.ts";
import { Counters } from "../../../shared/telemetry/counters.ts";
import { type Paced, type PacingEnv, PacingExchange } from "../../src/pacing/exchange.ts";
import { at } from "../support/clock.ts";
import { text } from "../support/fixtures.ts";

/** Counts one bid for each decision, and shows the shares that it has then. */
class Campaign implements Paced {
  budgets = 1;
  readonly ssps: string[] = [];
  shares: Uint8Array | null = null;
  #bids = 0;

  get isPaced(): boolean {
    return this.budgets > 0;
  }

  useShares(shares: Uint8Array | null): void {
    this.shares = shares;
  }

  takeCounts(now: number): Uint8Array | null {
    if (this.#bids === 0) return null;
    const counts = `${now} 0\n${this.#bids}\n`;
    this.#bids = 0;
    return new TextEncoder().encode(counts);
  }

  decide(): string | null {
    this.#bids++;
    return this.shares && text(this.shares);
  }
}

/** What the relays got, by name, and what they answer. */
let asked: { name: string; hint: unknown; counts: string | null }[];
let answer: () => Promise<string>;
let stored: () => Promise<string | null>;
let reads: number;
let exchange: PacingExchange;
let counters: Counters;
let bidder: Campaign;
let now: number;

const vars = {
  RELAY: {
    getByName: (name: string, { locationHint: hint }: { locationHint: string }) => ({
      exchange: (counts: string | null) => {
        asked.push({ name, hint, counts });
        return answer();
      },
    }),
  },
  CATALOG: {
    get: (key: string) => {
      expect(key).toBe("pacing");
      reads++;
      return stored();
    },
  },
} as unknown as PacingEnv;

const failing = (why: string) => () => Promise.reject(new Error(why));

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  now = at("2094-03-14T12:00");
  asked = [];
  reads = 0;
  answer = async () => `${now}\n`;
  stored = async () => null;
  counters = new Counters();
  exchange = new PacingExchange(counters, 1);
  bidder = new Campaign();
});

/** One request, and the work after its answer. Returns the shares that the decision had. */
async function serve(by = bidder, isServing = true, continent?: string): Promise<string | null> {
  const ctx = createExecutionContext();
  const cf = continent === undefined ? undefined : { continent };
  exchange.use(by, isServing, { cf } as Request, vars, ctx);
  const seen = by.decide();
  await waitOnExecutionContext(ctx);
  return seen;
}

/** One request after so many seconds. */
function after(seconds: number): Promise<string | null> {
  now = at(now + seconds * 1000);
  return serve();
}

/** The counts that the relays got. */
const got = () => asked.map(({ counts }) => counts);
const state = () => exchange.state(bidder);

it("exchanges at once with the first request, and again after a while", async () => {
  expect(await serve()).toBeNull();
  const first = `${now}\n`;
  // The first exchange began before the decision.
  expect(got()).toEqual([null, `${now} 0\n1\n`]);
  expect(await after(5)).toBe(first);
  expect(asked.map(({ counts }) => counts).slice(2)).toEqual([`${now} 0\n1\n`]);
  expect(new Set(asked.map(({ name }) => name)).size).toBe(1);
  expect(await serve()).toBe(`${now}\n`);
});

it("costs nothing without budgets", async () => {
  bidder.budgets = 0;
  await serve();
  expect([asked, reads, state(), exchange.state(undefined)]).toEqual([[], 0, null, null]);
});

it("a new version has the shares before its first decision, and the old one's counts are not lost", async () => {
  const [old, next] = [new Campaign(), new Campaign()];
  await serve(old);
  const ctx = createExecutionContext();
  exchange.use(old, true, new Request("https://bidder.test"), vars, ctx);
  old.decide();
  exchange.use(next, true, new Request("https://bidder.test"), vars, ctx);
  expect(next.decide()).toBe(`${now}\n`);
  await waitOnExecutionContext(ctx);
  expect(asked.at(-1)?.counts).toBe(`${now} 0\n1\n${now} 0\n1\n`);
});

it("the counts of a shadow are thrown away, and it has the same shares", async () => {
  const [first, shadow] = [new Campaign(), new Campaign()];
  await serve(first);
  asked = [];
  expect(await serve(shadow, false)).toBe(`${now}\n`);
  expect(asked).toMatchObject([{ counts: null }]);
  expect(shadow.takeCounts(now)).toBeNull();
});

it.each([
  ["EU", "weur"],
  ["OC", "oc"],
  ["T1", "enam"],
  [undefined, "enam"],
])("an isolate in %s asks a relay in %s", async (continent, region) => {
  await serve(new Campaign(), true, continent);
  const [{ name = "", hint } = {}] = asked;
  expect([name.split("/")[0], hint]).toEqual([region, region]);
  expect(Number(name.split("/")[1])).toBeLessThan(RELAYS);
});

it("after a failure it asks another relay with the same counts, and tells the operator", async () => {
  await serve();
  asked = [];
  let failures = 1;
  answer = async () => {
    if (failures-- > 0) throw new Error("overloaded");
    return `${now}\n`;
  };
  await serve();
  expect(got()).toEqual([`${now} 0\n1\n`, `${now} 0\n1\n`]);
  expect(asked[0]?.name).not.toBe(asked[1]?.name);
  expect(state()).toEqual({ budgets: 1, pairs: 3, age: 0, exchanged: 0, failure: null });
  failures = 2;
  await after(7);
  expect(counters.toJSON()).toEqual({ "pacing-lost": 1 });
  expect(state()).toMatchObject({ age: 7, exchanged: 7, failure: expect.stringContaining("overloaded") });
});

it("a relay that never answers holds nothing up for long", async () => {
  const { setTimeout } = globalThis;
  const faster = (work: () => void, ms = 0) => setTimeout(work, ms / 100);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(faster as typeof setTimeout);
  answer = () => new Promise(() => {});
  await serve();
  expect(state()).toMatchObject({ exchanged: null, failure: expect.stringContaining("no answer in") });
});

it("without a relay, the shares come from KV, at the start and each half minute", async () => {
  answer = failing("gone");
  stored = async () => `${now - 3000}\n`;
  await serve();
  expect(reads).toBe(1);
  const first = `${now - 3000}\n`;
  expect(await after(29)).toBe(first);
  expect(reads).toBe(1);
  await after(1);
  expect(reads).toBe(2);
  // Those of a relay replace them, even if they are older: it may have them from a pacer that KV has not heard of.
  const old = `${now - 9000}\n`;
  answer = async () => old;
  await serve();
  expect(await serve()).toBe(old);
  // From now on only newer ones count.
  answer = async () => `${now - 70_000}\n`;
  await after(5);
  expect(await serve()).toBe(old);
  answer = async () => `${now - 9000}\n`;
  await after(60);
  expect([await serve(), reads]).toEqual([`${now - 9000}\n`, 2]);
});

it("shares that somebody forged in KV end with the first answer of a relay", async () => {
  answer = failing("gone");
  stored = async () => `${now + 5000}\nnumber 99999999999999999\n00ff 4294967295\n`;
  await serve();
  const forged = await serve();
  expect(forged).toMatch(new RegExp(`^${now}\n`));
  answer = async () => `${now}\nnumber 7 2000\n00ff 5\n`;
  await after(5);
  expect(await serve()).toBe(`${now - 2000}\nnumber 7 2000\n00ff 5\n`);
});

it("shares in KV from the future buy nothing, because nobody knows how old they are", async () => {
  answer = failing("gone");
  const future = now + 7_200_000;
  stored = async () => `${future}\nnumber 7\n00ff 4294967295\n`;
  await serve();
  for (let n = 0; n < 4; n++) expect(await after(31)).toBeNull();
  expect(reads).toBe(5);
});

it("after its clock was set back, it asks a relay again how old the shares are, and has none until then", async () => {
  const shares = (age: number) => `${now}\nnumber 7 ${age}\n00ff 5\n`;
  answer = async () => shares(2000);
  await serve();
  expect(await after(60)).not.toBeNull();
  answer = failing("gone");
  expect(await after(-3600)).toBeNull();
  answer = async () => shares(70_000);
  expect(await after(5)).toBeNull();
  expect(await serve()).toBe(`${now - 70_000}\nnumber 7 70000\n00ff 5\n`);
});

it("an age is measured by its own clock: the pacer's may be set back, and its own be wrong", async () => {
  const hour = 3_600_000;
  answer = async () => `${now + hour}\nnumber 7 2000\n00ff 5\n`;
  await serve();
  expect(await serve()).toBe(`${now - 2000}\nnumber 7 2000\n00ff 5\n`);
  expect(state()).toMatchObject({ age: 2 });
  answer = async () => `${now - hour}\nnumber 8 1000\n00ff 6\n`;
  await after(5);
  expect(await serve()).toBe(`${now - 1000}\nnumber 8 1000\n00ff 6\n`);
  // The same shares again are no newer, whatever age a relay tells.
  answer = async () => `${now}\nnumber 8 0\n00ff 6\n`;
  await after(30);
  expect(state()).toMatchObject({ age: 31 });
});

it("a relay's younger shares replace older ones, even if the number of several pacers has fallen", async () => {
  answer = async () => `${now}\nnumber 9 0\n00ff 5\n`;
  await serve();
  answer = async () => `${now}\nnumber 8 0\n00ff 6\n`;
  await after(10);
  expect(await serve()).toMatch("00ff 5");
  await after(5);
  expect(await serve()).toMatch("00ff 6");
});

it("a failing KV, an empty store and a relay without shares leave the old shares", async () => {
  await serve();
  const first = `${now}\n`;
  answer = async () => "";
  stored = failing("KV is down");
  await after(60);
  answer = failing("gone");
  for (stored of [async () => null, async () => "nonsense"]) await after(60);
  expect(await after(60)).toBe(first);
  expect(reads).toBeGreaterThan(2);
  expect(state()).toMatchObject({ age: 240 });
});

it("after idle minutes, the first request has new shares fetched at once, and only once", async () => {
  exchange = new PacingExchange(counters);
  const use = () => exchange.use(bidder, true, new Request("https://bidder.test"), vars, createExecutionContext());
  use();
  await exchange.caughtUp();
  asked = [];
  now = at(now + 180_000);
  use();
  use();
  // The requests that caused it still have the old shares.
  expect(bidder.decide()).toBe(`${now - 180_000}\n`);
  await exchange.caughtUp();
  expect(asked).toHaveLength(1);
  use();
  expect(bidder.decide()).toBe(`${now}\n`);
  expect(asked).toHaveLength(1);
});

it("while no relay answers, requests do not ask again and again", async () => {
  exchange = new PacingExchange(counters);
  const use = () => exchange.use(bidder, true, new Request("https://bidder.test"), vars, createExecutionContext());
  answer = failing("gone");
  for (let n = 0; n < 100; n++, now = at(now + 100)) {
    use();
    await exchange.caughtUp();
  }
  expect(asked).toHaveLength(2);
});
