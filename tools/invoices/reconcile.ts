//! `edgebid reconcile`: compares an exchange's daily figures with the ledger, and computes the `invoice_ratio`. Prints
//! a note if the amounts may be in another currency. No float holds an amount.

import { styleText } from "node:util";
import { Failure } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import { print } from "../../cli/catalog/print.ts";
import { readInput } from "../../cli/input.ts";
import { alarmsText, missingAlarms } from "../../cli/money/alarms.ts";
import { type Report, reportOf } from "../../cli/money/client.ts";
import { countsText } from "../../cli/money/counts.ts";
import { money, number, shown, table, text } from "../../cli/money/table.ts";
import type { Counts } from "../../shared/formats/format.ts";
import { decimal, nanosOf, rounded } from "../../shared/report/decimal.ts";
import { sumsOf as countsOf } from "../../shared/report/totals.ts";
import { dayAt, HOUR_MS } from "../../shared/time/days.ts";
import { type Columns, columnsOf, type Figures, readInvoice } from "./invoice.ts";

/** Options of the command. */
export interface ReconcileOptions {
  ssp: string;
  cur: string;
  columns?: string;
  url: string;
  json?: boolean;
}

/** One day. A source without figures is null. */
interface Day {
  day: string;
  invoice: Figures | null;
  ledger: Figures | null;
}

type Source = "invoice" | "ledger";

/** The figures of both sources. */
type Both = Record<Source, Figures>;

/** The ratios that the catalog takes, in billionths. */
const LEAST_RATIO = 500_000_000n;
const MOST_RATIO = 2_000_000_000n;

/** Beyond these ratios, in billionths, the cause is probably not lost notices. */
const LEAST_USUAL = 950_000_000n;
const MOST_USUAL = 1_050_000_000n;

/**
 * Prints the comparison. Throws {@link Failure} if the file cannot be read, the bidder gives no
 * report, or the report does not have the SSP.
 */
export async function reconcile(file: string, options: ReconcileOptions): Promise<void> {
  const { ssp, cur, columns, url, json } = options;
  const named = columns === undefined ? {} : columnsOf(columns);
  const invoice = invoiceIn(file, cur, named);
  const days = [...invoice.keys()];
  // Days are those of the campaigns' time zones, which end up to 12 hours after UTC's.
  const today = dayAt(Date.now() - 12 * HOUR_MS);
  const query = { from: days[0] ?? "", to: days.at(-1) ?? "", by: "day,ssp" };
  const report = await reportOf(url, query);
  process.stderr.write(alarmsText(missingAlarms(report.missing)));
  checkSsp(report, ssp);
  const compared = joined(invoice, ledgerOf(report, ssp, cur));
  const open = compared.map(({ day }) => day).filter((day) => day >= today);
  print(json, { ...jsonOf(compared, options, report), open }, textOf(compared, options, report, open));
}

function invoiceIn(file: string, cur: string, columns: Columns): Map<string, Figures> {
  const bytes = readInput(file);
  try {
    return readInvoice(bytes, cur, columns);
  } catch (error) {
    throw error instanceof Failure ? new Failure(`${file}: ${error.message}`) : error;
  }
}

/** Throws {@link Failure} if the ledger does not know the SSP on these days, not even by a bid. */
function checkSsp({ rows }: Report, ssp: string): void {
  const known = [...new Set(rows.map((row) => row.ssp ?? "").filter((id) => id !== ""))];
  if (known.includes(ssp)) return;
  const others = known.length > 0 ? `; it has ${known.map(shown).join(", ")}` : "";
  throw new Failure(`the ledger has nothing of ${shown(ssp)} on these days${others}`);
}

/** The ledger's figures of one SSP by day. Days without a billed impression are left out. */
function ledgerOf({ rows }: Report, ssp: string, cur: string): Map<string, Figures> {
  const days = new Map<string, Figures>();
  for (const row of rows) {
    if (row.ssp !== ssp || row.billed === 0 || row.day === undefined) continue;
    if (cur !== "USD" && row.cur !== cur)
      throw new Failure(
        `on ${row.day}, campaigns in ${row.cur} spent at ${ssp}, so the ledger has no sum in ${cur}; ` +
          "convert the invoice and compare in USD",
      );
    const nanos = nanosOf(cur === "USD" ? row.spend_usd : row.spend) ?? 0n;
    days.set(row.day, sumOf([days.get(row.day) ?? null, { impressions: row.billed, nanos }]));
  }
  return days;
}

