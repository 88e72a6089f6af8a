//! Sends requests at a constant rate, and notes for each answer which catalog it came from.

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** An answer, or the reason why there was none. */
export interface Answer {
  /** When the request was sent, in milliseconds since the epoch. */
  sent: number;
  received: number;
  /** The version that the first bid names; null without a bid. */
  version: string | null;
  price: number | null;
  /** What is wrong with the answer; null for a bid that names its version. */
  problem: string | null;
}

interface BidResponse {
  seatbid: { bid: { price: number; ext?: { catalog?: string } }[] }[];
}

/** Maximum number of requests in flight. Requests that become due at the maximum are not sent. */
const MAX_PENDING = 100;

/** Sends until {@link stop}. */
export class Load {
  readonly answers: Answer[] = [];
  /** Requests that became due but were not sent, because the bidder was behind. */
  unsent = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_PENDING });
  readonly #url: string;
  readonly #body: Uint8Array;
  readonly #pending = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #stopped = false;

  /** `rate`: requests per second. */
  constructor(url: string, body: Uint8Array, rate: number) {
    this.#url = url;
    this.#body = body;
    this.#running = this.#run(rate);
  }

  /** Waits for the last answers. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await Promise.all(this.#pending);
    this.#agent.destroy();
  }

  async #run(rate: number): Promise<void> {
    const began = performance.now();
    for (let due = 0; !this.#stopped; due++) {
      const wait = began + (due * 1000) / rate - performance.now();
      // Timers are coarse, so overdue requests are sent at once.
      await sleep(Math.max(0, wait));
      if (this.#pending.size >= MAX_PENDING) {
        this.unsent++;
        continue;
      }
      const sent: Promise<void> = this.#send().then((answer) => {
        this.answers.push(answer);
        this.#pending.delete(sent);
      });
      this.#pending.add(sent);
    }
  }

  #send(): Promise<Answer> {
    const sent = Date.now();
    const answer = (problem: string | null, version: string | null = null, price: number | null = null): Answer => {
      return { sent, received: Date.now(), version, price, problem };
    };
    return new Promise((done) => {
      const headers = { "content-type": "application/json", "content-length": this.#body.byteLength };
      const call = request(this.#url, { agent: this.#agent, method: "POST", headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", (error) => done(answer(error.message)));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          if (response.statusCode !== 200) return done(answer(`${response.statusCode} ${text}`));
          const bid = (JSON.parse(text) as BidResponse).seatbid[0]?.bid[0];
          const version = bid?.ext?.catalog ?? null;
          done(answer(version === null ? "no version" : null, version, bid?.price ?? null));
        });
      });
      call.on("error", (error) => done(answer(error.message)));
      call.end(this.#body);
    });
  }
}
