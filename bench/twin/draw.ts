//! Orders campaigns of equal worth by *lots*: pseudo-random numbers made from the request's id. The lots equal those
//! of `crates/bidder-wasm/src/draw.rs`.

/** Lots order the campaigns within a block of this size. If a run has several blocks, a lot also chooses the first. */
const BLOCK = 512;

/** A range of positions in the order of worth: the campaigns there have equal worth. */
export interface Run {
  from: number;
  to: number;
}

/** A campaign: its position in the order of worth, and the {@link ownerHash} of its id. */
interface Item {
  rank: number;
  hash: number;
}

export class Draw {
  readonly #hash: number;

  private constructor(hash: number) {
    this.#hash = hash;
  }

  static new(id: Uint8Array, imp: number): Draw {
    let hash = 0x811c9dc5;
    for (const byte of id) hash = Math.imul(hash ^ byte, 0x01000193);
    return new Draw(mixed(hash ^ imp));
  }

  /** An independent draw for the owner with this {@link ownerHash}. */
  of(hash: number): Draw {
    return new Draw(mixed(this.#hash ^ hash));
  }

  /** The lot of an item, by the item's number or the {@link ownerHash} of its id. The item with the lowest lot comes first. */
  lot(number: number): number {
    return mixed(this.#hash ^ Math.imul(number, 0x9e3779b1));
  }

  /** Compares two campaigns of a run. */
  compare({ from, to }: Run, a: Item, b: Item): number {
    const [first, end] = [Math.floor(from / BLOCK), Math.ceil(to / BLOCK)];
    const drawn = Math.floor((from + (this.lot(first) % (to - from))) / BLOCK);
    const turn = (place: number) => (Math.floor(place / BLOCK) - drawn + (end - first)) % (end - first);
    return turn(a.rank) - turn(b.rank) || this.lot(a.hash) - this.lot(b.hash) || a.rank - b.rank;
  }
}

/** The upper half of the 64-bit FNV-1a hash of an id. */
export function ownerHash(id: string): number {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return Number(hash >> 32n);
}

function mixed(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
