//! What a suite measured, as rows, with their medians and tables.

import { median, quantile } from "./statistics.ts";
import { digits } from "./units.ts";

/** A table for people. */
export interface Table {
  title: string;
  columns: string[];
  /** A row that is a string is a heading. */
  rows: (string[] | string)[];
}

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