function sumOf(all: (Figures | null)[]): Figures {
  return {
    impressions: all.reduce((sum, one) => sum + (one?.impressions ?? 0), 0),
    nanos: all.reduce((sum, one) => sum + (one?.nanos ?? 0n), 0n),
  };
}

/** All days of both sources, the first first. A source without impressions and spend has no figures. */
export function joined(invoice: Map<string, Figures>, ledger: Map<string, Figures>): Day[] {
  const known = (figures: Figures | undefined) => (figures?.impressions || figures?.nanos ? figures : null);
  return [...new Set([...invoice.keys(), ...ledger.keys()])]
    .sort()
    .map((day) => ({ day, invoice: known(invoice.get(day)), ledger: known(ledger.get(day)) }));
}

function isBoth(day: Pick<Day, Source>): day is Both {
  return day.invoice !== null && day.ledger !== null;
}

/** The sums over the days that both sources have. */
export function sumsOf(days: Day[]): Both {
  const both = days.filter(isBoth);
  return { invoice: sumOf(both.map(({ invoice }) => invoice)), ledger: sumOf(both.map(({ ledger }) => ledger)) };
}

/** Invoice / ledger with at most six decimals; null if no ratio above 0 follows. */
export function ratioOf({ invoice, ledger }: Both): string | null {
  if (ledger.nanos <= 0n || invoice.nanos <= 0n) return null;
  return rounded(invoice.nanos, ledger.nanos, 6).replace(/\.?0+$/, "");
}

/** The invoice minus the ledger; null if a source has no figures. */
function differenceOf(day: Pick<Day, Source>) {
  if (!isBoth(day)) return null;
  const { invoice, ledger } = day;
  /** In per cent with two decimals; empty if the ledger has 0. */
  const percent = (invoice: bigint, ledger: bigint) =>
    ledger === 0n ? "" : rounded((invoice - ledger) * 100n, ledger, 2);
  return {
    impressions: invoice.impressions - ledger.impressions,
    impressions_percent: percent(BigInt(invoice.impressions), BigInt(ledger.impressions)),
    spend: decimal(invoice.nanos - ledger.nanos),
    spend_percent: percent(invoice.nanos, ledger.nanos),
  };
}

function jsonOf(days: Day[], { ssp, cur }: ReconcileOptions, report: Report): object {
  const plain = (figures: Figures | null) =>
    figures && { impressions: figures.impressions, spend: decimal(figures.nanos) };
  const compared = ({ invoice, ledger }: Pick<Day, Source>) => ({
    ...{ invoice: plain(invoice), ledger: plain(ledger), difference: differenceOf({ invoice, ledger }) },
  });
  const sums = sumsOf(days);
  return {
    ...{ ssp, cur },
    days: days.map((day) => ({ day: day.day, ...compared(day) })),
    both: compared(sums),
    missing_in_ledger: missing(days, "ledger", "invoice"),
    missing_in_invoice: missing(days, "invoice", "ledger"),
    refused: refusedOf(report, ssp),
    invoice_ratio: ratioOf(sums),
  };
}

/** The notices of an SSP that booked nothing, by day and reason. */
function refusedOf({ rows }: Report, ssp: string): Record<string, Counts> {
  const refused = rows.filter((row) => row.ssp === ssp && Object.keys(row.refused).length > 0);
  const days = Map.groupBy(refused, ({ day = "" }) => day);
  return Object.fromEntries([...days].sort().map(([day, all]) => [day, countsOf(all.map(({ refused }) => refused))]));
}

/** The days that only the other source has. */
function missing(days: Day[], source: Source, other: Source): string[] {
  return days.filter((day) => day[source] === null && day[other] !== null).map(({ day }) => day);
}

