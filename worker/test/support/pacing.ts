//! A campaign with a budget in the real objects: an isolate, a relay, the pacer and the ledger, on a clock that the test
//! moves. Every bid wins, and its notice comes at once or later.

import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { ledgerAt, placesOf } from "../../src/ledger/places.ts";
import type { BudgetState } from "../../src/pacing/budgets.ts";
import { pacerOf } from "../../src/pacing/places.ts";
import { at } from "./clock.ts";
import { catalogDocument, simple, text } from "./fixtures.ts";
import { file, Isolate, pushed, store } from "./isolate.ts";

const request = JSON.parse(text(simple));
const document = JSON.parse(text(catalogDocument));
const CID = "acme-spring";

/** The environment with keys for notices and an operator. */
export const vars = {
  ...env,
  NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests",
  OPERATOR: "anybody",
  EVENTS: { sendBatch: async () => {} },
} as unknown as Env;

/**
 * Pushes a catalog whose only campaign that bids on the request has these attributes. Its `max_cpm` is 1.80 dollars.
 * `whole` are attributes of the catalog.
 */
export async function pushBudget(
  more: object,
  options?: Parameters<typeof pushed>[2],
  whole: object = {},
): Promise<string> {
  const own = document.campaigns.find(({ cid }: { cid: string }) => cid === CID);
  const { nurl: _n, burl: _b, lurl: _l, ...campaign } = own;
  return pushed(file(JSON.stringify({ ...document, ...whole, campaigns: [{ ...campaign, ...more }] })), store, options);
}

/** A traffic of requests, in steps of five seconds. */
export class Traffic {
  isolate = new Isolate();
  /** The bids so far. */
  bids = 0;
  /** The price of all billed bids in nanos. */
  billed = 0n;
  now: number;
  /** The environment of the isolate. */
  vars = vars;
  #requests = 0;
  readonly #settling: Promise<void>[] = [];
  #open: { burl: string; price: number }[] = [];

  constructor(start: string) {
    this.now = at(start);
  }

  /** Moves the clock, sends requests, bills the bids, and ticks. */
  async step(requests: number, { bill = true, tick = true } = {}): Promise<number> {
    this.now = at(this.now + 5000);
    const before = this.bids;
    const settles: (() => Promise<void>)[] = [];
    for (let n = 0; n < requests; n++) {
      const body = file(JSON.stringify({ ...request, id: `request-${this.#requests++}` }));
      const { response, settle } = await this.isolate.answer(body, {}, this.vars);
      settles.push(settle);
      if (response.status === 200) this.#open.push((await response.json<Answer>()).seatbid[0].bid[0]);
      if (response.status === 200) this.bids++;
    }
    for (const settle of settles) await settle();
    if (bill) await this.bill();
    if (tick) await runDurableObjectAlarm(pacerOf(env));
    return this.bids - before;
  }

  /** Steps until a condition holds; fails if it does not within so many steps. */
  async until(steps: number, requests: number, isSo: () => boolean): Promise<void> {
    for (let n = 0; n < steps && !isSo(); n++) await this.step(requests);
    expect(isSo(), `${this.bids} bids, ${this.billed} nanos`).toBe(true);
  }

  /** Sends the notices of all bids that are not billed yet. */
  async bill(): Promise<void> {
    for (const { burl, price } of this.#open) {
      const url = burl.replace(/\$\{AUCTION_PRICE\}/, `${price}`).replace(/\$\{AUCTION_CURRENCY\}/, "USD");
      const { response, settle } = await this.isolate.start(url, {}, vars);
      expect(response.status).toBe(204);
      this.#settling.push(settle());
      // A price per mille in micros is the price of an impression in nanos.
      this.billed += BigInt(Math.round(price * 1_000_000));
    }
    this.#open = [];
  }

  /** Goes on in a new isolate, as if the platform had ended the old one. */
  renew(): void {
    this.isolate = new Isolate();
  }

  /** Waits for the events of the notices. */
  async end(): Promise<void> {
    await Promise.all(this.#settling);
  }

  async told(): Promise<BudgetState> {
    const [told] = (await pacerOf(env).told()) ?? [];
    if (told === undefined) throw new Error("the pacer knows no budget");
    return told;
  }
}

interface Answer {
  seatbid: [{ bid: [{ burl: string; price: number }] }];
}

/** Starts all objects of these days, because this may take longer than the pacer waits. */
export async function startLedger(...days: string[]): Promise<void> {
  await Promise.all(days.flatMap(placesOf).map((place) => ledgerAt(env, place).rowsWritten()));
}
