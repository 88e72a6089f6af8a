//! `edgebid report`: asks a bidder for a report, and prints it as a table with a chart, as JSON or as CSV.

import { type Comparison, comparisonsOf, comparisonText } from "../../shared/report/comparison.ts";
import { MISSING_HEADER } from "../../shared/report/formats.ts";
import { lossText } from "../../shared/report/losses.ts";
import type { Row } from "../../shared/report/rows.ts";
import { amountOf, rateText, totalOf } from "../../shared/report/totals.ts";
import { DAY_MS, dayAt } from "../../shared/time/days.ts";
import { print } from "../catalog/print.ts";
import { alarmsText, missingAlarms } from "./alarms.ts";
import { ask, type Report, reportOf } from "./client.ts";
import { countsText } from "./counts.ts";
import { bars, type Column, money, number, shown, table, text } from "./table.ts";

/** Options of the command. */
export interface ReportOptions {
  from?: string;
  to?: string;
  today?: boolean;
  yesterday?: boolean;
  by: string;
  campaign?: string;
  url: string;
  json?: boolean;
  csv?: boolean;
  shading?: boolean;
}

/** Prints the report. Throws `Failure` if the bidder gives none. */
export async function report(options: ReportOptions): Promise<void> {
  const { from, to, yesterday, by, campaign, url, json, csv, shading } = options;
  const day = yesterday ? dayAt(Date.now() - DAY_MS) : undefined;
  const [first, last] = [from ?? day, to ?? day];
  const query = {
    ...(first && { from: first }),
    ...(last && { to: last }),
    ...(campaign !== undefined && { campaign }),
    by,
  };
  if (shading) {
    const { rows, missing } = await reportOf(url, { ...query, by: "day,hour,campaign,ssp,version" });
    process.stderr.write(alarmsText(missingAlarms(missing)));
    const gains = gainsOf(rows);
    return print(json, gains, gains.length > 0 ? gains.map(gainText).join("\n") : NO_GAINS);
  }
  if (csv) {
    const { headers, text } = await ask(url, "report", { query, accept: "text/csv" });
    process.stderr.write(alarmsText(missingAlarms(headers.get(MISSING_HEADER)?.split(", "))));
    process.stdout.write(text);
    return;
  }
  const found = await reportOf(url, query);
  const comparisons = found.by.includes("version")
    ? comparisonsOf((await reportOf(url, { ...query, by: "day,hour,version" })).rows)
    : null;
  const lines = [reportText(found), ...(comparisons ? ["", ...comparisonLines(comparisons)] : [])];
  // A program that reads the report gets nothing else on the standard output.
  process[json ? "stderr" : "stdout"].write(alarmsText(missingAlarms(found.missing)));
  print(json, { ...found, ...(comparisons && { comparisons }) }, lines.join("\n"));
}

/** What learned shading changes for a campaign at an SSP, against the bids that are made without it. */
interface Gain {
  campaign: string;
  ssp: string;
  comparisons: Comparison[];
}

const NO_GAINS = "no campaign with learn_shading has bids for comparison in these days";

function gainsOf(rows: Row[]): Gain[] {
  const pairs = Map.groupBy(rows, ({ campaign = "", ssp = "" }) => JSON.stringify([campaign, ssp]));
  return [...pairs.values()]
    .filter((own) => own.some(({ version }) => version === "unshaded"))
    .map((own) => {
      const [{ campaign = "", ssp = "" } = {}] = own;
      // Only hours with both are compared. In a split, both versions learn.
      const hours = new Set(own.filter(({ version }) => version === "unshaded").map(({ day, hour }) => hour || day));
      const sides = own
        .filter(({ day, hour }) => hours.has(hour || day))
        .map((row) => (row.version === "unshaded" ? row : { ...row, version: "" }));
      return { campaign, ssp, comparisons: comparisonsOf(sides, ["unshaded", ""]) };
    });
}

