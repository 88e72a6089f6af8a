//! Reads an exchange's daily figures from CSV. Amounts stay integers. Refuses ambiguous values, and amounts or titles
//! that name another currency. A sign that several currencies share, such as `$`, can mean each of them.

import { parse } from "csv-parse/sync";
import { Failure } from "../../build/failure.mjs";
import { shown } from "../../cli/money/table.ts";
import { nanosOf, rounded } from "../../shared/report/decimal.ts";
import { isDay } from "../../shared/time/days.ts";

/** The figures of one day. */
export interface Figures {
  impressions: number;
  /** Billionths of the currency. */
  nanos: bigint;
}

/** The names of each column, in small letters. */
const NAMES = {
  day: ["date", "day"],
  impressions: ["impressions", "imps"],
  spend: ["spend", "cost", "revenue", "amount"],
} as const;

type Name = keyof typeof NAMES;

/** The columns that the person names. */
export type Columns = Partial<Record<Name, string>>;

/** Reads `day=Date,impressions=Imps,spend=Cost`. */
export function columnsOf(text: string): Columns {
  const columns: Columns = {};
  for (const part of text.split(",")) {
    const [, name = "", column = ""] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (!Object.hasOwn(NAMES, name))
      throw new Failure(`--columns ${part}: expected some of day=NAME, impressions=NAME and spend=NAME`);
    columns[name as Name] = column;
  }
  return columns;
}

