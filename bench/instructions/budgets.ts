//! Counts the WebAssembly instructions of decisions of a catalog in which every campaign has a budget, and of the same
//! catalog without budgets.

import { instrumented } from "../build.ts";
import type { Document } from "../catalogs/generate.ts";
import { mix } from "../requests/mix.ts";
import { Decisions } from "./count.ts";

/** All requests: `WHOLE` in `crates/pacing/src/shares.rs`. */
const WHOLE = 2 ** 32 - 1;

/**
 * The check for the goals: the mix with 1,000 campaigns. With budgets, each of them bids on all requests, and matches and
 * bids are counted.
 */
export function budgetChecks(): Record<string, number> {
  const wasm = instrumented("count");
  const [on, off] = [new Decisions(wasm, 1000, withBudgets), new Decisions(wasm, 1000)];
  on.useShares(({ key }) => `${key} ${WHOLE}`);
  const texts = mix();
  const isEqual = JSON.stringify(on.responses(texts)) === JSON.stringify(off.responses(texts));
  if (!isEqual) throw new Error("a share of all requests changes a response");
  return { "decide.budgets_on_vs_off": on.mean(texts) / off.mean(texts) };
}

function withBudgets(document: Document): Document {
  const campaigns = document.campaigns.map((campaign) => ({ ...campaign, budget: { daily: "1000" } }));
  return { ...document, campaigns };
}
