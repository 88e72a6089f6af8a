//! Amounts of money: with the digits of their currency for people, and exact in a tooltip and in exports.

import { NANOS, nanosOf, rounded } from "../../../shared/report/decimal.ts";
import { type Child, h } from "../dom.ts";
import type { Column } from "./table.ts";

const decimals = new Map<string, number>();

/** An exact decimal with its currency, and the same rounded: `1,234.57`, or `< 0.01` for less than half of a cent; empty for an empty text. */
export function amount(text: string, cur: string): Child {
  return text === "" ? "" : h("span", { title: `${text} ${cur}` }, amountText(text, cur));
}

/** The decimal with the digits of its currency; `–` for an empty text. */
export function amountText(text: string, cur: string): string {
  const nanos = nanosOf(text);
  if (nanos === null) return "–";
  const digits = decimalsOf(cur);
  const [whole = "", part] = rounded(nanos, NANOS, digits).split(".");
  if (nanos > 0n && !/[1-9]/.test(whole + part)) return `< ${rounded(1n, 10n ** BigInt(digits), digits)}`;
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), part].filter((one) => one !== undefined).join(".");
}

/** A column of amounts. `order` is for amounts of several currencies: the same in one of them. */
export function money<Row>(
  title: string,
  value: (row: Row) => string,
  curOf: (row: Row) => string,
  order?: (row: Row) => string,
): Column<Row> {
  const of = (row: Row) => amount(value(row), curOf(row));
  return { title, isNumber: true, value, of, ...(order && { order }) };
}

/** The digits after the point that people write in a currency; two if it is unknown. */
function decimalsOf(cur: string): number {
  let known = decimals.get(cur);
  if (known === undefined) {
    try {
      const format = new Intl.NumberFormat("en", { style: "currency", currency: cur });
      known = format.resolvedOptions().maximumFractionDigits ?? 2;
    } catch {
      known = 2;
    }
    decimals.set(cur, known);
  }
  return known;
}
