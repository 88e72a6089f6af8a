//! Numbers and identifiers that look random but repeat with the same seed.

/** A random source. Equal seeds give equal sequences. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** An integer from 0 to below `end` (mulberry32). */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  /** `length` characters of an alphabet. */
  text(length: number, alphabet: string): string {
    let text = "";
    for (let at = 0; at < length; at++) text += alphabet[this.below(alphabet.length)];
    return text;
  }

  hex(length: number): string {
    return this.text(length, "0123456789abcdef");
  }

  /** URL-safe base64, the alphabet of consent strings and encrypted ids. */
  base64(length: number): string {
    return this.text(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join("-");
  }

  /** A floor price from 0.05 to 4.99 with two decimals. */
  floor(): number {
    return (5 + this.below(495)) / 100;
  }
}
