//! Stores results, and writes the page and the table in docs/performance.md from them.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COUNTS_FILE } from "../cli/deploy/usage.ts";
import { ROOT } from "../cli/tools.mjs";
import { countsOf } from "./report/counts.ts";
import { html } from "./report/html.ts";
import { withTable } from "./report/performance.ts";
import type { Row } from "./rows.ts";
import { median } from "./statistics.ts";
import type { Report } from "./suite.ts";

const RESULTS = fileURLToPath(new URL("results", import.meta.url));
/** Quick runs go here: to look at, not to keep. */
const QUICK = join(ROOT, "target/bench/quick");
const PAGE = join(ROOT, "docs/performance.md");

/**
 * Writes a result, the page of its day, the charts, the table in docs/performance.md, and the figures of `edgebid costs`.
 * Returns the paths it wrote.
 */
export function keep(report: Report): string[] {
  const root = report.quick ? QUICK : RESULTS;
  const folder = report.quick ? root : join(root, report.date.slice(0, 10));
  mkdirSync(folder, { recursive: true });
  const own = join(folder, `${report.suite}.json`);
  writeFileSync(own, json(report));
  const files = new Map([[join(folder, "report.html"), html(read(folder))]]);
  if (!report.quick) {
    for (const [name, picture] of Object.entries(report.pictures)) files.set(join(root, name), picture);
    files.set(PAGE, withTable(readFileSync(PAGE, "utf8"), newest()));
    files.set(join(ROOT, COUNTS_FILE), countsText());
  }
  for (const [path, content] of files) writeFileSync(path, content);
  return [own, ...files.keys()].map((path) => path.slice(ROOT.length + 1));
}

/** The results in a file or folder, oldest first. */
export function read(path: string): Report[] {
  const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
  const reports = files.filter((name) => name.endsWith(".json")).map((name) => JSON.parse(readFileSync(name, "utf8")));
  return reports.sort((a: Report, b: Report) => a.date.localeCompare(b.date));
}

/** The text of the file with the figures of `edgebid costs`. */
export function countsText(): string {
  return `${JSON.stringify(countsOf(newest()), null, 2)}\n`;
}

/** The newest result of each suite. */
function newest(): Report[] {
  const days = readdirSync(RESULTS).map((name) => join(RESULTS, name));
  const all = days.filter((path) => statSync(path).isDirectory()).flatMap(read);
  return [...new Map(all.map((report) => [report.suite, report])).values()];
}

/** Indented JSON, with each list of numbers on one line, and medians in place of turns. */
function json(report: Report): string {
  const kept = (name: string, value: unknown) => (name === "turns" ? medians(value as Row["turns"]) : value);
  return `${JSON.stringify(report, kept, 2).replace(/\[\s+([^[\]{}"]+?)\s+\]/g, (_, items) => `[${items.replace(/\s+/g, " ")}]`)}\n`;
}

function medians(turns: Row["turns"]): Record<string, number> {
  return Object.fromEntries(Object.entries(turns).map(([what, values]) => [what, median(values)]));
}
