//! All results of a day as one self-contained page. It contains its styles and charts, and has no script. The page
//! follows the reader's light or dark scheme.
//!
//! It works for any suite, because every suite has only tables, charts and checks.

import { escaped, isOurs } from "../bars.ts";
import { amount, bound, GOALS, isMet } from "../goals.ts";
import { digits } from "../statistics.ts";
import type { Report, Table } from "../suite.ts";
import { STYLE } from "./style.ts";

/** Tables with at most this many rows are open at first. */
const MOST_OPEN = 20;

export function html(reports: Report[]): string {
  const days = [...new Set(reports.map(({ date }) => date.slice(0, 10)))].join(", ");
  const title = `edgebid, measured on ${days}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<header>
<h1>${escaped(title)}</h1>
${reports.some(({ quick }) => quick) ? `<p class="warning">A quick run: too few rounds for comparisons.</p>` : ""}
<nav>${reports.map(({ suite }) => `<a href="#${suite}">${suite}</a>`).join(" ")}</nav>
</header>
<main>
${goals(reports)}
${reports.map(section).join("\n")}
</main>
</html>
`;
}

/** The goals come first, because most readers want to know them. */
function goals(reports: Report[]): string {
  const lines = GOALS.flatMap((goal) => {
    const value = reports.find(({ checks }) => goal.check in checks)?.checks[goal.check];
    if (value === undefined) return [];
    const [verdict, share] = isMet(goal, value) ? ["met", 1] : ["missed", shortfall(goal, value)];
    const far = verdict === "met" ? "met" : `missed, ${digits(share)} times`;
    return `<tr><th scope="row">${code(goal.what)}</th><td>${amount(value)}</td><td>${bound(goal)}</td><td class="${verdict}">${far}</td></tr>`;
  });
  if (lines.length === 0) return "";
  return `<section id="goals"><h2>Goals</h2>
<div class="wide"><table><thead><tr><th>what</th><th>measured</th><th>goal</th><th>verdict</th></tr></thead>
<tbody>${lines.join("\n")}</tbody></table></div></section>`;
}

/** How many times the value is too large or too small. */
function shortfall({ min, max }: { min?: number; max?: number }, value: number): number {
  return min === undefined ? value / (max ?? 1) : min / value;
}

function section({ suite, summary, pictures, tables, checks, machine, versions, date }: Report): string {
  const ran = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const where = `${date.slice(0, 16).replace("T", " ")} UTC, ${machine.cpu}, ${machine.cores} cores, load ${machine.load} before; ${ran.join(", ")}`;
  const figures = Object.entries(checks).map(([name, value]) => [name, amount(value)]);
  return `<section id="${suite}"><h2>${suite}</h2>
<p class="note">${escaped(summary)}</p>
${Object.values(pictures).map(image).join("\n")}
${tables.map(folded).join("\n")}
${folded({ title: "checks", columns: ["check", "value"], rows: figures })}
<p class="note">${escaped(where)}</p>
</section>`;
}

/** Embeds a chart as an image, so that the styles of one chart do not affect another. */
function image(svg: string): string {
  const alt = /<desc[^>]*>(.*?)<\/desc>/s.exec(svg)?.[1] ?? "";
  const [, width = "", height = ""] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const data = Buffer.from(svg).toString("base64");
  return `<p class="picture"><img width="${width}" height="${height}" alt="${alt.replaceAll('"', "&quot;")}" src="data:image/svg+xml;base64,${data}"></p>`;
}

/** Most readers come for the charts, so a long table is closed at first. */
function folded(table: Table): string {
  const isOpen = table.rows.length <= MOST_OPEN;
  return `<details${isOpen ? " open" : ""}><summary>${escaped(table.title)}</summary>
${asHtml(table)}</details>`;
}

function asHtml({ columns, rows }: Table): string {
  const lines = rows.map((row) => {
    if (typeof row === "string") return `<tr><th class="group" colspan="${columns.length}">${escaped(row)}</th></tr>`;
    const [first = "", ...rest] = row;
    const cells = rest.map((cell) => `<td>${escaped(cell)}</td>`);
    return `<tr${isOurs(first) ? ` class="ours"` : ""}><th scope="row">${escaped(first)}</th>${cells.join("")}</tr>`;
  });
  const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join("");
  return `<div class="wide"><table><thead><tr>${head}</tr></thead>
<tbody>${lines.join("\n")}</tbody></table></div>`;
}

/** Text between backticks becomes code. */
function code(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}
