//! Where results are kept, and what is made of them.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../cli/setup.mjs";
import { html } from "./report/html.ts";
import { withTable } from "./report/readme.ts";
import type { Report } from "./suite.ts";

const RESULTS = fileURLToPath(new URL("results", import.meta.url));
/** Of quick runs: to look at, not to keep. */
const QUICK = join(ROOT, "target/bench/quick");
const README = join(ROOT, "README.md");

/** Writes a result, the page of all results of its day, and what the README shows. Returns what it has written. */
export function keep(report: Report): string[] {
  const root = report.quick ? QUICK : RESULTS;
  const folder = report.quick ? root : join(root, report.date.slice(0, 10));
  mkdirSync(folder, { recursive: true });
  const files = new Map([[join(folder, `${report.suite}.json`), json(report)]]);
  for (const [path, content] of files) writeFileSync(path, content);
  const rest = new Map([[join(folder, "report.html"), html(read(folder))]]);
  if (!report.quick) {
    for (const [name, picture] of Object.entries(report.pictures)) rest.set(join(root, name), picture);
    rest.set(README, withTable(readFileSync(README, "utf8"), newest()));
  }
  for (const [path, content] of rest) writeFileSync(path, content);
  return [...files.keys(), ...rest.keys()].map((path) => path.slice(ROOT.length + 1));
}

/** The results in a file or a folder, in the order in which they were measured. */
export function read(path: string): Report[] {
  const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
  const reports = files.filter((name) => name.endsWith(".json")).map((name) => JSON.parse(readFileSync(name, "utf8")));
  return reports.sort((a: Report, b: Report) => a.date.localeCompare(b.date));
}

/** The last result of each suite, of whatever day. */
function newest(): Report[] {
  const days = readdirSync(RESULTS).map((name) => join(RESULTS, name));
  const all = days.filter((path) => statSync(path).isDirectory()).flatMap(read);
  return [...new Map(all.map((report) => [report.suite, report])).values()];
}

/** Indented, with lists of numbers on one line; without single turns, which nothing reads from a file. */
function json(report: Report): string {
  const kept = (name: string, value: unknown) => (/^turns(_us)?$/.test(name) ? undefined : value);
  return `${JSON.stringify(report, kept, 2).replace(/\[\s+([^[\]{}"]+?)\s+\]/g, (_, items) => `[${items.replace(/\s+/g, " ")}]`)}\n`;
}
