//! Makes variants of a request. Real traffic never repeats the same bytes, and a processor learns the branches of a
//! text that it reads again and again.
//!
//! Equal seeds give equal variants. Optional attributes disappear, lists change their length, and digits change in
//! strings and numbers. Keys, their order, flags, and everything a reader requires stay.

import { Random } from "../../tools/traffic/random.ts";

/** Attributes that a reader may require, and the objects that hold them. */
const KEPT = new Set(["id", "imp", "banner", "video", "native", "request", "site", "app", "source", "uids", "assets"]);
const DROPPED_PER_THOUSAND = 25;
const MAX_ADDED = 2;
/** Whole numbers up to this one are flags or codes and stay. */
const LAST_CODE = 9;

/** `count` texts; the first one is the original. */
export function variants(given: string, count: number): string[] {
  const random = new Random(count);
  const original = JSON.parse(given);
  return [given, ...Array.from({ length: count - 1 }, () => text(varied(original, random)))];
}

/** A variant of the request. Attributes named in `fixed` keep their values. */
export function varied(request: unknown, random: Random, fixed: ReadonlySet<string> = new Set()): unknown {
  return vary(request, "", random, fixed);
}

function vary(value: unknown, key: string, random: Random, fixed: ReadonlySet<string>): unknown {
  if (fixed.has(key)) return value;
  if (Array.isArray(value)) {
    const items = key === "imp" || key === "uids" ? value : lengthened(value, random);
    return items.map((item) => vary(item, key, random, fixed));
  }
  if (typeof value === "object" && value !== null) {
    const kept = Object.entries(value).filter(([key]) => KEPT.has(key) || random.below(1000) >= DROPPED_PER_THOUSAND);
    return Object.fromEntries(kept.map(([key, value]) => [key, vary(value, key, random, fixed)]));
  }
  if (typeof value === "string" && key !== "request") return value.replace(/\d/g, () => String(random.below(10)));
  if (typeof value === "number" && key === "bidfloor") return random.floor();
  if (Number.isInteger(value) && Number(value) > LAST_CODE) return 10 + random.below(2 * Number(value));
  return value;
}

/** The list with one item less, or with up to two items repeated. */
function lengthened(items: unknown[], random: Random): unknown[] {
  const change = random.below(MAX_ADDED + 2) - 1;
  return change < 0 ? items.slice(0, Math.max(1, items.length - 1)) : [...items, ...items.slice(0, change)];
}

/**
 * A request as an exchange would send it, minified. Some exchanges escape more than JSON requires: here the slashes of
 * two attributes and every ampersand.
 */
export function text(request: unknown): string {
  return JSON.stringify(request)
    .replace(/"(?:ref|storeurl)":"[^"]*"/g, (member) => member.replaceAll("/", "\\/"))
    .replaceAll("&", "\\u0026");
}
