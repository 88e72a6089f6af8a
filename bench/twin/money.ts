//! Money as integer micros in Numbers: exact up to 2^53, nine billion units of a currency.

import { DECIMAL, type Json } from "./json.ts";

/** More than anyone pays. */
const UNAFFORDABLE = Number.MAX_SAFE_INTEGER;

/** Micros of a decimal number, digits below them rounded up; undefined for what is no number. */
export function microsUp(value: Json | undefined): number | undefined {
  return micros(value, Math.ceil);
}

/** The same with those digits cut off. */
export function microsDown(value: Json | undefined): number | undefined {
  return micros(value, Math.trunc);
}

function micros(value: Json | undefined, round: (value: number) => number): number | undefined {
  const number = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  if (typeof number !== "number") return undefined;
  const scaled = number * 1e6;
  if (Math.abs(scaled) >= UNAFFORDABLE) return Math.sign(scaled) * UNAFFORDABLE;
  // The product may be off by its last bit: 2.01 × 10^6 is 2009999.9999999998.
  const nearest = Math.round(scaled);
  return nearest / 1e6 === number ? nearest : round(scaled);
}

/** A floor: 0 when there is none, or a negative one; infinite when it cannot be read. */
export function floorOf(value: Json | undefined): number {
  return value === undefined || value === null ? 0 : Math.max(0, microsUp(value) ?? Number.POSITIVE_INFINITY);
}

/** As a JSON number: the nearest to the exact decimal, which is what JSON.stringify then writes. */
export function toUnits(amount: number): number {
  return amount / 1e6;
}

/** What one unit of each currency is worth in dollars, in billionths. */
export class Rates {
  readonly #worth = new Map<string, number>([["USD", 1e9]]);

  constructor(entries: readonly { cur: string; usd: string }[]) {
    for (const { cur, usd } of entries) this.#worth.set(cur.toUpperCase(), billionths(usd));
  }

  has(currency: string): boolean {
    return this.#worth.has(currency);
  }

  /** `amount` in another currency, rounded down; undefined where a rate is missing. */
  convertDown(amount: number, from: string, to: string): number | undefined {
    return this.#convert(amount, from, to, false);
  }

  /** The same, rounded up. */
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

/** Three letters in upper case; empty for what is no code. */
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
