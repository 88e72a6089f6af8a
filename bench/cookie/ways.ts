//! Two ways to find the ids that fit into a cookie. Each takes ids in the order of preference and keeps as many as fit.

import { firstThatFit } from "../../worker/src/cookies/fitting.ts";
import { encodeAll, type PartnerId } from "../../worker/src/cookies/partner-ids.ts";

type Encode = (ids: readonly PartnerId[]) => string;

export type Way = (ids: readonly PartnerId[], limit: number, encode: Encode) => string;

export const WAYS: Record<string, Way> = {
  "binary search": (ids, limit, encode) => firstThatFit(ids, limit, encode).text,

  "one at a time": (ids, limit, encode) => {
    const rest = ids.slice();
    let text = encode(rest);
    while (text.length > limit) {
      rest.pop();
      text = encode(rest);
    }
    return text;
  },
};

/** How often a way calls the encoder. */
export function countEncodes(way: Way, ids: readonly PartnerId[], limit: number): number {
  let count = 0;
  way(ids, limit, (some) => {
    count++;
    return encodeAll(some);
  });
  return count;
}
