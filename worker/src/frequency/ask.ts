//! Ends a decision whose best bids have frequency caps: asks the object of the person, and lets the module decide
//! again. If the object is late or fails, the Worker sends the answer that it kept, which has no bid with caps.

import { type Ask, askOf, countedOf, decideAgain, type Limited } from "../../../shared/frequency/decide.ts";
import { BOOK_ATTEMPTS, BOOK_BACKOFF_MS } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { fail } from "../../../shared/telemetry/failures.ts";
import type { Ours, Outcome } from "../../../shared/wasm/answers.ts";
import type { Decided, Option, Visit } from "../seams.ts";
import { retrying, TooLate, within } from "../time/retry.ts";
import { countersOf, type FrequencyStub, frequencyOf, numberOf } from "./objects.ts";

export class Caps implements Option {
  readonly #counters: Counters;

  /** Raises the counters `caps-asked`, `caps-late` and `caps-failed`. */
  constructor(counters: Counters) {
    this.#counters = counters;
  }

  ask(decided: Decided, visit: Visit, arrived: number): Promise<Outcome> | undefined {
    const ask = askOf(decided.outcome);
    return ask === null ? undefined : this.#within(decided, ask, visit, arrived);
  }

  /** Counts the impression. The object counts a bid once. */
  bill({ frequency, bid }: Ours, { env, ctx }: Pick<Visit, "env" | "ctx">): void {
    if (frequency > 0) ctx.waitUntil(tell(env, frequency, (stub) => stub.bill(bid)));
  }

  /** The outcome to answer with. The module's answer so far is without campaigns that have caps. */
  async #within(
    { bidder, question, outcome: kept }: Decided,
    ask: Ask,
    visit: Visit,
    arrived: number,
  ): Promise<Outcome> {
    const { request, env, ctx } = visit;
    const { ms, subjects, hours } = ask;
    const { notices } = bidder;
    const counters = countersOf(ask.keys);
    const [{ key, object } = { key: "", object: 0 }] = counters;
    const number = numberOf(request, object);
    let left: number[];
    try {
      const time = arrived + ms - Date.now();
      if (time <= 0) throw new TooLate("no time is left to ask");
      this.#counters.add("caps-asked");
      const asked = counters.map(({ key, object }) => frequencyOf(env, numberOf(request, object)).left(key, subjects));
      left = leftIn(await within(time, Promise.all(asked)), subjects);
    } catch (error) {
      if (!(error instanceof TooLate)) fail("caps", error);
      this.#counters.add(error instanceof TooLate ? "caps-late" : "caps-failed");
      bidder.count(ask.kept, ask.demand);
      return kept;
    }
    // Other requests may have changed the settings since the first decision.
    if (notices && notices !== bidder.notices) bidder.useNotices(notices);
    const outcome = decideAgain(bidder, question, ask, number, left);
    const sent = countedOf(outcome).map(({ bid, on, subjects: own }) => {
      return { bid, on, subjects: subjects.filter(({ subject }) => own.includes(subject)) };
    });
    if (sent.length > 0) ctx.waitUntil(tell(env, number, (stub) => stub.bid(key, sent, hours)));
    return outcome;
  }
}

/** How often the person may still see each subject. `each` has the answers of the person's objects. */
function leftIn(each: number[][], subjects: Limited[]): number[] {
  return subjects.map(({ caps }, at) => {
    const most = Math.min(...caps.map(({ n }) => n));
    const used = each.reduce((sum, one) => sum + most - (one[at] ?? 0), 0);
    return Math.max(0, most - used);
  });
}

/** Calls an object, and tries again if that fails: an impression that the object does not learn is not counted. */
async function tell(env: Env, number: number, what: (stub: FrequencyStub) => Promise<void>): Promise<void> {
  try {
    await retrying(BOOK_ATTEMPTS, BOOK_BACKOFF_MS, () => what(frequencyOf(env, number)));
  } catch (error) {
    fail("caps-lost", error);
  }
}