/** The comparison as text. `open`: the days that are not over, whose bills still come. */
function textOf(days: Day[], { ssp, cur }: ReconcileOptions, report: Report, open: string[]): string {
  const sums = sumsOf(days);
  const lines = daysTable(days, days.some(isBoth) ? [{ day: "both have", ...sums }] : [], shown(cur));
  const [noLedger, noInvoice] = [missing(days, "ledger", "invoice"), missing(days, "invoice", "ledger")];
  if (noLedger.length > 0) lines.push("", `days without a bill in the ledger: ${noLedger.join(", ")}`);
  if (noInvoice.length > 0) lines.push("", `days without an impression in the invoice: ${noInvoice.join(", ")}`);
  const refused = Object.entries(refusedOf(report, ssp)).map(([day, counts]) => `  ${day}  ${countsText(counts)}`);
  if (refused.length > 0)
    lines.push(
      "",
      "notices that booked nothing, by reason:",
      ...refused,
      `  ${page("money.md#when-a-notice-books-nothing")}`,
    );
  return [...lines, ...currencyLines(report, ssp, cur), "", ...ratioLines(sums, ssp, open)].join("\n");
}

/** A note if all spend at the SSP has one currency, and the invoice was read in another one. */
function currencyLines({ rows }: Report, ssp: string, cur: string): string[] {
  const spent = new Set(rows.filter((row) => row.ssp === ssp && row.billed > 0).map((row) => row.cur));
  const [only] = spent;
  if (spent.size !== 1 || only === undefined || only === cur) return [];
  const question = `if the invoice is in ${shown(only)} too, add --cur ${shown(only)}.`;
  return ["", `${NOTE} all campaigns that spent at ${shown(ssp)} have ${shown(only)}; ${question}`];
}

function daysTable(days: Day[], sums: Day[], cur: string): string[] {
  return table<Day>(
    [
      text("day", ({ day }) => day),
      number("invoice imps", ({ invoice }) => invoice?.impressions),
      number("ledger imps", ({ ledger }) => ledger?.impressions),
      number("difference", (day) => differenceOf(day)?.impressions),
      number("%", (day) => differenceOf(day)?.impressions_percent || undefined),
      money(`invoice ${cur}`, ({ invoice }) => invoice?.nanos ?? null),
      money(`ledger ${cur}`, ({ ledger }) => ledger?.nanos ?? null),
      money("difference", (day) => (isBoth(day) ? day.invoice.nanos - day.ledger.nanos : null)),
      number("%", (day) => differenceOf(day)?.spend_percent || undefined),
    ],
    days,
    sums,
  );
}

const NOTE = styleText("yellow", "note");

function ratioLines(sums: Both, ssp: string, open: string[]): string[] {
  const ratio = ratioOf(sums);
  if (ratio === null) return ["no invoice_ratio follows: both sides need spend on the same day"];
  const nanos = nanosOf(ratio) ?? 0n;
  const isAllowed = LEAST_RATIO <= nanos && nanos <= MOST_RATIO;
  const told = `invoice / ledger, over the days that both have, is ${ratio}`;
  if (open.length > 0)
    return [
      told,
      "",
      `${NOTE} ${open.join(", ")} is not over in every time zone: its bills still come, so no invoice_ratio follows yet`,
    ];
  if (ratio === "1") return [`${told}: no invoice_ratio is needed`];
  if (nanos < LEAST_USUAL || nanos > MOST_USUAL)
    return [
      `${told}${isAllowed ? "" : "; the catalog takes 0.5 to 2"}`,
      "",
      `${NOTE} a ratio over 1.05 or under 0.95 is more than lost notices explain. Find the cause before you write it into`,
      "the catalog. Look at the days first: another time zone, another currency, fees, or only a part of the traffic.",
    ];
  return [
    "invoice / ledger, over the days that both have; put this line into the record of the SSP",
    `${shown(ssp)} in the catalog:`,
    "",
    `  "invoice_ratio": ${JSON.stringify(ratio)}`,
  ];
}
