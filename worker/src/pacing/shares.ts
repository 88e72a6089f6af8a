//! What TypeScript has to know of a text of shares (`crates/pacing/src/shares.rs`): when it was made, and how to make one
//! for a bidder that is only asked.

import type { Bidder } from "../wasm/bidder.ts";

/** The key in KV of the newest shares, for isolates that reach no relay. */
export const SHARES_KEY = "pacing";

/** When the pacer made these shares, in milliseconds since the epoch; 0 if the text has no shares. */
export function madeAt(shares: string): number {
  const made = Number(shares.slice(0, shares.indexOf("\n")));
  return Number.isSafeInteger(made) ? made : 0;
}

/** The share of a budget whose campaigns may bid on all requests. */
const WHOLE = 2 ** 32 - 1;

/** Shares with which pacing holds none of the bidder's campaigns back. `now`: when they are made. */
export function wholeShares(bidder: Pick<Bidder, "budgetList">, now: number): string {
  const budgets: { key: string }[] = JSON.parse(new TextDecoder().decode(bidder.budgetList()));
  return `${now}\n${budgets.map(({ key }) => `${key} ${WHOLE}\n`).join("")}`;
}

/** Other shares, and the whole for each of the bidder's budgets that they do not name. They keep their time. */
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
