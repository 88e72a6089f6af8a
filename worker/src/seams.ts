//! The seams of a bid request, where options attach: inputs before the decision, the decision, and after it. The bid
//! route calls the seams and names no option; `options.ts` lists the options.
//!
//! The route awaits only what an option returns, so a request that needs no option waits for none.

import type { Ours, Outcome } from "../../shared/wasm/answers.ts";
import type { Bidder, Question } from "../../shared/wasm/bidder.ts";
import type { Second } from "./catalog/keeper.ts";

/** One request to a route. */
export interface Visit {
  request: Request;
  /** The rest of the path, after the route's own part. */
  rest: string;
  env: Bindings;
  ctx: ExecutionContext;
}

/** A decision with its bidder. */
export interface Decided {
  bidder: Bidder;
  question: Question;
  outcome: Outcome;
}

/** What an option does at each seam. */
export interface Option {
  /** Inputs: gets what a decision of this bidder needs. */
  fetch?(bidder: Bidder, visit: Visit): Promise<void> | undefined;
  /** Inputs: gives the bidder what was fetched, right before the decision. */
  prepare?(bidder: Bidder): void;
  /** Decides with one of two versions. */
  decide?(bidder: Bidder, second: Second, question: Question, visit: Visit): Decided;
  /**
   * Answers what the decision, or the option that was asked before, has left open. `arrived`: when the request did, in
   * milliseconds since the epoch.
   */
  ask?(decided: Decided, visit: Visit, arrived: number): Promise<Outcome> | undefined;
  /** Takes a decision that is answered now. */
  take?(decided: Decided, visit: Visit): void;
  /** Completes the body before it is sent. */
  complete?(outcome: Outcome, visit: Visit): Promise<void> | undefined;
  /** Learns that a bid is billed. Called for each notice of the bill, because an answer may have got lost. */
  bill?(verdict: Ours, visit: Pick<Visit, "env" | "ctx">): void;
  /** What `GET /healthz` shows the operator in `options`, under the name of the option. */
  state?(bidder: Bidder | undefined): unknown;
}

/** The options of an isolate, at each seam in the order of their list. */
export class Seams {
  readonly #options: [name: string, option: Option][];

  constructor(options: Readonly<Record<string, Option>>) {
    this.#options = Object.entries(options);
  }

  /** Undefined if there is nothing to wait for. */
  fetch(bidder: Bidder, second: Bidder | undefined, visit: Visit): Promise<unknown> | undefined {
    let all: Promise<unknown> | undefined;
    for (const [, option] of this.#options) {
      all = both(all, option.fetch?.(bidder, visit));
      if (second) all = both(all, option.fetch?.(second, visit));
    }
    return all;
  }

  prepare(bidder: Bidder): void {
    for (const [, option] of this.#options) option.prepare?.(bidder);
  }

  decide(bidder: Bidder, second: Second | undefined, question: Question, visit: Visit): Decided {
    if (second) {
      for (const [, option] of this.#options) {
        if (option.decide) return option.decide(bidder, second, question, visit);
      }
    }
    return { bidder, question, outcome: bidder.decide(question) };
  }

  /** The outcome to answer with; undefined if it is the one of the decision. */
  ask(decided: Decided, visit: Visit, arrived: number): Promise<Outcome> | undefined {
    // Most decisions leave nothing.
    if (decided.outcome.left === null) return undefined;
    let asked: Promise<Outcome> | undefined;
    for (const [, option] of this.#options) {
      if (option.ask === undefined) continue;
      if (asked === undefined) asked = option.ask(decided, visit, arrived);
      else asked = asked.then((outcome) => option.ask?.({ ...decided, outcome }, visit, arrived) ?? outcome);
    }
    return asked;
  }

  take(decided: Decided, visit: Visit): void {
    for (const [, option] of this.#options) option.take?.(decided, visit);
  }

  /** Undefined if the body is complete. */
  complete(outcome: Outcome, visit: Visit): Promise<unknown> | undefined {
    if (outcome.left === null) return undefined;
    let all: Promise<unknown> | undefined;
    for (const [, option] of this.#options) all = both(all, option.complete?.(outcome, visit));
    return all;
  }

  bill(verdict: Ours, visit: Pick<Visit, "env" | "ctx">): void {
    for (const [, option] of this.#options) option.bill?.(verdict, visit);
  }

  states(bidder: Bidder | undefined): Record<string, unknown> {
    const shown = this.#options.filter(([, option]) => option.state !== undefined);
    return Object.fromEntries(shown.map(([name, option]) => [name, option.state?.(bidder)]));
  }
}

function both(one?: Promise<unknown>, other?: Promise<unknown>): Promise<unknown> | undefined {
  return one && other ? Promise.all([one, other]) : (one ?? other);
}
