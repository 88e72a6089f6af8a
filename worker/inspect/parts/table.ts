//! A table whose columns say how to show a row. A long table shows its beginning.

import { type Child, h } from "../dom.ts";
import { grouped } from "./text.ts";

/** The most rows that are shown. */
const MOST = 300;

export interface Column<Row> {
  title: string;
  isNumber?: boolean;
  of(row: Row): Child;
}

/** The table in a box that scrolls. The first column names the row. `rest` says where the rows are that are left out. */
export function table<Row>(caption: string, columns: Column<Row>[], rows: Row[], rest = ""): HTMLElement {
  const classOf = ({ isNumber }: Column<Row>) => (isNumber ? { class: "number" } : {});
  const head = columns.map((column) => h("th", { scope: "col", ...classOf(column) }, column.title));
  const left = rows.length - MOST;
  return h(
    "div",
    {},
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
      h(
        "table",
        { class: "stacks" },
        h("caption", {}, caption),
        h("thead", {}, h("tr", {}, ...head)),
        h(
          "tbody",
          {},
          ...rows
            .slice(0, MOST)
            .map((row) =>
              h(
                "tr",
                {},
                ...columns.map((column, at) =>
                  at === 0
                    ? h("th", { scope: "row", ...classOf(column) }, column.of(row))
                    : h("td", { "data-name": column.title, ...classOf(column) }, column.of(row)),
                ),
              ),
            ),
        ),
      ),
    ),
    left > 0 ? h("p", { class: "soft" }, `${grouped(left)} more rows${rest && `: ${rest}`}`) : null,
  );
}
