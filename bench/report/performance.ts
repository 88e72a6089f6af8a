//! Measurements in a page, between two markers; the table of goals in docs/performance.md.

import { goalTable } from "../goals.ts";
import type { Report } from "../suite.ts";
import { asMarkdown } from "../table.ts";

const BEGIN = "<!-- measured: written by `npm run bench` -->\n";
const END = "<!-- measured: end -->";

/** The text of the page with a new table in place of the old one. */
export function withTable(text: string, reports: Report[]): string {
  const machines = [...new Set(reports.map(({ machine: { cpu, cores } }) => `${cores} shared cores of ${cpu}`))];
  const foot = `\`A / B\` is a ratio, measured within one run. Machines: ${machines.join("; ")}.`;
  return withMeasured(text, `${asMarkdown(goalTable(reports))}\n${foot}\n`);
}

/** The text of a page with this in place of the measurements that it had. */
export function withMeasured(text: string, measured: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error("the page has no section for the table of measurements");
  return `${text.slice(0, begin + BEGIN.length)}${measured}${text.slice(end)}`;
}