function gainText({ campaign, ssp, comparisons }: Gain): string {
  const texts = comparisons.map((comparison) => `  ${comparisonText(comparison, "with learned shading")}`);
  const known = texts.length > 0 ? texts : ["  no wins and bills of both yet"];
  return [`${shown(campaign)} at ${shown(ssp)}`, ...known].join("\n");
}

function comparisonLines(comparisons: Comparison[]): string[] {
  return comparisons.length > 0
    ? comparisons.map((comparison) => comparisonText(comparison))
    : ["no split has bids, wins and bills of both versions yet"];
}

function reportText(report: Report): string {
  const { from, to, by, rows } = report;
  const days = from === to ? from : `${from} to ${to}`;
  if (rows.length === 0) return `nothing was bid or billed: ${days}`;
  return [days, "", ...tableLines(rows, by), ...chartLines(report)].join("\n");
}

const COLUMNS: Column<Row>[] = [
  number("bids", ({ bids }) => bids),
  number("wins", ({ wins }) => wins),
  number("billed", ({ billed }) => billed),
  number("win rate", ({ win_rate }) => rateText(win_rate)),
  number("CPM", ({ price }) => price),
  money("spend", ({ spend }) => amountOf(spend)),
  text("cur", ({ cur }) => shown(cur)),
  money("USD", ({ spend_usd }) => amountOf(spend_usd)),
];

/** The most loss reasons in one cell. All reasons of refusals are shown. */
const MOST_LOSSES = 3;

/** Counts of notices by their reason. */
const COUNTS = ["losses", "refused", "differs"] as const;

/** These columns are left out if no row has such notices. */
const NOTES: { column: Column<Row>; isIn: (row: Row) => boolean }[] = [
  { column: number("assumed", ({ assumed }) => assumed), isIn: ({ assumed }) => assumed > 0 },
  ...COUNTS.map((name) => ({
    column:
      name === "losses"
        ? text<Row>("lost", ({ losses }) => countsText(losses, lossText, MOST_LOSSES))
        : text<Row>(name, (row) => countsText(row[name])),
    isIn: (row: Row) => Object.keys(row[name]).length > 0,
  })),
];

function tableLines(rows: Row[], by: Report["by"]): string[] {
  // Without attributes, the rows are the totals.
  const totals = by.length === 0 ? [] : [...Map.groupBy(rows, ({ cur }) => cur).values()].map((rows) => totalOf(rows));
  const names = by.map((name) => text<Row>(name, (row) => shown(row[name] ?? "")));
  const notes = NOTES.filter(({ isIn }) => rows.some(isIn)).map(({ column }) => column);
  const named = totals.map((sum) => ({ ...sum, ...(by[0] && { [by[0]]: "total" }) }));
  return table([...names, ...COLUMNS, ...notes], rows, named);
}

/** The most bars of a chart. */
const MOST_BARS = 31;

/** Spend in US dollars: a bar per day if there are several days, otherwise a bar per row. */
function chartLines({ from, to, by, rows }: Report): string[] {
  const isDaily = by.includes("day") && from !== to;
  const names = isDaily ? (["day"] as const) : by.filter((name) => name !== "day");
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    const label = names.map((name) => shown(row[name] || "–")).join(" / ");
    sums.set(label, (sums.get(label) ?? 0n) + amountOf(row.spend_usd));
  }
  const values = [...sums].map(([label, nanos]) => ({ label, nanos }));
  if (names.length === 0 || values.every(({ nanos }) => nanos <= 0n)) return [];
  const shownValues = isDaily ? values.slice(-MOST_BARS) : values.slice(0, MOST_BARS);
  const left = values.length - shownValues.length;
  const which = isDaily ? "the last days" : "the largest";
  const title = `spend in USD by ${names.join(", ")}${left > 0 ? `, ${which}` : ""}`;
  return ["", title, ...bars(shownValues)];
}
