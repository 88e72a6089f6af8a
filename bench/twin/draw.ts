//! Draws the order of equal campaigns from the request's id. It gives the same lots as
//! `crates/bidder-wasm/src/draw.rs`.

/** Lots order the campaigns within a block of this size. A longer run starts with the block of a drawn campaign. */
const BLOCK = 512;

/** Positions, in the order of worth, of campaigns that would pay the same. */
export interface Run {
  from: number;
  to: number;
}

export class Draw {
  readonly #hash: number;

  constructor(id: Uint8Array, imp: number) {
    let hash = 0x811c9dc5;
    for (const byte of id) hash = Math.imul(hash ^ byte, 0x01000193);
    this.#hash = mixed(hash ^ imp);
  }

  /** The lot of item `number` among its equals. The lowest lot comes first. */
  lot(number: number): number {
    return mixed(this.#hash ^ Math.imul(number, 0x9e3779b1));
  }

  /** Compares the campaigns at two positions of a run. */
  compare({ from, to }: Run, a: number, b: number): number {
    const [first, end] = [Math.floor(from / BLOCK), Math.ceil(to / BLOCK)];
    const drawn = Math.floor((from + (this.lot(first) % (to - from))) / BLOCK);
    const turn = (place: number) => (Math.floor(place / BLOCK) - drawn + (end - first)) % (end - first);
    return turn(a) - turn(b) || this.lot(a) - this.lot(b) || a - b;
  }
}

function mixed(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
