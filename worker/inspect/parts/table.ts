//! A table whose columns say how to show a row. A long table shows its beginning.

import { type Child, h, put } from "../dom.ts";
import { grouped } from "./text.ts";

/** The most rows that are shown. */
const MOST = 300;

export interface Column<Row> {
  title: string;
  isNumber?: boolean;
  of(row: Row): Child;
}

/** A table in a box that scrolls, without rows yet. The first column names the row. */
export function table<Row>(caption: string, columns: Column<Row>[]) {
  const body = h("tbody");
  const rest = h("p.soft");
  const number = ({ isNumber }: Column<Row>) => (isNumber ? "number" : null);
  const head = columns.map((column) => h("th", { scope: "col", class: number(column) }, column.title));
  const cell = (row: Row) => (column: Column<Row>, at: number) =>
    at === 0
      ? h("th", { scope: "row", class: number(column) }, column.of(row))
      : h("td", { "data-name": column.title, class: number(column) }, column.of(row));
  const element = h(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": caption },
    h("table", h("caption", caption), h("thead", h("tr", head)), body),
    rest,
  );

  /** Replaces the rows. `command` is a command that lists the rows that are left out. Returns the table. */
  function show(rows: Row[], command = ""): HTMLElement {
    const shown = rows.slice(0, MOST).map((row) => h("tr", columns.map(cell(row))));
    put(body, shown);
    const more = rows.length - MOST;
    put(rest, more > 0 && `${grouped(more)} more rows: ${command}`);
    return element;
  }
  return { element, show };
}
