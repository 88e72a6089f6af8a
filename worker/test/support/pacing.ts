//! A campaign with a budget in the real objects: an isolate, a relay, the pacer and the ledger, on a clock that the test
//! moves. Every bid wins, and its notice comes at once or later.

import { reset, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { BudgetState } from "../../../shared/pacing/budgets.ts";
import { ledgerAt, shardsOf } from "../../src/ledger/shards.ts";
import { pacerOf } from "../../src/pacing/objects.ts";
import { example, NO_URLS, simpleWith } from "./catalogs.ts";
import { at } from "./clock.ts";
import { text } from "./fixtures.ts";
import { type Bid, bidsIn, filled, Isolate, NOTICE_KEYS, type Started } from "./isolate.ts";
import { pushed } from "./kv.ts";

/** Keys for notices, an operator and no queue of events. */
export const vars = { NOTICE_KEYS, OPERATOR: "anybody", EVENTS: { sendBatch: async () => {} } };

/**
 * Pushes a catalog whose only campaign that bids on the request has these attributes. Its `max_cpm` is 1.80 dollars.
 * `whole` are attributes of the catalog.
 */
export function pushBudget(more: object, options: Parameters<typeof pushed>[1] = {}, whole: object = {}) {
  const document = JSON.parse(text(example({ spring: { ...NO_URLS, ...more } })));
  const campaigns = document.campaigns.filter(({ cid }: { cid: string }) => cid === "acme-spring");
  return pushed({ ...document, ...whole, campaigns }, options);
}

/** A traffic of requests, in steps of five seconds. */
export class Traffic {
  isolate = new Isolate();
  /** The bids so far. */
  bids = 0;
  /** The price of all billed bids in nanos. */
  billed = 0n;
  now: number;
  /** The prices of the bids, in dollars per mille. */
  prices: number[] = [];
  /** The highest price of another bidder; dearer bids win. */
  rival = 0;
  /** What the exchange says in a loss notice about that price. */
  minToWin = () => `${this.rival}`;
  /** The bindings and variables of the isolate. */
  vars: object = vars;
  #requests = 0;
  readonly #settling: Promise<void>[] = [];
  #open: Bid[] = [];

  constructor(start: string) {
    this.now = at(start);
  }

  /** Moves the clock, sends requests, bills the bids, and ticks. Returns how many bids there were. */
  async step(requests: number, { bill = true, tick = true } = {}): Promise<number> {
    this.now = at(this.now + 5000);
    const started: Started[] = [];
    for (let n = 0; n < requests; n++) {
      started.push(await this.isolate.answer(simpleWith({ id: `request-${this.#requests++}` }), this.vars));
    }
    for (const { settle } of started) await settle();
    const answered = started.map(({ response }) => response).filter(({ status }) => status === 200);
    const made = (await Promise.all(answered.map((response) => bidsIn<Bid>(response)))).flat();
    this.#open.push(...made);
    this.bids += made.length;
    this.prices.push(...made.map(({ price }) => price));
    if (bill) await this.bill();
    if (tick) await runDurableObjectAlarm(pacerOf(env));
    return made.length;
  }

  /** This many steps without requests, in which the pacer reads the ledger. */
  async rest(steps: number): Promise<void> {
    for (let n = 0; n < steps; n++) await this.step(0);
  }

  /** Steps until a condition holds; fails if it does not within so many steps. */
  async until(steps: number, requests: number, isSo: () => boolean): Promise<void> {
    for (let n = 0; n < steps && !isSo(); n++) await this.step(requests);
    expect(isSo(), `${this.bids} bids, ${this.billed} nanos`).toBe(true);
  }

  /** Sends the notices of all bids that are not billed yet, at once, so that the ledger books them in few commits. */
  async bill(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    await Promise.all(open.map((bid) => this.#notice(bid)));
  }

  async #notice({ burl, lurl, price }: Bid): Promise<void> {
    const isWon = price > this.rival;
    const url = isWon
      ? filled(burl, { PRICE: `${price}`, CURRENCY: "USD" })
      : filled(lurl, { LOSS: "102", CURRENCY: "USD", MIN_TO_WIN: this.minToWin() });
    const { response, settle } = await this.isolate.start(url, {}, vars);
    expect(response.status).toBe(204);
    this.#settling.push(settle());
    // A price per mille in micros is the price of an impression in nanos.
    if (isWon) this.billed += BigInt(Math.round(price * 1_000_000));
  }

  /** Waits for the events of the notices. Nothing is mocked then. */
  async end(): Promise<void> {
    await Promise.all(this.#settling);
    vi.restoreAllMocks();
  }

  async told(): Promise<BudgetState> {
    const [told] = (await pacerOf(env).told()) ?? [];
    if (told === undefined) throw new Error("the pacer knows no budget");
    return told;
  }
}

/**
 * Starts a traffic at noon with empty objects. All objects of the ledger run, because the pacer waits for none to start.
 * The draws are the same in each run: with so few requests, chance decides how fast a campaign begins.
 */
export async function startTraffic(): Promise<Traffic> {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let drawn = 1;
  vi.spyOn(Math, "random").mockImplementation(() => {
    drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
    return drawn / 2 ** 32;
  });
  await reset();
  const shards = ["2094-03-13", "2094-03-14"].flatMap(shardsOf);
  await Promise.all(shards.map((shard) => ledgerAt(env, shard).rowsWritten()));
  return new Traffic("2094-03-14T12:00:00");
}
