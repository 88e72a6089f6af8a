//! The bill of a month at Cloudflare's list prices: `prices.json`. Amounts of money are billionths of a dollar.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nanosOf } from "../../worker/src/report/decimal.ts";
import { ROOT } from "../tools.mjs";
import type { Item, Part } from "./usage.ts";

/** The list prices of a plan. `month`: when they were read on the pages that `source` names. */
export interface Prices {
  plan: string;
  month: string;
  items: Record<Item | "plan", Price>;
}

interface Price {
  /** What costs `usd`: a month, or a million of something. */
  unit: string;
  usd: string;
  /** The amount of a month that costs nothing. */
  included?: number;
  source: string;
}

/** One line of a bill. */
export interface Line {
  item: Item | "plan";
  amount: number;
  nanos: bigint;
}

/** Where the prices are, from the root. */
export const PRICES_FILE = "cli/deploy/prices.json";

export function readPrices(): Prices {
  return JSON.parse(readFileSync(join(ROOT, PRICES_FILE), "utf8"));
}

/** A line for the plan and for each item, in the order of the prices. */
export function billOf(parts: Part[], { items }: Prices): Line[] {
  return Object.entries(items).map(([name, { usd, included = 0 }]) => {
    const item = name as Item | "plan";
    if (item === "plan") return { item, amount: 1, nanos: nanosOf(usd) ?? 0n };
    const amount = parts.reduce((sum, part) => sum + (part.item === item ? part.amount : 0), 0);
    return { item, amount, nanos: listed(Math.max(0, amount - included), usd) };
  });
}

/** The price of an amount, without what is included. */
export function listed(amount: number, usd: string): bigint {
  return (BigInt(amount) * (nanosOf(usd) ?? 0n)) / 1_000_000n;
}

export function totalOf(lines: Line[]): bigint {
  return lines.reduce((sum, { nanos }) => sum + nanos, 0n);
}
