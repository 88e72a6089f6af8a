//! A table that a person can sort, filter, page through and export. Columns say what a row has, and how to show it.

import { csvRow, csvText } from "../../../shared/formats/format.ts";
import { nanosOf } from "../../../shared/report/decimal.ts";
import { type Child, h, put } from "../dom.ts";
import { button, field } from "./blocks.ts";
import { grouped, hasWords } from "./text.ts";

/** The most rows on a page; on a narrow one, each row takes several lines. */
const [ROWS, NARROW_ROWS, NARROW] = [25, 5, "(max-width: 620px)"];
/** With more rows than these, there is a field that filters them. */
const FEW = 8;
/** Milliseconds after which the file of an export is released. */
const SAVED_MS = 10_000;

const TEXTS = new Intl.Collator("en", { numeric: true });

/** A column has a value, or says what its cells show, or both. */
export interface Column<Row> {
  title: string;
  /** The values are decimals of at most nine decimals. They are sorted by size, the largest first. */
  isNumber?: boolean;
  /** For the export, the filter and the order; empty if there is none. Without it, the text of the cell. */
  value?(row: Row): string | number;
  /** What the cell shows. Without it, the value; a number with commas. */
  of?(row: Row): Child;
  /** What the column is sorted by, if it is not the value. */
  order?(row: Row): string;
}

/** The table keeps what a person has chosen when it shows other rows. */
export interface Table<Row> {
  element: HTMLElement;
  /** Replaces the rows, which are in this order until a person sorts them. Returns the element. */
  show(rows: readonly Row[]): HTMLElement;
  /** Empties the filter. */
  clear(): void;
}

/**
 * A table without rows yet. The first column names the row. `totals` makes the rows below the table from the rows that
 * match the filter.
 */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  totals: (rows: readonly Row[]) => Row[] = () => [],
): Table<Row> {
  let [all, page]: [readonly Row[], number] = [[], 0];
  let sorted: { column: Column<Row>; isDown: boolean } | undefined;

  const [body, foot] = [h("tbody"), h("tfoot")];
  const heads = columns.map((column) => {
    const head = h("th", { scope: "col", class: classOf(column) }, button(column.title, sort));
    return { column, head };

    function sort(): void {
      const isDown = sorted?.column === column ? !sorted.isDown : column.isNumber === true;
      sorted = { column, isDown };
      for (const { head } of heads) head.ariaSort = null;
      head.ariaSort = isDown ? "descending" : "ascending";
      turn(0);
    }
  });
  const head = h(
    "thead",
    h(
      "tr",
      heads.map(({ head }) => head),
    ),
  );
  const box = { tabindex: 0, role: "region", "aria-label": caption };
  const id = `filter-${caption.toLowerCase().replaceAll(/\W+/g, "-")}`;
  const filter = h("input", { id, type: "search", autocomplete: "off", oninput: () => turn(0) });
  const shown = h("span.soft", { role: "status" });
  const before = button("Previous", () => turn(page - 1));
  const after = button("Next", () => turn(page + 1));
  const save = button("CSV", () => download(`${caption}.csv`, csv()));
  save.title = "All rows that match, in this order, with exact amounts";
  const search = field("Filter rows", filter, "grow");
  const element = h(
    "div.table",
    h("div.row", search, shown, before, after, save),
    h("div.scroll", box, h("table", h("caption", caption), head, body, foot)),
  );

  /** The rows that match the filter, in the order that a person has chosen. */
  function seen(): readonly Row[] {
    const words = filter.value.trim();
    const matching = words === "" ? all : all.filter((row) => hasWords(textOf(row), words));
    if (sorted === undefined) return matching;
    const { column, isDown } = sorted;
    const keyed = matching.map((row) => ({ row, key: `${column.order?.(row) ?? dataOf(column, row)}` }));
    const compare = column.isNumber ? bySize : TEXTS.compare;
    return keyed.sort((a, b) => (isDown ? -1 : 1) * compare(a.key, b.key)).map(({ row }) => row);
  }

  function textOf(row: Row): string {
    return columns.map((column) => dataOf(column, row)).join("\n");
  }

  function turn(to: number): void {
    const rows = seen();
    const most = matchMedia(NARROW).matches ? NARROW_ROWS : ROWS;
    const last = Math.max(0, Math.ceil(rows.length / most) - 1);
    page = Math.min(Math.max(0, to), last);
    const [from, end] = [page * most, Math.min((page + 1) * most, rows.length)];
    put(body, rows.slice(from, end).map(line));
    put(foot, totals(rows).map(line));
    const of = rows.length === all.length ? grouped(all.length) : `${grouped(rows.length)} of ${grouped(all.length)}`;
    const says = last > 0 ? `Rows ${grouped(from + 1)}–${grouped(end)} of ${of}` : `Rows: ${of}`;
    // A screen reader reads each change.
    if (shown.textContent !== says) put(shown, says);
    [before.disabled, after.disabled] = [page === 0, page === last];
    [before.hidden, after.hidden] = [last === 0, last === 0];
    search.hidden = all.length <= FEW;
  }

  function line(row: Row): HTMLElement {
    const cells = columns.map((column, at) => {
      const name = at === 0 ? { scope: "row" } : { "data-name": column.title };
      return h(at === 0 ? "th" : "td", { ...name, class: classOf(column) }, cellOf(column, row));
    });
    return h("tr", cells);
  }

  function csv(): string {
    const cells = (row: Row) =>
      columns.map((column) => (column.isNumber ? dataOf(column, row) : csvText(dataOf(column, row))));
    return [columns.map(({ title }) => title), ...seen().map(cells)].map(csvRow).join("");
  }

  function show(rows: readonly Row[]): HTMLElement {
    all = rows;
    turn(page);
    return element;
  }
  function clear(): void {
    filter.value = "";
  }
  return { element, show, clear };
}

function classOf<Row>({ isNumber }: Column<Row>): string | null {
  return isNumber ? "number" : null;
}

function dataOf<Row>({ value, of }: Column<Row>, row: Row): string {
  return value ? `${value(row)}` : (h("span", of?.(row)).textContent ?? "");
}

function cellOf<Row>({ value, of }: Column<Row>, row: Row): Child {
  const shown = of ? of(row) : value?.(row);
  if (shown === "" || shown === undefined) return h("span.none", "–");
  if (typeof shown === "number") return grouped(shown);
  return typeof shown === "string" ? h("span.says", shown) : shown;
}

/** Compares decimals. A text that is none comes before all of them. */
function bySize(a: string, b: string): number {
  const [one, other] = [nanosOf(a), nanosOf(b)];
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  return one < other ? -1 : Number(one > other);
}

/** Saves a file. The mark at its start tells spreadsheets that it is UTF-8. */
function download(name: string, text: string): void {
  const file = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  const link = h("a", { download: name });
  link.href = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(file), SAVED_MS);
}
