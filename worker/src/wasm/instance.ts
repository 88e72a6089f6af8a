//! An instance of a Wasm module: numbers in, numbers out, bytes through its memory.
//!
//! Shared by everything that runs one: the Worker, the commands, the benchmarks.

import type { InitOutput as Serving } from "../../../crates/bidder-wasm/pkg/bidder_wasm.js";
import type { InitOutput as Compiling } from "../../../crates/compiler-wasm/pkg/compiler_wasm.js";

export type { Compiling, Serving };

/** What both modules have: `crates/bidder-wasm/src/buffers.rs`. */
type Buffers = Pick<Serving & Compiling, "memory" | "reserve" | "output" | "output_len" | "snapshot" | "snapshot_len">;

export class Instance<Exports extends Buffers> {
  readonly exports: Exports;
  #memory: Uint8Array<ArrayBuffer>;

  /** Makes one. The modules import nothing. */
  constructor(wasm: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(wasm, {}).exports as unknown as Exports;
    this.#memory = this.#view();
  }

  /** Puts bytes where the next call reads them, one behind the other, and returns how many there are. */
  put(bytes: Uint8Array, behind?: Uint8Array): number {
    const length = bytes.byteLength + (behind?.byteLength ?? 0);
    const at = this.exports.reserve(length);
    if (at === 0) throw new RangeError(`${length} bytes are over every limit`);
    this.#current().set(bytes, at);
    if (behind) this.#current().set(behind, at + bytes.byteLength);
    return length;
  }

  /** What the last call left as its output. */
  output(): Uint8Array<ArrayBuffer> {
    return this.bytes(this.exports.output(), this.exports.output_len());
  }

  /** The records that the last decision left beside its output; null for none. */
  records(this: Instance<Serving>): Uint8Array<ArrayBuffer> | null {
    const length = this.exports.records_len();
    return length === 0 ? null : this.bytes(this.exports.records(), length);
  }

  /** {@link output} as the JSON value that it is. */
  outputJson<T>(): T {
    return JSON.parse(new TextDecoder().decode(this.output()));
  }

  /** The snapshot that the instance compiled or loaded. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return this.bytes(this.exports.snapshot(), this.exports.snapshot_len());
  }

  /** A copy of what is somewhere in the memory. Calls nothing. */
  bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.view(at, length).slice();
  }

  /** The same without copying, until the next call. */
  view(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.#current().subarray(at, at + length);
  }

  /** Bytes of the whole memory. */
  get size(): number {
    return this.#current().byteLength;
  }

  /** Growing the memory detaches every view of it, and any call may grow it. */
  #current(): Uint8Array<ArrayBuffer> {
    if (this.#memory.byteLength === 0) this.#memory = this.#view();
    return this.#memory;
  }

  #view(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer as ArrayBuffer);
  }
}

/** A boolean export's value: generated as a boolean, it is a number at this level. */
export function isTrue(value: boolean | number): boolean {
  return Number(value) !== 0;
}
