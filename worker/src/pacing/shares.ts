//! What TypeScript must know about a text of shares (`crates/pacing/src/shares.rs`): its number, its age, and how to
//! make one for an extra bidder.
//!
//! Shares with a higher number are newer, whatever the clocks say. The age is a sum: the pacer, a relay and the isolate
//! each measure their part with their own clock, so that no two clocks are ever compared.

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

/** The second line is `number NUMBER`, and when the shares are sent, also their age. Former modules skip it. */
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

/** What the pacer needs of a catalog; see `crates/bidder-wasm/src/write/budgets.rs`. */
export interface BudgetList {
  budgets: { key: string }[];
  ssps: unknown[];
  rates: Record<string, number>;
}

export function budgetListOf(bidder: Pick<Bidder, "budgetList">): BudgetList {
  return JSON.parse(new TextDecoder().decode(bidder.budgetList()));
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
