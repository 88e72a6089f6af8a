//! Money as integer micros in Numbers. They are exact up to 2^53, nine billion units of a currency.

import { DECIMAL, type Json } from "./json.ts";

/** Higher than any price. */
const UNAFFORDABLE = Number.MAX_SAFE_INTEGER;

/** Micros of a decimal number, rounded up; undefined if it is not a number. */
export function microsUp(value: Json | undefined): number | undefined {
  return micros(value, Math.ceil);
}

/** Micros of a decimal number, rounded towards zero; undefined if it is not a number. */
export function microsDown(value: Json | undefined): number | undefined {
  return micros(value, Math.trunc);
}

function micros(value: Json | undefined, round: (value: number) => number): number | undefined {
  const number = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  if (typeof number !== "number") return undefined;
  const scaled = number * 1e6;
  if (Math.abs(scaled) >= UNAFFORDABLE) return Math.sign(scaled) * UNAFFORDABLE;
  // The product may be wrong in its last bit: 2.01 × 10^6 is 2009999.9999999998.
  const nearest = Math.round(scaled);
  return nearest / 1e6 === number ? nearest : round(scaled);
}

/** A floor in micros. 0 if absent or negative, infinite if it cannot be read. */
export function floorOf(value: Json | undefined): number {
  return value === undefined || value === null ? 0 : Math.max(0, microsUp(value) ?? Number.POSITIVE_INFINITY);
}

/** An amount in units: the double nearest to the decimal, so that JSON.stringify writes the decimal. */
export function toUnits(amount: number): number {
  return amount / 1e6;
}

/** The value of one unit of each currency, in billionths of a dollar. */
export class Rates {
  readonly #worth = new Map<string, number>([["USD", 1e9]]);

  constructor(entries: readonly { cur: string; usd: string }[]) {
    for (const { cur, usd } of entries) this.#worth.set(cur.toUpperCase(), billionths(usd));
  }

  has(currency: string): boolean {
    return this.#worth.has(currency);
  }

  /** `amount` in another currency, rounded down; undefined without a rate. */
  convertDown(amount: number, from: string, to: string): number | undefined {
    return this.#convert(amount, from, to, false);
  }

  /** `amount` in another currency, rounded up; undefined without a rate. */
  convertUp(amount: number, from: string, to: string): number | undefined {
    return this.#convert(amount, from, to, true);
  }

  #convert(amount: number, from: string, to: string, up: boolean): number | undefined {
    if (from === to && isCurrency(from)) return amount;
    const [one, other] = [this.#worth.get(from), this.#worth.get(to)];
    if (one === undefined || other === undefined) return undefined;
    const product = amount * one;
    if (product <= Number.MAX_SAFE_INTEGER) {
      const rest = product % other;
      return (product - rest) / other + (up && rest > 0 ? 1 : 0);
    }
    const exact = BigInt(amount) * BigInt(one);
    const quotient = exact / BigInt(other) + (up && exact % BigInt(other) > 0n ? 1n : 0n);
    return Math.min(Number(quotient), UNAFFORDABLE);
  }
}

/** Three letters in upper case; empty for an invalid code. */
export function currency(text: string): string {
  return /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : "";
}

function isCurrency(code: string): boolean {
  return code !== "";
}

function billionths(decimal: string): number {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return Number(whole) * 1e9 + Number(fraction.slice(0, 9).padEnd(9, "0"));
}
