//! Stores results, and writes the page and the table in docs/performance.md from them.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build/tools.mjs";
import { COUNTS_FILE, type Counts } from "../cli/deploy/usage.ts";
import { NO_BIDS_A_BID } from "./http/requests.ts";
import { html } from "./report/html.ts";
import { withTable } from "./report/performance.ts";
import type { Report } from "./suite.ts";

const RESULTS = join(ROOT, "bench/results");
/** Pages go here, and quick runs: to look at, not to keep. */
const SEEN = join(ROOT, "target/bench");
const PAGE = join(ROOT, "docs/performance.md");

/**
 * Writes a result, the page, the charts, the table in docs/performance.md, and the figures of `edgebid costs`. Returns
 * the paths it wrote.
 */
export function keep(report: Report): string[] {
  const folder = report.quick ? join(SEEN, "quick") : join(RESULTS, report.date.slice(0, 10));
  const own = join(folder, `${report.suite}.json`);
  write(own, stored(report));
  const files: [string, string][] = report.quick
    ? [[join(folder, "report.html"), html(read(folder))]]
    : [
        [join(SEEN, "report.html"), html(newest())],
        ...Object.entries(report.pictures).map(([name, svg]): [string, string] => [join(RESULTS, name), svg]),
        [PAGE, withTable(readFileSync(PAGE, "utf8"), newest())],
        [join(ROOT, COUNTS_FILE), countsText()],
      ];
  for (const [path, content] of files) write(path, content);
  return [own, ...files.map(([path]) => path)].map((path) => path.slice(ROOT.length + 1));
}

function write(path: string, content: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
}

/** The results in a file or folder, oldest first. */
export function read(path: string): Report[] {
  const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
  const reports = files.filter((name) => name.endsWith(".json")).map((name) => JSON.parse(readFileSync(name, "utf8")));
  return reports.sort((a: Report, b: Report) => a.date.localeCompare(b.date));
}

/**
 * The text of the file with the figures of `edgebid costs`: what the newest results say of the work of a request.
 * Throws if `http` or `pacing` has no result.
 */
export function countsText(): string {
  return `${JSON.stringify(countsOf(newest()), null, 2)}\n`;
}

function countsOf(reports: Report[]): Counts {
  const figure = (suite: string, of: (check: (name: string) => number) => number) => {
    const report = reports.find((report) => report.suite === suite);
    if (report === undefined) throw new Error(`${suite} needs a result`);
    const value = of((name) => report.checks[name] ?? Number.NaN);
    return { value: Number(value.toPrecision(3)), suite, date: report.date.slice(0, 10) };
  };
  const hasNotices = reports.some(({ suite }) => suite === "notices");
  return {
    no_bid_us: figure("http", (check) => check("http.cpu_us_no_bids")),
    bid_us: figure("http", (check) => check("http.cpu_us_bids")),
    // Of the production mix, each bid has an event.
    event_us: figure(
      "http",
      (check) => Math.max(0, check("http.cpu_us_events") - check("http.cpu_us")) * (NO_BIDS_A_BID + 1),
    ),
    state_kb: figure("pacing", (check) => check("pacing.saved_bytes") / 1000),
    ...(hasNotices && { rows_per_bill: figure("notices", (check) => check("notices.rows_per_bill")) }),
  };
}

/** The newest result of each suite. */
export function newest(): Report[] {
  const days = readdirSync(RESULTS).map((name) => join(RESULTS, name));
  const all = days.filter((path) => statSync(path).isDirectory()).flatMap(read);
  return [...new Map(all.map((report) => [report.suite, report])).values()];
}

/** Indented JSON without the rows, with each list of numbers on one line. */
function stored({ rows, ...report }: Report): string {
  const lines = JSON.stringify(report, null, 2);
  return `${lines.replace(/\[\s+([^[\]{}"]+?)\s+\]/g, (_, items) => `[${items.replace(/\s+/g, " ")}]`)}\n`;
}
