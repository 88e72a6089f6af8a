//! What TypeScript must know about a text of shares (`crates/pacing/src/shares.rs`): its number, its age, and how to
//! make one for an extra bidder.
//!
//! Shares with a higher number are newer, whatever the clocks say. The age is a sum: the pacer, a relay and the isolate
//! each measure their part with their own clock, so that no two clocks are ever compared.

import { PACER_MS } from "../limits.ts";
import type { Bidder } from "../wasm/bidder.ts";

/** The key in KV of the newest shares, for isolates that reach no relay. */
export const SHARES_KEY = "pacing";

/** The head of a text of shares, and the rows below it. */
interface Head {
  /** When the pacer made them by its clock, in milliseconds since the epoch; 0 if the text has no shares. */
  made: number;
  /** The number of the shares; for a pacer that gave none, the time `made`. */
  number: number;
  /** How old they were when they were sent, in milliseconds; null if the sender did not say. */
  age: number | null;
  rows: string;
}

/** The second line is `number NUMBER`, and when the shares are sent, also their age. The module skips it. */
const HEAD = /^(\d{1,15})\n(?:number (\d+)(?: (\d+))?\n)?/;

export function headOf(shares: string): Head {
  const [head = "", made = 0, number = made, age] = HEAD.exec(shares) ?? [];
  const times = { made: Number(made), number: Number(number), age: age === undefined ? null : Number(age) };
  return { ...times, rows: shares.slice(head.length) };
}

/** The same shares with this number, and with this age if they are sent. An empty text stays empty. */
export function numbered(shares: string, number: number, age?: number): string {
  if (shares === "") return "";
  const { made, rows } = headOf(shares);
  return `${made}\nnumber ${number}${age === undefined ? "" : ` ${Math.max(0, Math.round(age))}`}\n${rows}`;
}

/** How many pacers there are, and the number of the first pacer's shares that said so. */
export interface Pacers {
  of: number;
  since: number;
}

/** The line of the first pacer's shares, if there are several pacers. */
const PACERS = /^pacers (\d+)\n/;

/** Milliseconds after which shares count no more: `STOPPED_AFTER_MS` of `crates/pacing/src/shares.rs`. */
const STOPPED_MS = 120_000;

interface Known {
  shares: string;
  number: number;
  /** When the pacer made them, by this object's clock. */
  madeAt: number;
}

/** The first pacer's shares with the number of all pacers. */
export function withPacers(shares: string, of: number): string {
  return of === 1 ? shares : shares.replace("\n", `\npacers ${of}\n`);
}

/**
 * The newest shares of all pacers, as a relay or the first pacer knows them, and one text of them all.
 *
 * The first pacer says how many pacers there are, by the catalog. With another number, a budget may have another pacer. A
 * relay changes to it as soon as the first pacer has shares for the new number; from then on, it takes the share of a
 * budget only from its new pacer, which first counts requests for some seconds. So no relay has two shares for a budget.
 */
export class AllShares {
  /** By the number of the pacer. */
  #known: Known[] = [];
  #of = 1;
  /** The rows of all pacers, until one of them has newer ones. */
  #joined: { rows: string; at: number } | null = null;

  get pacers(): Pacers {
    return { of: this.#of, since: this.#known[0]?.number ?? 0 };
  }

  /** The age of the newest shares; infinite if there are none. */
  get age(): number {
    const now = Date.now();
    return Math.min(...this.#live().map(({ madeAt }) => now - madeAt));
  }

  /** Keeps a pacer's answer if it is newer. */
  take(pacer: number, shares: string): void {
    const { number, age, rows } = headOf(shares);
    if (number <= (this.#known[pacer]?.number ?? 0)) return;
    this.#known[pacer] = { shares, number, madeAt: Date.now() - (age ?? 0) };
    this.#joined = null;
    if (pacer > 0) return;
    this.#of = Number(PACERS.exec(rows)?.[1] ?? 1);
    this.#known.length = Math.min(this.#known.length, this.#of);
  }

  /** Drops the shares of a pacer. */
  forget(pacer: number): void {
    delete this.#known[pacer];
    this.#joined = null;
  }

  /**
   * The shares with their number and age; empty if there are none. Of several pacers, the number is the mean, which rises
   * with each of them and may fall if one is silent, and the age is that of the oldest shares that are not late: rows of late ones are halved or left out.
   * `join`: that of the module.
   */
  text(join: (shares: string) => string): string {
    const now = Date.now();
    const [first, ...others] = this.#known;
    if (this.#of === 1) return first ? numbered(first.shares, first.number, now - first.madeAt) : "";
    const live = this.#live();
    if (live.length === 0) return "";
    const newest = Math.max(...live.map(({ madeAt }) => madeAt));
    if (this.#joined === null || !(now >= this.#joined.at && now - this.#joined.at < PACER_MS)) {
      const texts = [first, ...others].flatMap((one, n) =>
        one && live.includes(one) ? `pacer ${n} ${this.#of} ${newest - one.madeAt}\n${one.shares}` : [],
      );
      this.#joined = { rows: join(texts.join("")), at: now };
    }
    const number = Math.floor(live.reduce((sum, one) => sum + one.number, 0) / live.length);
    const onTime = live.map(({ madeAt }) => madeAt).filter((madeAt) => newest - madeAt < 2 * PACER_MS);
    const made = Math.max(...live.map(({ shares }) => headOf(shares).made));
    return numbered(`${made}\n${this.#joined.rows}`, number, now - Math.min(...onTime));
  }

  #live(): Known[] {
    const now = Date.now();
    // Holes are pacers that have not answered yet. The only pacer's shares count until the isolate finds them too old.
    const known = this.#known.filter(() => true);
    return this.#of === 1 ? known : known.filter(({ madeAt }) => now - madeAt < STOPPED_MS);
  }
}

/** What the pacer needs of a catalog; see `crates/auction/src/write/budgets.rs`. */
export interface BudgetList {
  budgets: { key: string }[];
  ssps: unknown[];
  rates: Record<string, number>;
}

export function budgetListOf(bidder: Pick<Bidder, "budgetList">, pacer = 0, of = 1): BudgetList {
  return JSON.parse(new TextDecoder().decode(bidder.budgetList(pacer, of)));
}

/** The share of a budget whose campaigns may bid on all requests. */
const WHOLE = 2 ** 32 - 1;

/** Shares that allow all requests to all of the bidder's campaigns. `now`: when they are made. */
export function wholeShares(bidder: Pick<Bidder, "budgetList">, now: number): string {
  const { budgets } = budgetListOf(bidder);
  return `${now}\n${budgets.map(({ key }) => `${key} ${WHOLE}\n`).join("")}`;
}

/**
 * These shares, with all requests allowed for each of the bidder's budgets that they do not name. They keep their time.
 */
export function filledShares(bidder: Pick<Bidder, "budgetList">, shares: string): string {
  const keyOf = (line: string) => line.slice(0, line.indexOf(" "));
  const known = new Set(shares.split("\n").map(keyOf));
  const [, ...all] = wholeShares(bidder, 0).trimEnd().split("\n");
  return shares + all.flatMap((line) => (known.has(keyOf(line)) ? [] : [`${line}\n`])).join("");
}

/** The same shares, made at another time. */
export function sharesAt(shares: string, now: number): string {
  return `${now}${shares.slice(shares.indexOf("\n"))}`;
}
