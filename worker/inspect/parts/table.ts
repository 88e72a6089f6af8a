//! A table whose columns say how to show a row. A long table shows its beginning.

import { type Child, h, put } from "../dom.ts";
import { text } from "./blocks.ts";
import { grouped } from "./text.ts";

/** The most rows that are shown. */
const MOST = 300;

export interface Column<Row> {
  title: string;
  isNumber?: boolean;
  of(row: Row): Child;
}

/** The table, and what shows other rows in it. */
export interface Table<Row> {
  element: HTMLElement;
  show(rows: Row[]): void;
}

/** The table in a box that scrolls. The first column names the row. `rest` says where the rows are that are left out. */
export function table<Row>(caption: string, columns: Column<Row>[], rows: Row[], rest = ""): HTMLElement {
  const { element, show } = changingTable(caption, columns);
  show(rows.slice(0, MOST));
  const left = rows.length - MOST;
  return h("div", {}, element, left > 0 ? text("soft", `${grouped(left)} more rows${rest && `: ${rest}`}`) : null);
}

/** A table whose rows change. `classOf` gives a row its class. */
export function changingTable<Row>(
  caption: string,
  columns: Column<Row>[],
  classOf: (row: Row) => string | null = () => null,
): Table<Row> {
  const body = h("tbody");
  const number = ({ isNumber }: Column<Row>) => (isNumber ? "number" : null);
  const cell = (row: Row) => (column: Column<Row>, at: number) =>
    at === 0
      ? h("th", { scope: "row", class: number(column) }, column.of(row))
      : h("td", { "data-name": column.title, class: number(column) }, column.of(row));
  const head = columns.map((column) => h("th", { scope: "col", class: number(column) }, column.title));
  const element = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: "stacks" }, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...head)), body),
  );
  const show = (rows: Row[]) => {
    put(
      body,
      rows.map((row) => h("tr", { class: classOf(row) }, ...columns.map(cell(row)))),
    );
  };
  return { element, show };
}