/** Reads the figures by day, the first day first. `cur` is their currency. Throws {@link Failure} with the line. */
export function readInvoice(bytes: Uint8Array, cur: string, columns: Columns = {}): Map<string, Figures> {
  const [head, ...rows] = rowsOf(textOf(bytes));
  if (head === undefined) throw new Failure("the invoice is empty; expected CSV with a header");
  const positions = positionsOf(head.cells, head.line, columns);
  const title = head.cells[positions.spend] ?? "";
  const titled = otherInTitle(title, cur);
  if (titled !== null) throw inOther(head.line, `the column ${shown(title)}`, titled, cur);
  const column = (name: Name) => rows.map(({ cells }) => cells[positions[name]] ?? "");
  const order = orderOf(column("day"));
  const inEnglish = writesCommas(column("spend")) ? swapped : (text: string) => text;
  const days = new Map<string, Figures>();
  for (const { cells, line } of rows) {
    const cell = (name: Name) => cells[positions[name]] ?? "";
    if (/^(grand |sub)?total/i.test(cell("day"))) continue;
    const wrong = (name: Name, expected: string) =>
      new Failure(`line ${line}: ${JSON.stringify(shown(cell(name)))} is no ${name}; expected ${expected}`);
    const day = dayOf(cell("day"), order);
    if (day === null) throw wrong("day", "a day such as 2026-11-18, 18.11.2026 or 20261118");
    const impressions = wholeOf(inEnglish(cell("impressions")));
    if (impressions === null) throw wrong("impressions", "a whole number such as 12345 or 12,345");
    const amount = amountOf(inEnglish(cell("spend")));
    if (amount === null) throw wrong("spend", "an amount such as 1234.56, $1,234.56 or 1.234,56");
    const other = amount.cur !== null && amount.cur !== cur ? amount.cur : otherSign(cell("spend"), cur);
    if (other !== null) throw inOther(line, "the amount", other, cur);
    const before = days.get(day) ?? { impressions: 0, nanos: 0n };
    days.set(day, { impressions: before.impressions + impressions, nanos: before.nanos + amount.nanos });
  }
  if (days.size === 0) throw new Failure("the invoice has no days below its header");
  return new Map([...days].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function inOther(line: number, what: string, other: string, cur: string): Failure {
  return new Failure(`line ${line}: ${what} is in ${shown(other)}; expected ${cur}, or name it with --cur`);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure("the invoice is not UTF-8; save it as CSV in UTF-8");
  }
}

/** The rows, each with the number of its last line. */
function rowsOf(text: string): { cells: string[]; line: number }[] {
  const [first = ""] = text.split("\n", 1);
  // The separator is the most frequent of these characters in the header.
  const delimiter = [",", ";", "\t"].reduce((a, b) => (first.split(b).length > first.split(a).length ? b : a));
  try {
    // The types of csv-parse do not know that `info` changes the rows.
    const rows = parse(text, {
      ...{ delimiter, info: true, trim: true, relax_column_count: true, skip_empty_lines: true },
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => ({ cells: record, line: info.lines }));
  } catch (error) {
    throw new Failure(`the invoice is no CSV: ${error instanceof Error ? error.message : error}`);
  }
}

/** The position of each column in the header. */
function positionsOf(head: string[], line: number, columns: Columns): Record<Name, number> {
  const position = (name: Name) => {
    const named = columns[name];
    const isIt = (title: string) =>
      named === undefined ? NAMES[name].some((usual) => usual === plain(title)) : title === named;
    const found = head.flatMap((title, at) => (isIt(title) ? [at] : []));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const expected = named === undefined ? `a column named ${NAMES[name].join(" or ")}` : `a column named ${named}`;
    const count = found.length === 0 ? "no column" : `${found.length} columns`;
    const hint = `name it with --columns ${name}=NAME`;
    throw new Failure(
      `line ${line}: ${count} for ${name} in ${head.map(shown).join(", ")}; expected ${expected}; ${hint}`,
    );
  };
  return { day: position("day"), impressions: position("impressions"), spend: position("spend") };
}

/** `Spend (USD)` as `spend`. */
function plain(title: string): string {
  return title
    .replace(/\(.*\)$/, "")
    .trim()
    .toLowerCase();
}

const DAY_LAST = /^(?<year>\d{4})([-/]?)(?<month>\d\d)\2(?<day>\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z| ?UTC)?)?$/;
const DAY_FIRST = /^(?<day>\d{1,2})([./-])(?<month>\d{1,2})\2(?<year>\d{4})$/;

/** What comes first in days such as 18/11/2026 or 11/18/2026; null if the column does not show it, as 05/11/2026 alone. */
type Order = "day" | "month" | null;

function orderOf(days: string[]): Order {
  const parts = days.filter((text) => !text.includes(".")).map((text) => DAY_FIRST.exec(text)?.groups);
  const isOver12 = (part: "day" | "month") => parts.some((groups) => Number(groups?.[part]) > 12);
  const [first, second] = [isOver12("day"), isOver12("month")];
  return first === second ? null : first ? "day" : "month";
}

function dayOf(text: string, order: Order): string | null {
  const isDotted = text.includes(".");
  const first = order !== null || isDotted ? DAY_FIRST.exec(text)?.groups : undefined;
  const { year, month = "", day = "" } = DAY_LAST.exec(text)?.groups ?? first ?? {};
  const isSwapped = order === "month" && first !== undefined && !isDotted;
  return isSwapped ? isoOf(year, day, month) : isoOf(year, month, day);
}

/** The day as 2026-11-18; null if there is no such day. */
function isoOf(year: string | undefined, month: string, day: string): string | null {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(iso) ? iso : null;
}

/** Whether an amount of the column can only have a decimal comma, and none can only have a decimal point. */
function writesCommas(amounts: string[]): boolean {
  const numbers = amounts.map((text) => text.replace(/[^\d.,]/g, ""));
  const has = (form: RegExp) => numbers.some((text) => form.test(text));
  return has(/\.\d{3},|^\d*,(?!\d{3}$)\d+$/) && !has(/,\d{3}\.|^\d*\.(?!\d{3}$)\d+$/);
}

/** `1.234,56` as `1,234.56`. */
function swapped(text: string): string {
  return text.replace(/[.,]/g, (mark) => (mark === "," ? "." : ","));
}

const DIGITS = String.raw`\d{1,3}(?:,\d{3})+|\d+`;

function wholeOf(text: string): number | null {
  const whole = Number(new RegExp(`^(${DIGITS})(?:\\.0+)?$`).exec(text)?.[1]?.replaceAll(",", "") ?? Number.NaN);
  return Number.isSafeInteger(whole) ? whole : null;
}

/** An amount, with the currency code beside it if there is one. Places after the ninth are rounded. */
function amountOf(text: string): { nanos: bigint; cur: string | null } | null {
  const sign = String.raw`(?:([A-Z]{3})|[A-Z]{0,2}\p{Sc})?\s*`;
  const pattern = new RegExp(`^(-?)${sign}(-?)(${DIGITS})(?:\\.(\\d+))?\\s*${sign}$`, "u");
  const found = pattern.exec(text);
  if (found === null) return null;
  const [, outer, before, inner, whole = "", decimals = "", after] = found;
  if ((outer && inner) || (before && after)) return null;
  const digits = BigInt(whole.replaceAll(",", "") + decimals);
  const nanos = nanosOf(rounded(digits, 10n ** BigInt(decimals.length), 9));
  if (nanos === null) return null;
  return { nanos: outer || inner ? -nanos : nanos, cur: before ?? after ?? null };
}

/** Without the codes of Albania and South Sudan: a title that ends with ALL or SSP means the word. */
const CODES = new Set(Intl.supportedValuesOf("currency").filter((code) => code !== "ALL" && code !== "SSP"));

/**
 * The currency other than `cur` that the title of a column names: `EUR` in `Cost (EUR)`, `€` in `Cost €`; else null.
 */
function otherInTitle(title: string, cur: string): string | null {
  const [, code = ""] = /(?:^|[^A-Za-z])([A-Z]{3})[^A-Za-z]*$/.exec(title) ?? [];
  return CODES.has(code) && code !== cur ? code : otherSign(title, cur);
}

/** The first currency sign in the text that is not one of `cur`; null if there is none. */
function otherSign(text: string, cur: string): string | null {
  return text.match(/\p{Sc}/gu)?.find((sign) => !signOf(cur).endsWith(sign)) ?? null;
}

/** The short sign of a currency, such as `$` of USD; its code if it has none. */
function signOf(cur: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: cur, currencyDisplay: "narrowSymbol" });
  return format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? cur;
}
