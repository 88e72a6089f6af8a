//! Counts of a recording, projected to another time, with the interval in which the true count probably lies.
//!
//! The recording is cut into blocks of equal length, and the interval is that of a jackknife over pairs of neighbouring
//! blocks: bursts make it wider, and the slow waves of a day, which come again, do not. It covers the chance in the recording
//! and in the time to come, not a change of the traffic.

import { marginOf } from "../../shared/report/jackknife.ts";

/** A projected count, and its 95 % interval; null if the recording is too short for one. */
export interface Estimate {
  count: number;
  low: number | null;
  high: number | null;
}

/** So many times the recording, people can be estimated. */
const FAR = 3;
const PAIRS = 24;
const BLOCKS = 2 * PAIRS;

/** The number of these times in each block of a recording from the time `from` to the time `to`. */
export function blocksOf(times: readonly number[], from: number, to: number): number[] {
  const blocks = Array<number>(BLOCKS).fill(0);
  for (const time of times) {
    const block = Math.min(BLOCKS - 1, Math.floor(((time - from) * BLOCKS) / (to - from || 1)));
    blocks[block] = (blocks[block] ?? 0) + 1;
  }
  return blocks;
}

/**
 * Projects the sum of the blocks. `times`: the time to come, as a multiple of the recording. `weight`: the requests that
 * each line of the recording stands for.
 */
export function projected(blocks: readonly number[], times: number, weight: number, isEnough: boolean): Estimate {
  const sum = blocks.reduce((sum, one) => sum + one, 0);
  const count = sum * weight * times;
  if (!isEnough) return { count, low: null, high: null };
  const pairs = blocks.flatMap((one, n) => (n % 2 === 0 ? [sum + one - (blocks[n + 1] ?? 0)] : []));
  const told = (marginOf(pairs) * PAIRS) / (PAIRS - 1);
  // Few lines say too little about their bursts, and none says nothing: then chance alone makes the interval.
  const chance = 1.96 * Math.sqrt(sum + 4);
  const margin = Math.max(told, chance) * weight * times * Math.sqrt(1 + 1 / times);
  return { count, low: Math.max(0, count - margin), high: count + margin };
}

/**
 * The number of different people in `times` as many requests as the recording has. `people`: the requests of each, by a
 * key of hex digits. Up to all requests, it is what a part of the recording has on average. Beyond, it is the estimate of
 * Colwell et al. (2012), eq. 12, from those who came once and twice; beyond {@link FAR}, that is a lower bound without an
 * interval.
 */
export function peopleIn(people: ReadonlyMap<string, { requests: number }>, times: number): Estimate {
  const groups = Array.from({ length: 16 }, () => new Map<number, number>());
  for (const [key, { requests }] of people) {
    const group = groups[Number.parseInt(key.slice(0, 1), 16)];
    group?.set(requests, (group.get(requests) ?? 0) + 1);
  }
  const without = groups.map(
    (group) =>
      expected(
        groups.filter((other) => other !== group),
        times,
      ) *
      (16 / 15),
  );
  const [count, margin] = [expected(groups, times), marginOf(without)];
  if (times > FAR) return { count, low: null, high: null };
  return { count, low: Math.max(0, count - margin), high: count + margin };
}

/** `groups`: the number of people by their number of requests. */
function expected(groups: ReadonlyMap<number, number>[], times: number): number {
  const sum = (of: (requests: number, people: number) => number) =>
    groups.reduce(
      (sum, group) => group.entries().reduce((sum, [requests, people]) => sum + of(requests, people), sum),
      0,
    );
  if (times <= 1) return sum((requests, people) => people * (1 - (1 - times) ** requests));
  const came = (times: number) => sum((requests, people) => (requests === times ? people : 0));
  const [once, twice] = [came(1), came(2)];
  const unseen = twice > 0 ? once ** 2 / (2 * twice) : (once * (once - 1)) / 2;
  const more = unseen > 0 ? unseen * -Math.expm1((-(times - 1) * once) / unseen) : 0;
  return sum((_, people) => people) + more;
}
