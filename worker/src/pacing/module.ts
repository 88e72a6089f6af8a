//! An instance of the pacing module (`crates/pacer-wasm`): text in, text out. A relay uses it to add up counts; the
//! pacer keeps its whole state in it. After a trap, an instance cannot be used again.

import type { InitOutput as Pacing } from "../../../crates/pacer-wasm/pkg/pacer_wasm.js";
import wasm from "../../../crates/pacer-wasm/pkg/pacer_wasm_bg.wasm";
import { Instance } from "../../../shared/wasm/instance.ts";

/** A campaign, and the first local day that counts, in days since the first of January 1970. */
export interface Past {
  campaign: string;
  day: number;
}

/**
 * What the module learns from a text. `report`: counts of one relay. `missing`: the name of an object of the ledger that
 * does not answer; the mean of the other objects of its day counts for it. `closed`: the name of an object to forget: it
 * takes no more bills, or no budget asks for them. `past`: the spend of campaigns on past days, as lines
 * `CAMPAIGN DAY SSP NANOS BID HELD CUR`, see {@link Past}. `restore_orders`: what another pacer has answered to `orders`.
 */
type Telling = "report" | "missing" | "closed" | "past" | "restore_orders";

/** What learned shading is told to do: to stay as it is, to learn again, to forget everything. */
export type Order = "freeze" | "thaw" | "reset";

/**
 * What the module answers with a text. `tick`: the next shares. `told`: all budgets as JSON, a list of `BudgetState`.
 * `alarms`: what is wrong with the bills of SSPs, as JSON, a list of `Alarm` of `budgets.ts`. `learned`: what learned
 * shading knows, as JSON, a `Learned` of `budgets.ts`. `orders`: which campaigns have spent the budgets of orders.
 */
type Asking = "tick" | "told" | "alarms" | "learned" | "orders";

export class PacingModule {
  readonly #instance = new Instance<Pacing>(wasm);

  tell(what: Telling, text: string): void {
    this.#instance.exports[what](this.#instance.putText(text));
  }

  /**
   * Adds the counts of an isolate, which may be empty, and its call to what `take` returns for each of `of` pacers. Returns how many notices are
   * lost: there were too many.
   */
  merge(counts: string, of: number): number {
    return this.#instance.exports.merge(this.#instance.putText(counts), of);
  }

  /** The counts for a pacer since the last call; empty if there are none. */
  take(pacer: number): string {
    this.#instance.exports.take(pacer);
    return new TextDecoder().decode(this.#instance.output());
  }

  /** The rows of the shares of several pacers, each after a line: see `Shares::join` in `crates/pacing/src/shares.rs`. */
  join(shares: string): string {
    this.#instance.exports.join(this.#instance.putText(shares));
    return new TextDecoder().decode(this.#instance.output());
  }

  /** A new instance is one of several pacers. */
  part(pacer: number, of: number): void {
    this.#instance.exports.part(pacer, of);
  }

  /** `now` is in milliseconds since the epoch. */
  ask(what: Asking, now = 0): string {
    this.#instance.exports[what](now);
    return new TextDecoder().decode(this.#instance.output());
  }

  /** The state that a new instance needs in addition to the ledger, in parts: each has whole lines. */
  *saved(): Generator<string> {
    for (let first = 1, isMore = true; isMore; first = 0) {
      isMore = Boolean(this.#instance.exports.save(first));
      yield new TextDecoder().decode(this.#instance.output());
    }
  }

  /** Restores a state in a new instance, without its lines of these kinds. Parts need not have whole lines. */
  restore(parts: Iterable<string>, without = /^$/): void {
    let rest = "";
    for (const part of parts) {
      const text = rest + part;
      const end = text.lastIndexOf("\n") + 1;
      const lines = text.slice(0, end).replaceAll(new RegExp(without, "gm"), "");
      this.#instance.exports.restore(this.#instance.putText(lines));
      rest = text.slice(end);
    }
  }

  /** Changes how learned shading goes on. */
  order(order: Order): void {
    if (order === "reset") this.#instance.exports.unlearn();
    else this.#instance.exports.freeze(Number(order === "freeze"));
  }

  /** When the campaigns' local days begin within a UTC day, in seconds since the epoch. */
  midnights(day: string): number[] {
    this.#instance.exports.midnights(this.#instance.putText(day));
    return this.#instance.outputJson<number[]>();
  }

  /** Bills of an object of the ledger: see `Batch`. */
  booked(shard: string, rows: string, whole: boolean): void {
    this.#instance.exports.booked(this.#instance.putText(`${shard}\n${rows}`), Number(whole));
  }

  /**
   * Replaces all budgets, SSPs and rates by those of `Bidder.budgetList`. True if the time zone of a campaign has
   * changed since its bills were booked: then all bills must be booked again. Throws if the list is wrong. `now`: when
   * campaigns leave and join orders, in milliseconds since the epoch.
   */
  plan(budgets: Uint8Array, now: number): boolean {
    this.#instance.exports.plan(this.#instance.put(budgets), now);
    return this.#sound<{ again?: boolean }>().again ?? false;
  }

  /** The campaigns in the text of `Bidder.budgetList` whose spend on past days counts. Throws if the text is wrong. */
  pastNeeded(budgets: Uint8Array, now: number): Past[] {
    this.#instance.exports.past_needed(this.#instance.put(budgets), now);
    return this.#sound<Past[]>();
  }

  /** The campaigns whose bills count with the budgets of such a text. Throws if the text is wrong. */
  campaigns(budgets: Uint8Array): string[] {
    this.#instance.exports.campaigns(this.#instance.put(budgets));
    return this.#sound<string[]>();
  }

  #sound<T>(): T {
    const answer = this.#instance.outputJson<T & { error?: string }>();
    if (answer.error !== undefined) throw new Error(`the pacer cannot read the budgets: ${answer.error}`);
    return answer;
  }
}
