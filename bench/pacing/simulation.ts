//! Runs the simulation (`bench/pacing/src`) and sums up its days.

import { step } from "../../build/process.mjs";
import { ROOT, TOOL_ENV } from "../../build/tools.mjs";

/** One campaign on one day, in dollars. `bench/pacing/src/outcome.rs` documents the members. */
export interface Day {
  budget: number;
  impression: number;
  spent: number;
  delivery: number;
  deviation: number | null;
}

/** The output of the program. */
interface Simulated {
  /** A rule on one day; day 1 is the second. */
  days: { rule: "edgebid" | "stop flag"; day: number; campaigns: Day[] }[];
  /** Seconds that shares of each age in seconds were in use. */
  ages: number[];
  bills: number;
  refused: number;
  tick_ms: number;
  saved_bytes: number;
  seconds: number;
}

/** Campaigns of at least this many dollars a day are large. */
export const LARGE = 100;

/** Two days by all rules; three days by edgebid's rule in a world. */
export async function simulate(program: string, campaigns: number, world?: string, seed = 1): Promise<Simulated> {
  const args = [`${campaigns}`, `${seed}`, ...(world === undefined ? [] : [world])];
  return JSON.parse(await step(`simulating ${world ?? "two days"}`, program, args, { cwd: ROOT, env: TOOL_ENV }));
}

/** The worst overspend as a part of the budget, beyond so many impressions. */
export function overspend(campaigns: Day[], impressions: number): number {
  const over = campaigns.map(({ spent, impression, budget }) => (spent - impressions * impression) / budget - 1);
  return Math.max(0, ...over);
}

/** A percentile of the age in seconds of the shares in use. */
export function age({ ages }: Simulated, part: number): number {
  const all = ages.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return ages.findIndex((count) => {
    seen += count;
    return seen >= part * all;
  });
}
