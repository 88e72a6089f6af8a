//! `edgebid costs`: what Cloudflare bills for a bidder in a month, at list prices. Asks nobody.

import { NANOS, rounded } from "../../worker/src/report/decimal.ts";
import { grouped, number, table, text } from "../money/table.ts";
import { billOf, type Line, listed, type Prices, readPrices, totalOf } from "./bill.ts";
import { type Load, type Part, readCounts, SECONDS, usage } from "./usage.ts";

/** Options of the command. */
export interface CostsOptions extends Omit<Load, "rate"> {
  rate: number[];
  json?: boolean;
}

/** The costs of one rate. */
interface Costs {
  rate: number;
  parts: Part[];
  lines: Line[];
  total: bigint;
}

/** Prints a column for each rate; with one rate, also what the amounts consist of. */
export function costs({ rate: rates, json, ...load }: CostsOptions): void {
  const [counts, prices] = [readCounts(), readPrices()];
  const all = rates.map((rate): Costs => {
    const parts = usage({ ...load, rate }, counts);
    const lines = billOf(parts, prices);
    return { rate, parts, lines, total: totalOf(lines) };
  });
  const [first] = all;
  const detail = first !== undefined && all.length === 1 ? ["", ...partTable(first, prices)] : [];
  const text = [`${settingsText(load, prices)}\n`, ...costTable(all), ...detail].join("\n");
  const told = { days: SECONDS / 86_400, load, counts, prices, costs: all.map(jsonOf) };
  process.stdout.write(`${json ? JSON.stringify(told, null, 2) : text}\n`);
}

function settingsText(
  { bids, wins, notices, budgets, caps, events, metrics }: Omit<Load, "rate">,
  prices: Prices,
): string {
  const used = [
    notices === "all" ? "all notices" : notices === "billing" ? "billing notices" : "no notices",
    ...(budgets ? ["budgets"] : []),
    ...(caps > 0 ? [`frequency caps on ${percent(caps)} of the bids`] : []),
    events === null ? "no queue" : "events",
    ...(metrics ? ["counters"] : []),
  ];
  return (
    `US dollars for 30 days, list prices of the ${prices.plan} plan, ${prices.month}.\n` +
    `${percent(bids)} of the requests get a bid, ${percent(wins)} of the bids win; ${used.join(", ")}.`
  );
}

function costTable(all: Costs[]): string[] {
  const columns = [
    text<string[]>("requests a second", ([name = ""]) => name),
    ...all.map(({ rate }, at) => number<string[]>(grouped(`${rate}`), (cells) => cells[at + 1])),
  ];
  const items = all[0]?.lines.map(({ item }) => item) ?? [];
  const rows = items
    .filter((item) => item === "plan" || all.some(({ lines }) => amountOf(lines, item) > 0))
    .map((item) => [item, ...all.map(({ lines }) => dollars(lines.find((line) => line.item === item)?.nanos ?? 0n))]);
  return table(columns, rows, [
    ["a month", ...all.map(({ total }) => dollars(total))],
    ["a million requests", ...all.map(({ rate, total }) => dollars(perMillion(total, rate), 3))],
    ["most of it", ...all.map(largest)],
  ]);
}

/** What uses which amount, and its price without what is included. */
function partTable({ parts }: Costs, { items }: Prices): string[] {
  const columns = [
    text<Part>("item", ({ item }) => item),
    text<Part>("used by", ({ what }) => what),
    number<Part>("amount", ({ amount }) => amount),
    number<Part>("list price", ({ item, amount }) => dollars(listed(amount, items[item].usd))),
  ];
  return table(
    columns,
    Object.keys(items).flatMap((name) => parts.filter(({ item }) => item === name)),
  );
}

/** The item that costs most, and its share. */
function largest({ lines, total }: Costs): string {
  const most = lines.reduce((most, line) => (line.nanos > most.nanos ? line : most));
  return `${most.item} ${Math.round((Number(most.nanos) * 100) / Number(total))} %`;
}

function perMillion(total: bigint, rate: number): bigint {
  return (total * 1_000_000n) / BigInt(Math.round(rate * SECONDS));
}

function amountOf(lines: Line[], item: string): number {
  return lines.find((line) => line.item === item)?.amount ?? 0;
}

function dollars(nanos: bigint, places = 2): string {
  return grouped(rounded(nanos, NANOS, places));
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

function jsonOf({ rate, parts, lines, total }: Costs) {
  const items = lines.map(({ item, amount, nanos }) => ({ item, amount, usd: rounded(nanos, NANOS, 2) }));
  return { rate, usd: rounded(total, NANOS, 2), items, parts };
}
