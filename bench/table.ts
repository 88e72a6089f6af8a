//! Prints a table with aligned columns.

import type { Table } from "./suite.ts";

/** The first column is aligned left, the others right. */
export function asText({ title, columns, rows }: Table): string {
  const cells = rows.filter((row) => typeof row !== "string");
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ");
  return [`${title}\n`, line(columns), ...rows.map((row) => (typeof row === "string" ? `\n${row}` : line(row)))].join(
    "\n",
  );
}
