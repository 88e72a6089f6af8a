//! Chance that repeats with the seed. Each part of the world has dice of its own, so that switching one fault off does
//! not change what the other parts draw.

import { Random } from "../../../../tools/traffic/random.ts";

export class Dice extends Random {
  /** The dice of one part of a world. */
  static of(seed: number, part: string): Dice {
    let hash = seed | 0;
    for (const letter of part) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return new Dice(hash);
  }

  /** From 0 to below 1. */
  unit(): number {
    return this.below(2 ** 32) / 2 ** 32;
  }

  /** True in this part of all calls. A part of 0 draws nothing. */
  chance(part: number): boolean {
    return part > 0 && this.unit() < part;
  }

  /** A number from `least` to below `most`. */
  between(least: number, most: number): number {
    return least + this.unit() * (most - least);
  }
}
