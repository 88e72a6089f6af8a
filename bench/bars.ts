//! A bar chart: one line for each row, one panel for each number. Each panel has its own scale. Plain SVG without
//! scripts or embedded fonts, in colours for the reader's light or dark scheme.

import type { Column, Row } from "./rows.ts";
import { digits } from "./units.ts";

export interface Chart {
  title: string;
  /** Explains the bars, below the title. */
  note: string;
  rows: readonly Row[];
  /** A value that a row does not have is a dash. */
  panels: readonly Column[];
}

const WIDTH = 920;
const LEFT = 190;
const TOP = 84;
const LINE = 25;
const BAR = 16;
/** Pixels for the value after the longest bar. */
const BEHIND = 74;

const STYLE = `
text { font: 13px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.note { fill: #59636e; font-size: 12px }
.head { font-weight: 600 }
.strong { font-weight: 700; fill: #0550ae }
.ours { fill: #0969da } .other { fill: #c5ccd3 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #9198a1 }
  .strong { fill: #79c0ff }
  .ours { fill: #4493f8 } .other { fill: #4a525c }
}`;

/** Whether a row is of edgebid. In every suite, the names of such rows begin with one of these words. */
export function isOurs(name: string): boolean {
  return /^(edgebid|bidder)/.test(name);
}

/** `foot`: where and when it was measured. */
export function bars({ title, note, rows, panels }: Chart, foot: string): string {
  const height = TOP + rows.length * LINE + 42;
  const width = (WIDTH - LEFT) / panels.length;
  const labels = rows.map(({ name }, line) => text(LEFT - 12, line, name, isOurs(name), ` text-anchor="end"`));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t d">
<title id="t">${escaped(title)}</title>
<desc id="d">${escaped(panels.map((panel) => described(panel, rows)).join("; "))}</desc>
<style>${STYLE}
</style>
<text x="0" y="20" class="title">${escaped(title)}</text>
<text x="0" y="40" class="note">${escaped(note)}</text>
${[...labels, ...panels.flatMap((panel, at) => drawn(panel, rows, round(LEFT + at * width), width))].join("\n")}
<text x="0" y="${height - 12}" class="note">${escaped(foot)}</text>
</svg>
`;
}

function drawn([title, value, written = digits]: Column, rows: readonly Row[], x: number, width: number): string[] {
  const values = rows.map((row) => value(row) ?? Number.NaN);
  const longest = Math.max(...values.filter(Number.isFinite));
  const lines = rows.flatMap(({ name }, line) => {
    const value = values[line] ?? Number.NaN;
    if (!Number.isFinite(value)) return [text(x, line, "–", false)];
    const length = round(Math.max(1.5, (value / longest) * (width - BEHIND)));
    const kind = isOurs(name) ? "ours" : "other";
    const y = TOP + line * LINE + (LINE - BAR) / 2;
    return [
      `<rect x="${x}" y="${y}" width="${length}" height="${BAR}" rx="2" class="${kind}"/>`,
      text(round(x + length + 5), line, written(value), isOurs(name)),
    ];
  });
  return [`<text x="${x}" y="${TOP - 14}" class="head">${escaped(title)}</text>`, ...lines];
}

function text(x: number, line: number, content: string, isStrong: boolean, more = ""): string {
  const strong = isStrong ? ` class="strong"` : "";
  return `<text x="${x}" y="${TOP + line * LINE + LINE / 2 + 4.5}"${more}${strong}>${escaped(content)}</text>`;
}

/** The numbers of a panel, for readers who cannot see the chart. */
function described([title, value, written = digits]: Column, rows: readonly Row[]): string {
  const texts = rows.flatMap((row) => {
    const of = value(row) ?? Number.NaN;
    return Number.isFinite(of) ? [`${row.name} ${written(of)}`] : [];
  });
  return `${title}: ${texts.join(", ")}`;
}

/** Rounds to a tenth of a pixel. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
