//! Why a share is what it is, in words: `Why` in `crates/pacing/src/why.rs`.

/** A tone of the inspector: what needs attention, what may, and what is fine. */
type Tone = "bad" | "warn" | "good" | "";

/** Words and tone of each reason, those that need attention first. */
export const WHY: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  "past-unknown": ["the ledger's summary does not tell yet what past days spent", "bad"],
  "rate-missing": ["it has spent in a currency that the catalog's rates lack", "bad"],
  "total-overspent": ["the total budget is below what is spent", "bad"],
  "daily-overspent": ["the daily budget is below what is spent today", "bad"],
  "total-spent": ["the total budget is spent", "bad"],
  "daily-spent": ["the daily budget is spent", "bad"],
  exposed: ["bids that are not billed yet may spend the rest", "warn"],
  "few-requests": ["its requests are fewer than the plan needs", "warn"],
  "no-counts": ["no counts yet", "warn"],
  over: ["over", ""],
  "not-started": ["not started", ""],
  "between-flights": ["between two flights", ""],
  counting: ["its requests are being counted", ""],
  learning: ["its first prices are being learned", ""],
  slower: ["slower towards the end of the budget", ""],
  unplanned: ["the plan has nothing for this hour", ""],
  "all-requests": ["as fast as its requests allow", "good"],
  "on-plan": ["on plan", "good"],
  paused: ["paused", ""],
};

/** The words for a reason. One of another build stands for itself. */
export function wordsOf(why: string): string {
  return WHY[why]?.[0] ?? why;
}
