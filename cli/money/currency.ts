//! Which currency an invoice names in the title of a column or beside an amount. A sign that several currencies share,
//! such as `$`, may be each of them.

/** Albania's and South Sudan's codes are left out: a title that ends with ALL or SSP means the word. */
const CODES = new Set(Intl.supportedValuesOf("currency").filter((code) => code !== "ALL" && code !== "SSP"));

/** The currency other than `cur` that the title of a column names: `EUR` in `Cost (EUR)`, `€` in `Cost €`; else null. */
export function otherInTitle(title: string, cur: string): string | null {
  const [, code = ""] = /(?:^|[^A-Za-z])([A-Z]{3})[^A-Za-z]*$/.exec(title) ?? [];
  return CODES.has(code) && code !== cur ? code : otherSign(title, cur);
}

/** The first currency sign in the text that is not one of `cur`; null if there is none. */
export function otherSign(text: string, cur: string): string | null {
  return text.match(/\p{Sc}/gu)?.find((sign) => !signOf(cur).endsWith(sign)) ?? null;
}

/** The short sign of a currency, such as `$` of USD; its code if it has none. */
function signOf(cur: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: cur, currencyDisplay: "narrowSymbol" });
  return format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? cur;
}
