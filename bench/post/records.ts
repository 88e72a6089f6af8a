//! The events to post. They are real events of the bidder, each with its own id, time and request id.
//!
//! Record N is always the same, so the receiver can check it. Runs in workerd and in Node.

import { Random } from "../../cli/traffic/random.ts";
import type { Event } from "../../worker/src/events/schema.ts";

const START = Date.UTC(2026, 10, 18, 12);
/** Milliseconds between the times of two events. */
const APART = 3;
const SEED = "61b13c26";

/** The posts that the Worker should make. */
export interface Order {
  way: "stream" | "whole";
  gzip: boolean;
  url: string;
  first: number;
  count: number;
  times: number;
}

/** `count` records from number `first` on, made one at a time. */
export function* records(patterns: Event[], first: number, count: number): Generator<Event> {
  for (let number = first; number < first + count; number++) yield record(patterns, number);
}

export function record(patterns: Event[], number: number): Event {
  const pattern = patterns[number % patterns.length];
  if (pattern === undefined) throw new Error("there are no patterns");
  const random = new Random(number);
  const word = () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0");
  // As random as the ids of exchanges.
  const [a, b, c, d] = [word(), word(), word(), word()];
  const request = `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
  const id = `${SEED}${(number + 0x49b669ee).toString(16).padStart(8, "0")}00`;
  return { ...pattern, id, time: START + APART * number, request };
}
