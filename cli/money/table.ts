//! Tables and bars for the terminal.

import { stripVTControlCharacters, styleText } from "node:util";
import { NANOS, rounded } from "../../shared/report/decimal.ts";

/** A column of a table, and its cell in each of the rows. */
export interface Column<Row> {
  title: string;
  /** Numbers are aligned on the right. */
  isNumber: boolean;
  cells: (rows: Row[]) => string[];
}

export function text<Row>(title: string, of: (row: Row) => string): Column<Row> {
  return { title, isNumber: false, cells: (rows) => rows.map(of) };
}

/** A column of counts, or of numbers that are texts already. Without a value, the cell is `–`. */
export function number<Row>(title: string, of: (row: Row) => string | number | undefined): Column<Row> {
  const cell = (value: string | number = "–") => (typeof value === "number" ? grouped(value) : value);
  return { title, isNumber: true, cells: (rows) => rows.map((row) => cell(of(row))) };
}

/** A column of amounts in billionths, as {@link amounts} writes them. */
export function money<Row>(title: string, of: (row: Row) => bigint | null): Column<Row> {
  return { title, isNumber: true, cells: (rows) => amounts(rows.map(of)) };
}

/** The lines of a table: a title for each column, and the rows. The rows of `totals` stand below a line. */
export function table<Row>(columns: Column<Row>[], rows: Row[], totals: Row[] = []): string[] {
  const [head = "", ...lines] = aligned(columns, [...rows, ...totals], true);
  const width = Math.max(...[head, ...lines].map(lengthOf));
  const below = totals.length > 0 ? [styleText("dim", "─".repeat(width))] : [];
  return [styleText("bold", head), ...lines.slice(0, rows.length), ...below, ...lines.slice(rows.length)];
}

/** The rows with aligned cells, with the titles above them if `withTitles`. */
export function aligned<Row>(columns: Column<Row>[], rows: Row[], withTitles = false): string[] {
  const filled = columns.map(({ title, isNumber, cells }) => {
    const texts = [...(withTitles ? [title] : []), ...cells(rows)];
    const width = Math.max(0, ...texts.map(lengthOf));
    return texts.map((text) => {
      const space = " ".repeat(width - lengthOf(text));
      return isNumber ? space + text : text + space;
    });
  });
  const lines = rows.length + Number(withTitles);
  return Array.from({ length: lines }, (_, at) =>
    filled
      .map((cells) => cells[at])
      .join("  ")
      .trimEnd(),
  );
}

const BAR_WIDTH = 40;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar per value, as long as its share of the largest value, and its amount. Negative values have no bar. */
export function bars(values: { label: string; nanos: bigint }[]): string[] {
  const most = values.reduce((most, { nanos }) => (nanos > most ? nanos : most), 1n);
  const bar = (nanos: bigint) => {
    const eighths = nanos > 0n ? Number((nanos * BigInt(8 * BAR_WIDTH)) / most) : 0;
    return styleText("green", "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]);
  };
  const columns = [
    text<(typeof values)[number]>("", ({ label }) => label),
    money<(typeof values)[number]>("", ({ nanos }) => nanos),
    text<(typeof values)[number]>("", ({ nanos }) => bar(nanos)),
  ];
  return aligned(columns, values);
}

/** A bar with two filled parts, the first in █ and the second in ▒. A part beyond `whole` is cut off. */
export function filled(parts: [bigint, bigint], whole: bigint): string {
  const ends = parts.map((_, at) => {
    const sum = parts.slice(0, at + 1).reduce((sum, part) => sum + part, 0n);
    return whole > 0n ? Number((sum * BigInt(BAR_WIDTH)) / whole) : 0;
  });
  const [first = 0, second = 0] = ends.map((end) => Math.min(BAR_WIDTH, Math.max(0, end)));
  const bar = styleText("green", "█".repeat(first)) + "▒".repeat(second - first);
  return bar + styleText("dim", "·".repeat(BAR_WIDTH - second));
}

/**
 * Amounts with as many decimals as the longest of them needs, at least two and at most six, so that the points are
 * aligned. Null is `–`.
 */
export function amounts(values: (bigint | null)[]): string[] {
  const decimals = values.reduce((most, value) => Math.max(most, value === null ? 0 : decimalsOf(value)), 2);
  return values.map((value) => (value === null ? "–" : grouped(rounded(value, NANOS, decimals))));
}

function decimalsOf(value: bigint): number {
  return rounded(value, NANOS, 6).replace(/0+$/, "").split(".")[1]?.length ?? 0;
}

/** A number, or the text of one, with commas between the thousands. */
export function grouped(number: string | number): string {
  const [whole = "", decimals] = `${number}`.split(".");
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals === undefined ? groups : `${groups}.${decimals}`;
}

/** The longest text that is shown in full, in characters. */
const MAX_TEXT = 48;

/**
 * A text of others in one line. Control characters are replaced, because they could move the cursor or change colours.
 */
export function shown(text: string): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")];
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT - 1).join("")}…` : characters.join("");
}

/** The width of a text, without its colours. */
function lengthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
