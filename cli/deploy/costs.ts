//! `edgebid costs`: estimates Cloudflare's bill for a bidder in a month, at the list prices in `prices.json`. Needs no
//! network. Amounts of money are billionths of a dollar.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../build/tools.mjs";
import { NANOS, nanosOf, rounded } from "../../shared/report/decimal.ts";
import { print } from "../catalog/print.ts";
import { grouped, number, table, text } from "../money/table.ts";
import { type Item, type Load, type Part, readCounts, SECONDS, usage } from "./usage.ts";

/** Options of the command. */
export interface CostsOptions extends Omit<Load, "rate"> {
  rate: number[];
  json?: boolean;
}

/** The list prices of a plan. `month`: when they were read on the pages that `source` names. */
export interface Prices {
  plan: string;
  month: string;
  items: Record<Item | "plan", Price>;
}

interface Price {
  /** The unit that costs `usd`: a month, or a million of something. */
  unit: string;
  usd: string;
  /** The amount in a month that is free. */
  included?: number;
  source: string;
}

/** One line of a bill. */
export interface Line {
  item: Item | "plan";
  amount: number;
  nanos: bigint;
}

/** The costs of one rate. */
interface Costs {
  rate: number;
  parts: Part[];
  lines: Line[];
  total: bigint;
}

/** Prints a column for each rate; with one rate, also the parts of each amount. */
export function costs({ rate: rates, json, ...load }: CostsOptions): void {
  const [counts, prices] = [readCounts(), readPrices()];
  const all = rates.map((rate): Costs => {
    const parts = usage({ ...load, rate }, counts);
    const lines = billOf(parts, prices);
    return { rate, parts, lines, total: totalOf(lines) };
  });
  const [first, second] = all;
  const detail = first && !second ? ["", ...partTable(first, prices)] : [];
  const text = [`${settingsText(load, prices)}\n`, ...costTable(all), ...detail].join("\n");
  const told = { days: SECONDS / 86_400, load, counts, prices, costs: all.map(jsonOf) };
  print(json, told, text);
}

export function readPrices(): Prices {
  return JSON.parse(readFileSync(join(ROOT, "cli/deploy/prices.json"), "utf8"));
}

/** A line for the plan and for each item, in the order of the prices. */
export function billOf(parts: Part[], { items }: Prices): Line[] {
  return (Object.entries(items) as [Item | "plan", Price][]).map(([item, { usd, included = 0 }]) => {
    if (item === "plan") return { item, amount: 1, nanos: nanosOf(usd) ?? 0n };
    const amount = parts.reduce((sum, part) => sum + (part.item === item ? part.amount : 0), 0);
    return { item, amount, nanos: listed(Math.max(0, amount - included), usd) };
  });
}

/** The list price of an amount, with nothing subtracted for the plan. */
function listed(amount: number, usd: string): bigint {
  return (BigInt(amount) * (nanosOf(usd) ?? 0n)) / 1_000_000n;
}

export function totalOf(lines: Line[]): bigint {
  return lines.reduce((sum, { nanos }) => sum + nanos, 0n);
}

function settingsText(
  { bids, wins, notices, budgets, caps, events, metrics }: Omit<Load, "rate">,
  { plan, month }: Prices,
): string {
  const used = [
    { all: "all notices", billing: "billing notices", off: "no notices" }[notices],
    ...(budgets ? ["budgets"] : []),
    ...(caps > 0 ? [`frequency caps on ${percent(caps)} of the bids`] : []),
    events === null ? "no queue" : "events",
    ...(metrics ? ["counters"] : []),
  ];
  return (
    `US dollars for 30 days, list prices of the ${plan} plan, ${month}.\n` +
    `${percent(bids)} of the requests get a bid, ${percent(wins)} of the bids win; ${used.join(", ")}.`
  );
}

function costTable(all: Costs[]): string[] {
  const columns = [
    text<string[]>("requests a second", ([name = ""]) => name),
    ...all.map(({ rate }, at) => number<string[]>(grouped(rate), (cells) => cells[at + 1])),
  ];
  // All bills have the same items in the same order.
  const rows = (all[0]?.lines ?? []).flatMap(({ item }, row) => {
    const lines = all.flatMap(({ lines }) => lines[row] ?? []);
    return lines.some(({ amount }) => amount > 0) ? [[item, ...lines.map(({ nanos }) => dollars(nanos))]] : [];
  });
  return table(columns, rows, [
    ["a month", ...all.map(({ total }) => dollars(total))],
    ["a million requests", ...all.map(({ rate, total }) => dollars(perMillion(total, rate), 3))],
    ["most of it", ...all.map(largest)],
  ]);
}

/** The amount and the list price of each part. */
function partTable({ parts }: Costs, { items }: Prices): string[] {
  const columns = [
    text<Part>("item", ({ item }) => item),
    text<Part>("used by", ({ what }) => what),
    number<Part>("amount", ({ amount }) => amount),
    number<Part>("list price", ({ item, amount }) => dollars(listed(amount, items[item].usd))),
  ];
  const rows = Object.keys(items).flatMap((name) => parts.filter(({ item }) => item === name));
  return [
    ...table(columns, rows),
    "",
    "list price: nothing is subtracted that the plan includes, so the sum is more than a month above",
  ];
}

/** The item that costs most, and its share. */
function largest({ lines, total }: Costs): string {
  const most = lines.reduce((most, line) => (line.nanos > most.nanos ? line : most));
  return `${most.item} ${Math.round((Number(most.nanos) * 100) / Number(total))} %`;
}

function perMillion(total: bigint, rate: number): bigint {
  return (total * 1_000_000n) / BigInt(Math.round(rate * SECONDS));
}

function dollars(nanos: bigint, decimals = 2): string {
  return grouped(rounded(nanos, NANOS, decimals));
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

function jsonOf({ rate, parts, lines, total }: Costs) {
  const usd = (nanos: bigint) => rounded(nanos, NANOS, 2);
  const items = lines.map(({ item, amount, nanos }) => ({ item, amount, usd: usd(nanos) }));
  return { rate, usd: usd(total), items, parts };
}
