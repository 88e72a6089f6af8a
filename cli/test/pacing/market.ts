//! A made-up market: an exchange that sends bid requests to all isolates at a steady rate, lets a part of the bids win,
//! and sends their notices later. It keeps its own books.

import { setTimeout as sleep } from "node:timers/promises";
import { decimal } from "../../../shared/report/decimal.ts";
import { unit } from "../../../tools/traffic/draw.ts";
import { Random } from "../../../tools/traffic/random.ts";
import { filled } from "../../tail/demo.ts";
import { type Bid, bidsIn } from "../bidder.ts";

/** A campaign of the market. Requests name it by the width of their banner. */
export interface Traded {
  cid: string;
  width: number;
  /** The SSP that sells to it, `demo` by default; what its requests and their impressions have besides. */
  ssp?: string;
  request?: object;
  imp?: object;
  /** How the exchange bills a bid, if it does not do it as it should. */
  sell?: (bid: Bid) => Sale;
}

/** What an exchange calls for an impression, one after the other, and what it charges in nanos. */
export interface Sale {
  calls: string[];
  charged: bigint;
  /** How often it repeats a call that does not get a 204. */
  tries: number;
}

/** How the exchange behaves. */
export interface Habits {
  /** Requests a second of the clock. */
  rate: number;
  /** The part of bids that win. */
  wins: number;
  /** The part of notices that are lost, and the part that are sent twice. */
  lost: number;
  twice: number;
  /** The shortest and the longest time from a bid to its notice, in seconds of the clock. */
  delay: [number, number];
}

/** What happened to one campaign. Amounts in nanos. */
export interface Book {
  requests: number;
  bids: number;
  /** Impressions whose notice was answered with 204, and what they cost. */
  billed: number;
  spend: bigint;
}

const HEADERS = { "content-type": "application/json" };
/** Milliseconds between two sendings, and between two tries of a notice. */
const BEAT_MS = 20;
const RETRY_MS = 100;

export class Market {
  readonly books = new Map<string, Book>();
  /** Answers to bid requests and to notices, by status. */
  readonly statuses = { bid: new Map<number, number>(), notice: new Map<number, number>() };
  readonly #origins: string[];
  readonly #campaigns: Traded[];
  readonly #habits: Habits;
  /** How many times faster the clock is. */
  readonly #speed: number;
  readonly #requests = new Set<Promise<void>>();
  readonly #notices = new Set<Promise<void>>();
  #sent = 0;
  readonly #random: Random;

  constructor(origins: string[], campaigns: Traded[], habits: Habits, speed: number, seed = 1) {
    this.#origins = origins;
    this.#campaigns = campaigns;
    this.#habits = habits;
    this.#speed = speed;
    this.#random = new Random(seed);
    for (const { cid } of campaigns) this.books.set(cid, { requests: 0, bids: 0, billed: 0, spend: 0n });
  }

  /** Sends requests for so many seconds of the clock. */
  async trade(seconds: number): Promise<void> {
    const began = performance.now();
    const realSeconds = seconds / this.#speed;
    const before = this.#sent;
    for (;;) {
      const passed = (performance.now() - began) / 1000;
      const due = Math.floor(Math.min(passed, realSeconds) * this.#habits.rate * this.#speed);
      while (this.#sent - before < due) keep(this.#requests, this.#request(this.#sent++));
      if (passed >= realSeconds) return;
      await sleep(BEAT_MS);
    }
  }

  /** Waits until all requests are answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#requests);
  }

  /** Waits until all requests and notices are answered. */
  async settle(): Promise<void> {
    await this.answered();
    await Promise.all(this.#notices);
  }

  async #request(n: number): Promise<void> {
    const campaign = this.#campaigns[Math.floor(unit(this.#random) * this.#campaigns.length)] as Traded;
    const book = this.books.get(campaign.cid) as Book;
    book.requests++;
    const imp = [{ id: "1", banner: { w: campaign.width, h: 250 }, ...campaign.imp }];
    const place = campaign.request ?? { site: { domain: "news.example" } };
    const body = JSON.stringify({ id: `request-${n}`, at: 1, cur: ["USD"], imp, ...place });
    const response = await fetch(`${this.#origins[n % this.#origins.length]}/bid/${campaign.ssp ?? "demo"}`, {
      ...{ method: "POST", headers: HEADERS, body },
    });
    count(this.statuses.bid, response.status);
    const text = await response.text();
    if (response.status !== 200) return;
    for (const bid of bidsIn(text)) {
      if (bid.cid !== campaign.cid) throw new Error(`a bid of ${bid.cid} for ${campaign.cid}`);
      book.bids++;
      if (unit(this.#random) < this.#habits.wins) keep(this.#notices, this.#bill(bid, campaign, book));
    }
  }

  /** Sends the notices of a bid, each until the answer is 204. */
  async #bill(bid: Bid, { sell }: Traded, book: Book): Promise<void> {
    const { lost, twice, delay } = this.#habits;
    const chance = unit(this.#random);
    if (chance < lost) return;
    const { calls, charged, tries } = sell?.(bid) ?? honest(bid, Math.floor(unit(this.#random) * 50_000));
    await sleep(((delay[0] + unit(this.#random) * (delay[1] - delay[0])) * 1000) / this.#speed);
    for (const call of chance < lost + twice ? [...calls, ...calls] : calls) {
      const { pathname, search } = new URL(call);
      const origin = this.#origins[Math.floor(unit(this.#random) * this.#origins.length)];
      for (let n = 0; n < tries; n++) {
        const { status } = await fetch(`${origin}${pathname}${search}`);
        count(this.statuses.notice, status);
        if (status === 204) break;
        await sleep(RETRY_MS);
      }
    }
    book.billed++;
    book.spend += charged;
  }
}

/** The bid's own price less `discount` nanos, until it is booked. */
function honest(bid: Bid, discount: number): Sale {
  const charged = nanosOf(bid) - BigInt(discount);
  return { calls: [filled(bid.burl ?? "", decimal(charged * 1000n), "USD")], charged, tries: Number.POSITIVE_INFINITY };
}

/** The price of an impression in nanos: as many as the price for a thousand has micros. */
export function nanosOf({ price }: Bid): bigint {
  return BigInt(Math.round(price * 1e6));
}

/** Holds the work until it is done. */
function keep(works: Set<Promise<void>>, work: Promise<void>): void {
  works.add(work);
  work.finally(() => works.delete(work));
}

function count(statuses: Map<number, number>, status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}
