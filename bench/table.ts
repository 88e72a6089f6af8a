//! Writes tables: as text with aligned columns, as HTML, as Markdown.

import { escaped, isOurs } from "./bars.ts";
import type { Table } from "./rows.ts";

/** The first column is aligned left, the others right. */
export function asText({ title, columns, rows }: Table): string {
  const cells = rows.filter((row) => typeof row !== "string");
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ");
  const lines = rows.map((row) => (typeof row === "string" ? `\n${row}` : line(row)));
  return [`${title}\n`, line(columns), ...lines].join("\n");
}

export function asHtml({ columns, rows }: Table): string {
  const lines = rows.map((row) => {
    if (typeof row === "string") return `<tr><th class="group" colspan="${columns.length}">${escaped(row)}</th></tr>`;
    const [first = "", ...rest] = row;
    const cells = rest.map((cell) => `<td>${escaped(cell)}</td>`);
    return `<tr${isOurs(first) ? ` class="ours"` : ""}><th scope="row">${code(first)}</th>${cells.join("")}</tr>`;
  });
  const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join("");
  return `<div class="wide"><table><thead><tr>${head}</tr></thead>
<tbody>${lines.join("\n")}</tbody></table></div>`;
}

/** Text between backticks becomes code. */
function code(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}

/** Without its headings. */
export function asMarkdown({ columns, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = `|---${"|---:".repeat(columns.length - 1)}|\n`;
  return [line(columns), rule, ...rows.filter((row) => typeof row !== "string").map(line)].join("");
}
