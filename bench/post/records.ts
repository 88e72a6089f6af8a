//! The events to post. They are real events of the bidder, each with its own id, time and request id.
//!
//! Record N is always the same, so the receiver can check it. Runs in workerd and in Node.

import type { Event } from "../../shared/events/schema.ts";

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
  const request = uuid(number);
  const id = `${SEED}${(number + 0x49b669ee).toString(16).padStart(8, "0")}00`;
  return { ...pattern, id, time: START + APART * number, request };
}

/** As random as the ids of exchanges: 122 bits that depend on the number. */
function uuid(number: number): string {
  let state = Math.imul(number + 1, 0x9e3779b1);
  const draw = () => {
    // The finalizer of MurmurHash3 over a Weyl sequence.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0).toString(16).padStart(8, "0");
  };
  const [a, b, c, d] = [draw(), draw(), draw(), draw()];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
