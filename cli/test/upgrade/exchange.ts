//! An exchange that buys from a recorded bidder, sends notices, and remembers what they must have done.

import { setTimeout as sleep } from "node:timers/promises";
import { decimal } from "../../../shared/report/decimal.ts";
import type { Row } from "../../../shared/report/rows.ts";
import { dayAt } from "../../../shared/time/days.ts";
import { filled } from "../../tail/demo.ts";
import { type Bid, nanosOf } from "../bidder.ts";
import { type Cid, requestFor } from "./campaigns.ts";
import type { BidRequest, Coming } from "./recording.ts";
import type { Running } from "./running.ts";

/** Milliseconds between two requests for one campaign. */
const BEAT_MS = 200;

/** Who a request is from. */
interface From {
  person?: string;
  ssp?: string;
}

export class Exchange {
  /** Notices of billed bids, of bids whose price was too high, and of bids that are still to be billed. */
  readonly billed: string[] = [];
  readonly refused: string[] = [];
  readonly coming: Coming[] = [];
  running: Running;
  readonly #counts = { bids: 0, wins: 0, losses: 0, refused: 0, billed: 0 };
  #requests = 0;

  constructor(running: Running) {
    this.running = running;
  }

  /** Throws if there is no bid. */
  async buy(asked: BidRequest): Promise<Bid> {
    const bid = await this.#ask(asked);
    if (bid === undefined) throw new Error(`no bid on ${JSON.stringify(asked)}`);
    return bid;
  }

  /** Buys and bills impressions of a campaign. */
  async bill(cid: Cid, impressions: number, from: From = {}): Promise<void> {
    for (let n = 0; n < impressions; n++) {
      const { bill } = await this.#bought(cid, from);
      await this.running.notice(bill);
      this.billed.push(bill);
      this.#counts.billed++;
      if (from.ssp === "north") this.#counts.wins++;
    }
  }

  /** Buys an impression that is billed later. Returns the path of the notice. */
  async keep(cid: Cid, from: From = {}): Promise<string> {
    const { bill, bid } = await this.#bought(cid, from);
    const usd = nanosOf(bid);
    const spend = cid === "euro" ? (usd * 4n) / 5n : usd;
    const of = { day: dayAt(this.running.now), campaign: cid, ssp: from.ssp ?? "demo", creative: bid.crid };
    this.coming.push({ path: bill, of, spend: decimal(spend), spend_usd: decimal(usd) });
    return bill;
  }

  /** Buys an impression, and sends a notice with ten times its price. */
  async refuse(cid: Cid): Promise<void> {
    const { bid } = await this.#bought(cid);
    const path = noticeOf(bid.burl, 10n * nanosOf(bid));
    await this.running.notice(path);
    this.refused.push(path);
    this.#counts.refused++;
  }

  async lose(cid: Cid): Promise<void> {
    const { bid } = await this.#bought(cid);
    await this.running.notice(noticeOf(bid.lurl, nanosOf(bid)));
    this.#counts.losses++;
  }

  /** Sends requests for campaigns for so many seconds. */
  async trade(cids: Cid[], seconds: number): Promise<void> {
    for (let n = 0; n < (seconds * 1000) / BEAT_MS; n++) {
      for (const cid of cids) await this.#ask(this.#request(cid));
      await sleep(BEAT_MS);
    }
  }

  /** The report, when it has all counts: the isolate hands them over every few seconds. */
  async report(days: { from: string; to: string }): Promise<Row[]> {
    for (;;) {
      const rows = await this.running.report(days);
      const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
      const all = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
      const reported = {
        ...{ bids: sum(({ bids }) => bids), wins: sum(({ wins }) => wins), losses: sum(({ losses }) => all(losses)) },
        ...{ refused: sum(({ refused }) => all(refused)), billed: sum(({ billed }) => billed) },
      };
      if (JSON.stringify(reported) === JSON.stringify(this.#counts)) return rows;
      await sleep(500);
    }
  }

  async #ask(asked: BidRequest): Promise<Bid | undefined> {
    const [bid] = await this.running.bid(asked);
    if (bid !== undefined) this.#counts.bids++;
    return bid;
  }

  /** Asks until the campaign bids: one with a budget may leave out some requests. */
  async #bought(cid: Cid, from: From = {}): Promise<{ bid: Bid; bill: string }> {
    for (let tries = 0; tries < 100; tries++) {
      const bid = await this.#ask(this.#request(cid, from));
      if (bid) return { bid, bill: noticeOf(from.ssp === "north" ? bid.nurl : bid.burl, nanosOf(bid)) };
    }
    throw new Error(`${cid} does not bid`);
  }

  #request(cid: Cid, from: From = {}): BidRequest {
    return requestFor(cid, `request-${this.#requests++}`, from);
  }
}

/** The token of a notice. */
export function tokenOf(path: string): string {
  return /^\/n\/\w+\/([\w-]+)/.exec(path)?.[1] ?? "";
}

/** The path and query of a URL with its macros filled, for an impression of so many nanos. */
function noticeOf(url: string | undefined, nanos: bigint): string {
  if (url === undefined) throw new Error("the bid has no such URL");
  const { pathname, search } = new URL(filled(url, decimal(nanos * 1000n), "USD"));
  return pathname + search;
}
