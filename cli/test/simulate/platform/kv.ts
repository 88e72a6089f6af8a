//! Workers KV: one store, and the locations that see its values up to a minute later.

import { Dice } from "./dice.ts";
import type { Rates } from "./rates.ts";
import type { World } from "./world.ts";

type Value = Uint8Array | string;

interface Version {
  value: Value;
  at: number;
  /** When each location sees it, by its number. */
  seenAt: Map<number, number>;
}

/** What a location has read, and when. */
interface Cached {
  version: Version | undefined;
  at: number;
}

export class Kv {
  readonly #rates: Rates;
  readonly #world: World;
  readonly #dice: Dice;
  readonly #versions = new Map<string, Version[]>();
  readonly #cached = new Map<string, Cached>();

  constructor(world: World, rates: Rates) {
    [this.#world, this.#rates, this.#dice] = [world, rates, Dice.of(world.seed, "kv")];
  }

  /** Milliseconds that a call takes, or an error. */
  delay(): number {
    if (this.#dice.chance(this.#rates.kvRefuses)) throw new Error("the simulated KV refuses the call");
    return this.#dice.between(1, 30);
  }

  put(key: string, value: Value): void {
    const versions = this.#versions.get(key) ?? [];
    versions.push({ value, at: this.#world.now, seenAt: new Map() });
    this.#versions.set(key, versions);
  }

  /** The value that a location sees now, or has read in the last `cacheTtl` seconds. */
  get(key: string, location: number, cacheTtl: number): Value | null {
    const { now } = this.#world;
    const name = `${location} ${key}`;
    let cached = this.#cached.get(name);
    if (cached === undefined || now - cached.at >= cacheTtl * 1000) {
      const seen = (version: Version) => this.#seenAt(version, location) <= now;
      cached = { version: this.#versions.get(key)?.findLast(seen), at: now };
      this.#cached.set(name, cached);
    }
    return cached.version?.value ?? null;
  }

  #seenAt(version: Version, location: number): number {
    let at = version.seenAt.get(location);
    if (at === undefined) {
      at = version.at + this.#dice.unit() * this.#rates.kvStaleness * 1000;
      version.seenAt.set(location, at);
    }
    return at;
  }
}
