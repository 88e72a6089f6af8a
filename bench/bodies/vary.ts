//! Requests like a given one: no two requests of real traffic are the same bytes, and a processor
//! learns the branches of a text that it reads again and again by heart.
//!
//! Deterministic. Optional attributes come and go, lists differ in length, digits in texts and
//! numbers; keys, their order, flags, and what every reader needs stay.

import { Random } from "./random.ts";
import { text } from "./text.ts";

/** What a reader may require, or what holds it. */
const KEPT = new Set(["id", "imp", "banner", "video", "native", "request", "site", "app", "source", "uids", "assets"]);
/** In a thousand. */
const DROPPED_PER_THOUSAND = 25;
const MAX_ADDED = 2;
/** Whole numbers up to this are flags and codes. */
const LAST_CODE = 9;

/** `count` texts, the first one the given one. */
export function variants(given: string, count: number): string[] {
  const random = new Random(count);
  const original = JSON.parse(given);
  return [given, ...Array.from({ length: count - 1 }, () => text(varied(original, random)))];
}

/** A request like the given one; what `fixed` attributes hold stays as it is. */
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

/** The items without the last few, or with some of them twice. */
function lengthened(items: unknown[], random: Random): unknown[] {
  const change = random.below(MAX_ADDED + 2) - 1;
  return change < 0 ? items.slice(0, Math.max(1, items.length - 1)) : [...items, ...items.slice(0, change)];
}
