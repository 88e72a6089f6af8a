//! How much user data a bid may use.

/** From strict to free: 0 = no bid, 1 = no ids, 2 = ids, 3 = ids and precise location. */
export type Verdict = 0 | 1 | 2 | 3;
export const NONE = 0;
export const CONTEXTUAL = 1;
export const PERSONAL = 2;
export const FREE = 3;

export function stricter(one: Verdict, other: Verdict): Verdict {
  return one < other ? one : other;
}
