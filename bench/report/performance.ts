//! Measurements in a page, between two markers; the table of goals in docs/performance.md.

import { amount, bound, GOALS, isMet } from "../goals.ts";
import type { Report } from "../suite.ts";

const BEGIN = "<!-- measured: written by `npm run bench` -->\n";
const END = "<!-- measured: end -->";

/** The text of the page with a new table in place of the old one. */
export function withTable(text: string, reports: Report[]): string {
  return withMeasured(text, table(reports));
}

/** The text of a page with this in place of the measurements that it had. */
export function withMeasured(text: string, measured: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error("the page has no place for the table of measurements");
  return `${text.slice(0, begin + BEGIN.length)}${measured}${text.slice(end)}`;
}

function table(reports: Report[]): string {
  const lines = GOALS.flatMap((goal) => {
    const report = reports.find(({ checks }) => goal.check in checks);
    const value = report?.checks[goal.check];
    if (report === undefined || value === undefined) return [];
    const day = report.date.slice(0, 10);
    return `| ${goal.what} | ${isMet(goal, value) ? "" : "**"}${amount(value)}${isMet(goal, value) ? "" : "**"} | ${bound(goal)} | ${day} |`;
  });
  const machines = [...new Set(reports.map(({ machine: { cpu, cores } }) => `${cores} shared cores of ${cpu}`))];
  return [
    "| what | measured | goal | on |",
    "|---|---:|---:|---|",
    ...lines,
    "",
    `A bold figure misses its goal. \`A / B\` is a ratio, measured within one run. Machines: ${machines.join("; ")}.\n`,
  ].join("\n");
}
