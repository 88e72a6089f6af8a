//! The isolates that serve now. When one ends, another takes its place.

import type { Dice } from "./platform/dice.ts";
import type { Isolate, Platform } from "./platform/platform.ts";

/** Each isolate's continent; isolates of one continent share a location of KV. */
const ISOLATES = ["EU", "EU", "EU", "NA", "NA"];

export const CONTINENTS = ["EU", "NA"] as const;

export class Fleet {
  readonly #platform: Platform;
  #isolates: Isolate[];

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#isolates = ISOLATES.map((continent) => this.#start(continent));
  }

  get all(): readonly Isolate[] {
    return this.#isolates;
  }

  /** Any isolate, or any of a continent. */
  any(dice: Dice, continent?: string): Isolate {
    const found = this.#isolates.filter((one) => continent === undefined || one.continent === continent);
    return found[dice.below(found.length)] as Isolate;
  }

  /** Ends an isolate. */
  replace(isolate: Isolate): void {
    isolate.end();
    this.#isolates = this.#isolates.map((one) => (one === isolate ? this.#start(one.continent) : one));
  }

  #start(continent: string): Isolate {
    return this.#platform.isolate(CONTINENTS.indexOf(continent as "EU"), continent);
  }
}
