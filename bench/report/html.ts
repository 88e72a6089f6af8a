//! Results as one self-contained page. It contains its styles and charts, and has no script. The page follows the
//! reader's light or dark scheme.
//!
//! It works for any suite, because every suite has only tables, charts and checks.

import { escaped } from "../bars.ts";
import { amount, goalTable } from "../goals.ts";
import type { Table } from "../rows.ts";
import type { Report } from "../suite.ts";
import { asHtml } from "../table.ts";

/** Tables with at most this many rows are open at first. */
const MOST_OPEN = 20;

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0 auto; max-width: 1360px; padding: 0 24px; font: 15px/1.5 system-ui, sans-serif }
section { border-top: 1px solid; padding: 24px 0 16px }
.note { font-size: 13px }
.warning { font-weight: 600 }
img { max-width: 100%; height: auto }
.wide { overflow-x: auto; margin: 16px 0 }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid #8884 }
th:first-child { text-align: left; font-weight: 400 }
thead th, th.group, tr.ours th, tr.ours td { font-weight: 600 }
summary { cursor: pointer; margin: 12px 0 }
`;

export function html(reports: Report[]): string {
  const days = [...new Set(reports.map(({ date }) => date.slice(0, 10)))].join(", ");
  const title = `edgebid, measured on ${days}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<header>
<h1>${escaped(title)}</h1>
${reports.some(({ quick }) => quick) ? `<p class="warning">A quick run: too few rounds for comparisons.</p>` : ""}
<nav>${reports.map(({ suite }) => `<a href="#${suite}">${suite}</a>`).join(" ")}</nav>
</header>
<main>
<section id="goals"><h2>Goals</h2>
${asHtml(goalTable(reports))}
</section>
${reports.map(section).join("\n")}
</main>
</html>
`;
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
  const data = Buffer.from(svg).toString("base64");
  return `<p><img alt="${alt.replaceAll('"', "&quot;")}" src="data:image/svg+xml;base64,${data}"></p>`;
}

/** Most readers come for the charts, so a long table is closed at first. */
function folded(table: Table): string {
  const isOpen = table.rows.length <= MOST_OPEN;
  return `<details${isOpen ? " open" : ""}><summary>${escaped(table.title)}</summary>
${asHtml(table)}</details>`;
}
