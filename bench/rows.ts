//! What a suite measured, as rows; and all that is computed from rows alike: medians, ratios, tables and figures.

import type { Chart } from "./bars.ts";
import { digits, median, quantile } from "./statistics.ts";
import type { Figure, Table } from "./suite.ts";

/** What was measured of one thing. */
export interface Row {
  /** Rows of the same group are compared with each other. */
  group: string;
  name: string;
  /** By what was measured, such as `us`: one value for each turn. */
  turns: Record<string, number[]>;
  /** Numbers that have no turns; null if the system cannot tell. */
  facts: Record<string, number | null>;
}

/** A number of a row; null, undefined and NaN if it has none. */
export type Value = (row: Row) => number | null | undefined;

/** A column of a table, or a panel of a chart: its title, its number, and how that is written. */
export type Column = [title: string, value: Value, text?: (value: number) => string];

/** Turns of a round of `rig.ts`. */
export const TURNS_A_ROUND = 5;

export function newRow(name: string, group = "", facts: Row["facts"] = {}): Row {
  return { group, name, turns: {}, facts };
}

/** Notes one value of a turn. */
export function push({ turns }: Row, what: string, value: number | null): void {
  turns[what] = [...(turns[what] ?? []), value ?? Number.NaN];
}

export function find(rows: readonly Row[], name: string, group = ""): Row {
  const row = rows.find((row) => row.name === name && row.group === group);
  if (row === undefined) throw new Error(`${name} ${group} was not measured`);
  return row;
}

/** All turns of what was measured; none if it was not. */
export function turnsOf({ turns }: Row, what: string): number[] {
  return turns[what] ?? [];
}

export function middle(what: string, times = 1): Value {
  return (row) => median(turnsOf(row, what)) * times;
}

export function at(share: number, what: string): Value {
  return (row) => quantile(turnsOf(row, what), share);
}

export function total(what: string): Value {
  return (row) => turnsOf(row, what).reduce((sum, value) => sum + value, 0);
}

export function fact(name: string): Value {
  return ({ facts }) => facts[name];
}

/** The number of the row with the same name in another group, if it is there. */
export function elsewhere(rows: readonly Row[], group: string, value: Value): Value {
  return ({ name }) => {
    const row = rows.find((row) => row.name === name && row.group === group);
    return row && value(row);
  };
}

/** One ratio per turn, because a slow minute slows both times of a turn. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  return over.map((value, turn) => value / (under[turn] ?? Number.NaN));
}

/** The median ratio of a row to another one. */
export function ratio(over: Row, under: Row, what: string): number {
  return median(ratios(turnsOf(over, what), turnsOf(under, what)));
}

/** The ratio of each row to the row `base` of its group. NaN without that row. */
export function versus(rows: readonly Row[], base: string, what: string): Value {
  return (row) => {
    const under = rows.find(({ name, group }) => name === base && group === row.group);
    return under && ratio(row, under, what);
  };
}

/** The columns of rows that `rig.ts` has measured; `base` is the row of each group to which the others are told as ratios. */
export function timeColumns(rows: readonly Row[], base: string, label = base): Column[] {
  return [
    ["median", middle("us"), us],
    ["p99", at(0.99, "us"), us],
    [`/ ${label}`, versus(rows, base, "us")],
    ["native", middle("native_us"), us],
    ["Wasm/native", wasmVsNative],
  ];
}

/** A chart of rows that `rig.ts` has measured on the mix. */
export function timeChart(title: string, rows: readonly Row[], more: readonly Column[] = []): Chart {
  const panels: Column[] = [["in workerd", middle("us"), us], ["natively", middle("native_us"), us], ...more];
  return { title, note: "mean over the mix of requests, medians of the turns; shorter is faster", rows, panels };
}

/** The figures of rows that `rig.ts` has measured. */
export function timeFigures(rows: readonly Row[], base: string, turnsARound = TURNS_A_ROUND): Figure[] {
  return figures(rows, "us", { unit: "µs", better: "less", base, turnsARound });
}

/** The same code in workerd and natively, for the turns of `rig.ts`. */
export function wasmVsNative(row: Row): number {
  return median(ratios(turnsOf(row, "us"), turnsOf(row, "native_us")));
}

/** A table of the rows, with a heading for each group if there are several. Leaves out columns without any value. */
export function table(title: string, rows: readonly Row[], all: readonly Column[], first = "what"): Table {
  const isGrouped = new Set(rows.map(({ group }) => group)).size > 1;
  const columns = all.filter(([, value]) => rows.some((row) => isKnown(value(row))));
  return {
    title,
    columns: [first, ...columns.map(([title]) => title)],
    rows: rows.flatMap((row, at): Table["rows"] => {
      const cells = columns.map(([, value, text = digits]) => cell(value(row), text));
      const isNew = isGrouped && row.group !== "" && row.group !== rows[at - 1]?.group;
      return [...(isNew ? [row.group] : []), [row.name, ...cells]];
    }),
  };
}

function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && !Number.isNaN(value);
}

function cell(value: number | null | undefined, text: (value: number) => string): string {
  return isKnown(value) ? text(value) : "–";
}

/** How the figures of rows are made. */
interface Rule {
  unit: string;
  better: Figure["better"];
  /** The row of each group to which the others are told as ratios. */
  base?: string;
  /** Turns directly after each other are hardly independent, so a figure has the median of this many. */
  turnsARound?: number;
}

/** What `compare` compares: a figure for each row that was measured. */
export function figures(rows: readonly Row[], what: string, { unit, better, base, turnsARound = 1 }: Rule): Figure[] {
  return rows.flatMap((row): Figure[] => {
    const under = rows.find(({ name, group }) => name === base && group === row.group);
    const isRatio = under !== undefined && under !== row;
    const values = isRatio ? ratios(turnsOf(row, what), turnsOf(under, what)) : turnsOf(row, what);
    if (values.length === 0) return [];
    const name = [row.name, row.group, what === "us" ? "" : what].filter((part) => part !== "").join(", ");
    return [{ name, unit: isRatio ? `/ ${base}` : unit, better, rounds: rounds(values, turnsARound) }];
  });
}

/** One value per round: the median of its turns. */
function rounds(turns: readonly number[], each: number): number[] {
  return Array.from({ length: Math.ceil(turns.length / each) }, (_, round) =>
    median(turns.slice(round * each, (round + 1) * each)),
  );
}

/** Ways to write a number. */
export const us = (value: number) => (Math.abs(value) < 10_000 ? `${digits(value)} µs` : `${digits(value / 1000)} ms`);
export const ms = (value: number) => `${digits(value)} ms`;
export const usAsMs = (value: number) => digits(value / 1000);
export const kilobytes = (value: number) => `${digits(value / 1000)} KB`;
export const megabytes = (value: number) => `${digits(value / 2 ** 20)} MB`;
export const percent = (value: number) => `${digits(100 * value)} %`;
export const whole = (value: number) => Math.round(value).toLocaleString("en");
