//! Tables and bars for the terminal.

import { styleText } from "node:util";
import { NANOS, rounded } from "../../worker/src/report/decimal.ts";

/** A column of a table, and its cell in each of the rows. */
export interface Column<Row> {
  title: string;
  /** Numbers stand on the right. */
  isNumber: boolean;
  cells: (rows: Row[]) => string[];
}

export function text<Row>(title: string, of: (row: Row) => string): Column<Row> {
  return { title, isNumber: false, cells: (rows) => rows.map(of) };
}

/** Numbers that are texts already, and counts. Of no count, the cell is `–`. */
export function number<Row>(title: string, of: (row: Row) => string | number | undefined): Column<Row> {
  const cell = (value: string | number = "–") => (typeof value === "number" ? grouped(`${value}`) : value);
  return { title, isNumber: true, cells: (rows) => rows.map((row) => cell(of(row))) };
}

/** Amounts in billionths, as {@link amounts} writes them. */
export function money<Row>(title: string, of: (row: Row) => bigint | null): Column<Row> {
  return { title, isNumber: true, cells: (rows) => amounts(rows.map(of)) };
}

/** The lines of a table: a title for each column, and the rows. The rows of `totals` stand below a line. */
export function table<Row>(columns: Column<Row>[], rows: Row[], totals: Row[] = []): string[] {
  const cells = columns.map((column) => column.cells([...rows, ...totals]));
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...(cells[at] ?? []).map(lengthOf)));
  const line = (cellOf: (column: number) => string) =>
    columns
      .map(({ isNumber }, at) => {
        const cell = cellOf(at);
        const space = " ".repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(cell)));
        return isNumber ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  const lines = [...rows, ...totals].map((_, at) => line((column) => cells[column]?.[at] ?? ""));
  const below = totals.length > 0 ? [styleText("dim", widths.map((width) => "─".repeat(width)).join("──"))] : [];
  const head = styleText(
    "bold",
    line((column) => columns[column]?.title ?? ""),
  );
  return [head, ...lines.slice(0, rows.length), ...below, ...lines.slice(rows.length)];
}

const BAR_WIDTH = 40;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar per value, as long as its share of the largest value, and its amount. Negative values have no bar. */
export function bars(values: { label: string; nanos: bigint }[]): string[] {
  const most = values.reduce((most, { nanos }) => (nanos > most ? nanos : most), 1n);
  const texts = amounts(values.map(({ nanos }) => nanos));
  const width = Math.max(0, ...texts.map((text) => text.length));
  const labels = Math.max(0, ...values.map(({ label }) => lengthOf(label)));
  return values.map(({ label, nanos }, at) => {
    const eighths = nanos > 0n ? Number((nanos * BigInt(8 * BAR_WIDTH)) / most) : 0;
    const bar = "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
    const space = " ".repeat(labels - lengthOf(label));
    return `${label}${space}  ${(texts[at] ?? "").padStart(width)}  ${styleText("green", bar)}`.trimEnd();
  });
}

/** A bar of which `parts` are filled, the first with █ and the second with ▒. A part beyond the whole is cut off. */
export function filled(parts: [bigint, bigint], whole: bigint): string {
  const places = parts.map((_, at) => {
    const sum = parts.slice(0, at + 1).reduce((sum, part) => sum + part, 0n);
    return whole > 0n ? Number((sum * BigInt(BAR_WIDTH)) / whole) : 0;
  });
  const [first = 0, second = 0] = places.map((place) => Math.min(BAR_WIDTH, Math.max(0, place)));
  const bar = styleText("green", "█".repeat(first)) + "▒".repeat(second - first);
  return bar + styleText("dim", "·".repeat(BAR_WIDTH - second));
}

/**
 * Amounts with as many places as the longest of them needs, but at least two and at most six. So the points stand below
 * each other. Null is `–`.
 */
export function amounts(values: (bigint | null)[]): string[] {
  const places = values.reduce((most, value) => Math.max(most, value === null ? 0 : placesOf(value)), 2);
  return values.map((value) => (value === null ? "–" : grouped(rounded(value, NANOS, places))));
}

function placesOf(value: bigint): number {
  return rounded(value, NANOS, 6).replace(/0+$/, "").split(".")[1]?.length ?? 0;
}

/** Puts commas between the thousands. */
export function grouped(number: string): string {
  const [whole = "", places] = number.split(".");
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return places === undefined ? groups : `${groups}.${places}`;
}

/** The longest text that is shown in full, in characters. */
const MAX_TEXT = 48;

/**
 * A text from outside in one line. Control characters are replaced, because they could move the cursor or change
 * colours.
 */
export function shown(text: string): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")];
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT - 1).join("")}…` : characters.join("");
}

function lengthOf(text: string): number {
  return [...text].length;
}
