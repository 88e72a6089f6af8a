//! Decisions with frequency caps are made twice: the first one leaves a question about the person, the second one knows the
//! answer. See `crates/auction/src/options/caps`.

import type { Outcome, Tallied } from "../wasm/answers.ts";
import type { Bidder, Question } from "../wasm/bidder.ts";

/** The name of the option. */
export const CAPS = "caps";

/** The number of an object in tokens, where no object is asked. */
const SOME_OBJECT = 1;

/** The question about a person: `Ask` in `crates/auction/src/options/caps/mod.rs`. */
export interface Ask {
  /** The person's keys, 32 hex digits each. The first one is for writing. */
  keys: string[];
  /** Milliseconds from the arrival of the request until the answer must be there. */
  ms: number;
  /** How long notices of the bids are valid. */
  hours: number;
  subjects: Limited[];
  /** The bids of the kept answer. */
  kept: Tallied;
  /** Its bids of campaigns with a budget, as `take_counts` writes them. */
  demand?: string;
}

/** A campaign or creative, as a letter and the 16 hex digits of a hash, with its caps. */
export interface Limited {
  subject: string;
  caps: Cap[];
}

/** At most `n` impressions in a period. */
export interface Cap {
  n: number;
  per: "hour" | "day" | "week" | "lifetime";
}

/** A bid that counts for frequency caps: when it is sent, or when it is billed. */
export interface Counted {
  bid: string;
  on: "bid" | "bill";
  subjects: string[];
}

/** The question that a decision has left; null if the person does not matter. The outcome then has no bid with caps. */
export function askOf({ left }: Outcome): Ask | null {
  const ask = left?.[CAPS] as Partial<Ask> | undefined;
  return ask?.subjects === undefined ? null : (ask as Ask);
}

/** The bids of a second decision that count. */
export function countedOf({ left }: Outcome): Counted[] {
  return (left?.[CAPS] as { bids?: Counted[] } | undefined)?.bids ?? [];
}

/**
 * Decides again. Of the campaigns and creatives with caps, only those in the question may bid. `left`: how often the
 * person may still see each of them; without it, the person has seen none. `object`: its number in tokens.
 */
export function decideAgain(
  bidder: Bidder,
  question: Question,
  { subjects }: Ask,
  object = SOME_OBJECT,
  left = subjects.map(({ caps }) => Math.min(...caps.map(({ n }) => n))),
): Outcome {
  const allowed = subjects.map(({ subject }, at) => `${subject} ${left[at] ?? 0}`);
  const lines = [object, ...allowed].join("\n");
  return bidder.decide({ ...question, waited: 0, tell: (to) => to.exports.allow(to.putText(lines)) });
}

/** The decision if the person has seen none of the campaigns with caps. */
export function decideUnseen(bidder: Bidder, question: Question): Outcome {
  const outcome = bidder.decide(question);
  const ask = askOf(outcome);
  return ask === null ? outcome : decideAgain(bidder, question, ask);
}
