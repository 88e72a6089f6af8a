//! What TypeScript has to know of a text of shares (`crates/pacing/src/shares.rs`): when it was made.

/** The key in KV of the newest shares, for isolates that reach no relay. */
export const SHARES_KEY = "pacing";

/** When the pacer made these shares, in milliseconds since the epoch; 0 if the text has no shares. */
export function madeAt(shares: string): number {
  const made = Number(shares.slice(0, shares.indexOf("\n")));
  return Number.isSafeInteger(made) ? made : 0;
}
