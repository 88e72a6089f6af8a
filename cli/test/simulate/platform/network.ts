//! What happens to a call on its way: it is late, it gets lost, or it is done and its answer gets lost.

import type { Dice } from "./dice.ts";
import type { Rates } from "./rates.ts";

/** The way of one call. */
export interface Way {
  /** Milliseconds there and back. */
  there: number;
  back: number;
  arrives: boolean;
  returns: boolean;
}

/** A call that gets lost fails after at most so many milliseconds; a late one is up to so late. */
const LOST_MS = 15_000;
const LATE_MS = 8000;

export function wayOf(dice: Dice, { late, lost, unanswered }: Rates): Way {
  const slow = () => dice.between(0.5, 12) + (dice.chance(late / 2) ? dice.between(0, LATE_MS) : 0);
  const [arrives, returns] = [!dice.chance(lost), !dice.chance(unanswered)];
  return { there: slow(), back: returns && arrives ? slow() : dice.between(10, LOST_MS), arrives, returns };
}

/** What arrives at the other side. Plain values are copied here, because that takes a tenth of the time of a clone. */
export function copied<T>(value: T): T {
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError("the value cannot be sent");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy = {} as T;
  for (const name of Object.keys(value) as (keyof T)[]) copy[name] = copied(value[name]);
  return copy;
}
