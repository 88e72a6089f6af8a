//! Sends requests at a constant rate, and notes for each answer which catalog it came from.

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

/** Sends `rate` requests per second until the signal. Returns the answers, and how many requests were not sent. */
export async function load(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  rate: number,
  signal: AbortSignal,
): Promise<{ answers: Answer[]; unsent: number }> {
  const answers: Answer[] = [];
  const pending = new Set<Promise<unknown>>();
  let unsent = 0;
  const began = performance.now();
  for (let due = 0; !signal.aborted; due++) {
    // Timers are coarse, so overdue requests are sent at once.
    await sleep(Math.max(0, began + (due * 1000) / rate - performance.now()));
    if (pending.size >= MAX_PENDING) {
      unsent++;
      continue;
    }
    const sent: Promise<unknown> = send(url, body).then((answer) => {
      answers.push(answer);
      pending.delete(sent);
    });
    pending.add(sent);
  }
  await Promise.all(pending);
  return { answers, unsent };
}

async function send(url: string, body: Uint8Array<ArrayBuffer>): Promise<Answer> {
  const sent = Date.now();
  const none = { sent, version: null, price: null };
  try {
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const text = await response.text();
    const received = Date.now();
    if (response.status !== 200) return { ...none, received, problem: `${response.status} ${text}` };
    const bid = (JSON.parse(text) as BidResponse).seatbid[0]?.bid[0];
    const version = bid?.ext?.catalog ?? null;
    return { sent, received, version, price: bid?.price ?? null, problem: version === null ? "no version" : null };
  } catch (error) {
    return { ...none, received: Date.now(), problem: String(error) };
  }
}
