//! Reads numbers from web-safe base64, six bits per character.

/** The string cannot be read: too short, another version, or not base64. */
export class Unreadable extends Error {}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SEXTETS = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))));

export class Bits {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    if (!/^[\w-]*$/.test(text)) throw new Unreadable();
    this.#text = text;
  }

  /** The next `count` bits, at most 32, as a number. */
  take(count: number): number {
    const start = this.#at;
    this.skip(count);
    const behind = Math.ceil(this.#at / 6);
    let bits = 0;
    for (let at = Math.floor(start / 6); at < behind; at++) {
      bits = bits * 64 + (SEXTETS[this.#text.charCodeAt(at)] ?? 0);
    }
    return Math.floor(bits / 2 ** (behind * 6 - this.#at)) % 2 ** count;
  }

  bit(): boolean {
    return this.take(1) === 1;
  }

  /** The next `count` bits as a set. The first one is bit 0. */
  set(count: number): number {
    let set = 0;
    for (let at = 0; at < count; at++) if (this.bit()) set |= 1 << at;
    return set;
  }

  skip(count: number): void {
    this.#at += count;
    if (this.#at > this.#text.length * 6) throw new Unreadable();
  }

  /** Reads a number in Fibonacci coding. */
  fibonacci(): number {
    let [sum, summand, next, last] = [0, 1, 2, false];
    for (;;) {
      const bit = this.bit();
      if (bit && last) return sum;
      if (bit) sum += summand;
      [summand, next, last] = [next, summand + next, bit];
      if (next > 2 ** 32) throw new Unreadable();
    }
  }
}
