//! Compares rows: ratios within a turn, the figures of `compare`, and the columns and charts of rows that `rig.ts` has
//! measured.

import type { Chart } from "./bars.ts";
import { at, type Column, middle, type Row, turnsOf, type Value } from "./rows.ts";
import { median } from "./statistics.ts";
import type { Figure } from "./suite.ts";
import { us } from "./units.ts";

/** Turns of a round of `rig.ts`. */
export const TURNS_A_ROUND = 5;

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

/** The columns of rows that `rig.ts` has measured. The other rows of a group are shown as ratios to the row `base`. */
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

/** How the figures of rows are made. */
interface Rule {
  unit: string;
  better: Figure["better"];
  /** The row of each group that is the base of the ratios. */
  base?: string;
  /** Turns directly after each other are hardly independent, so a figure has the median of this many. */
  turnsARound?: number;
}

/** The figures for `compare`: one for each measured row. */
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
