//! A made-up market: an exchange that sends bid requests at a steady rate, lets a part of the bids win,
//! and sends their notices later. It keeps its own books.

import { setTimeout as sleep } from "node:timers/promises";
import { filled } from "../../cli/tail/demo.ts";
import { type Bid, bidsIn, nanosOf } from "../../cli/test/bidder.ts";
import { decimal } from "../../shared/report/decimal.ts";
import { unit } from "../../tools/traffic/draw.ts";
import { Random } from "../../tools/traffic/random.ts";

/** A campaign of the market. Requests name it by the width of their banner. */
export interface Traded {
  cid: string;
  width: number;
  ssp: string;
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
  readonly #origin: string;
  readonly #campaigns: Traded[];
  readonly #habits: Habits;
  /** How many times faster the clock is. */
  readonly #speed: number;
  readonly #requests = new Set<Promise<void>>();
  readonly #notices = new Set<Promise<void>>();
  #sent = 0;
  readonly #random: Random;

  constructor(origin: string, campaigns: Traded[], habits: Habits, speed: number, seed = 1) {
    this.#origin = origin;
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
    const imp = [{ id: "1", banner: { w: campaign.width, h: 250 } }];
    const body = JSON.stringify({ id: `request-${n}`, at: 1, cur: ["USD"], imp, site: { domain: "news.example" } });
    const response = await fetch(`${this.#origin}/bid/${campaign.ssp}`, { method: "POST", headers: HEADERS, body });
    const text = await response.text();
    if (response.status !== 200) return;
    for (const bid of bidsIn(text)) {
      if (bid.cid !== campaign.cid) throw new Error(`a bid of ${bid.cid} for ${campaign.cid}`);
      book.bids++;
      if (unit(this.#random) < this.#habits.wins) keep(this.#notices, this.#bill(bid, book));
    }
  }

  /** Sends the notice of a bid until the answer is 204. It charges up to 0.00005 dollars less than the bid. */
  async #bill(bid: Bid, book: Book): Promise<void> {
    const { lost, twice, delay } = this.#habits;
    const chance = unit(this.#random);
    if (chance < lost) return;
    const charged = nanosOf(bid) - BigInt(Math.floor(unit(this.#random) * 50_000));
    const { pathname, search } = new URL(filled(bid.burl ?? "", decimal(charged * 1000n), "USD"));
    await sleep(((delay[0] + unit(this.#random) * (delay[1] - delay[0])) * 1000) / this.#speed);
    for (let calls = chance < lost + twice ? 2 : 1; calls > 0; ) {
      if ((await fetch(`${this.#origin}${pathname}${search}`)).status === 204) calls--;
      else await sleep(RETRY_MS);
    }
    book.billed++;
    book.spend += charged;
  }
}

/** Holds the work until it is done. */
function keep(works: Set<Promise<void>>, work: Promise<void>): void {
  works.add(work);
  work.finally(() => works.delete(work));
}
