//! Random draws with the distributions of real traffic and demand: rare events, heavy tails, prices.

import type { Random } from "./random.ts";

/** From 0 up to, but not including, 1. */
export function unit(random: Random): number {
  return random.below(2 ** 32) / 2 ** 32;
}

/** True in this share of the draws, from 0 to 1. */
export function chance(random: Random, share: number): boolean {
  return unit(random) < share;
}

/** An integer from `least` to `most`, both included, with equal probability. */
export function between(random: Random, least: number, most: number): number {
  return least + random.below(most - least + 1);
}

/** Log-normal: its logarithm has the mean ln(`median`) and the standard deviation `sigma`. */
export function logNormal(random: Random, median: number, sigma: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - unit(random)));
  return median * Math.exp(sigma * radius * Math.cos(2 * Math.PI * unit(random)));
}

/** Draws items by weight. */
export class Weighted<T> {
  readonly #items: readonly T[];
  /** The sum of the weights up to and including each item. */
  readonly #sums: number[] = [];

  constructor(weights: readonly (readonly [item: T, weight: number])[]) {
    this.#items = weights.map(([item]) => item);
    let sum = 0;
    for (const [, weight] of weights) {
      sum += weight;
      this.#sums.push(sum);
    }
  }

  draw(random: Random): T {
    const wanted = unit(random) * (this.#sums.at(-1) ?? 0);
    let [low, high] = [0, this.#sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return this.#items[low] as T;
  }

  /** Up to `count` different items. There are fewer if some items are drawn repeatedly. */
  several(random: Random, count: number): T[] {
    const drawn = new Set<T>();
    for (let tries = 0; drawn.size < count && tries < 4 * count; tries++) drawn.add(this.draw(random));
    return [...drawn];
  }
}

/** Zipf: the item of rank r has the weight 1 / r^`exponent`. */
export function zipf<T>(items: readonly T[], exponent: number): Weighted<T> {
  return new Weighted(items.map((item, at) => [item, 1 / (at + 1) ** exponent]));
}

/** Draws by weight from a text such as `site 54, app 44`. `read` makes an item of each name. */
export function shares<T = string>(text: string, read: (name: string) => T = (name) => name as T): Weighted<T> {
  const entries = text.split(", ").map((entry) => {
    const [, name = "", weight] = /^(.*) ([\d.]+)$/.exec(entry) ?? [];
    return [read(name), Number(weight)] as const;
  });
  return new Weighted(entries);
}
