//! An instance of the pacing module (`crates/pacer-wasm`): text in, text out. A relay adds up counts in it, the pacer
//! keeps its whole state in it. After a trap, an instance cannot be used again.

import type { InitOutput as Pacing } from "../../../crates/pacer-wasm/pkg/pacer_wasm.js";
import { Instance } from "../wasm/instance.ts";

/** A campaign, and the first local day that counts, in days since the first of January 1970. */
export interface Asked {
  campaign: string;
  day: number;
}

export class PacingModule {
  readonly #instance: Instance<Pacing>;

  constructor(wasm: WebAssembly.Module) {
    this.#instance = new Instance<Pacing>(wasm);
  }

  /** Adds a text of counts to those that {@link take} returns. */
  merge(counts: string): void {
    this.#instance.exports.merge(this.#put(counts));
  }

  /** The counts since the last call; empty if there are none. */
  take(): string {
    this.#instance.exports.take();
    return this.#output();
  }

  /**
   * Replaces all budgets, SSPs and rates by those of `Bidder.budgetList`. True if a campaign has another zone than its bills were booked
   * with, so that all bills must be booked again. Throws if the list is wrong.
   */
  plan(budgets: Uint8Array): boolean {
    this.#instance.exports.plan(this.#instance.put(budgets));
    const { error, again = false } = this.#instance.outputJson<{ error?: string; again?: boolean }>();
    if (error !== undefined) throw new Error(`the pacer cannot read the budgets: ${error}`);
    return again;
  }

  /** Counts of one relay. */
  report(counts: string): void {
    this.#instance.exports.report(this.#put(counts));
  }

  /** Bills of an object of the ledger: see `Batch`. */
  booked(place: string, rows: string, whole: boolean): void {
    this.#instance.exports.booked(this.#put(`${place}\n${rows}`), Number(whole));
  }

  /** Counts an object of the ledger that does not answer as the mean of those of its day that answered since the last tick. */
  missing(place: string): void {
    this.#instance.exports.missing(this.#put(place));
  }

  /** Forgets an object of the ledger that takes no more bills. */
  closed(place: string): void {
    this.#instance.exports.closed(this.#put(place));
  }

  /** The campaigns of a list of `Bidder.budgetList` whose spending on past days counts. Throws if the list is wrong. */
  asked(budgets: Uint8Array, now: number): Asked[] {
    this.#instance.exports.asked(this.#instance.put(budgets), now);
    const answer = this.#instance.outputJson<Asked[] | { error: string }>();
    if ("error" in answer) throw new Error(`the pacer cannot read the budgets: ${answer.error}`);
    return answer;
  }

  /** What campaigns spent on past days, as lines `CAMPAIGN DAY NANOS CUR`: see {@link Asked}. */
  past(rows: string): void {
    this.#instance.exports.past(this.#put(rows));
  }

  /** The next shares. `now` is in milliseconds since the epoch. */
  tick(now: number): string {
    this.#instance.exports.tick(now);
    return this.#output();
  }

  /** All budgets as JSON: a list of `BudgetState`. */
  told(now: number): string {
    this.#instance.exports.told(now);
    return this.#output();
  }

  /** What is wrong with the bills of SSPs, as JSON: a list of `Alarm` of `budgets.ts`. `now` is in milliseconds since the epoch. */
  alarms(now: number): string {
    this.#instance.exports.alarms(now);
    return this.#output();
  }

  /** What a new instance needs besides the ledger. */
  save(): string {
    this.#instance.exports.save();
    return this.#output();
  }

  restore(saved: string): void {
    this.#instance.exports.restore(this.#put(saved));
  }

  #put(text: string): number {
    return this.#instance.put(new TextEncoder().encode(text));
  }

  #output(): string {
    return new TextDecoder().decode(this.#instance.output());
  }
}
