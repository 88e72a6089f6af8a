//! An instance of a Wasm module: calls take and return numbers, and bytes pass through the instance's memory.
//!
//! The Worker, the commands and the benchmarks all call the modules through this class. It does not depend on what the
//! calls mean.

import type { InitOutput as Serving } from "../../crates/bidder-wasm/pkg/bidder_wasm.js";
import type { InitOutput as Compiling } from "../../crates/compiler-wasm/pkg/compiler_wasm.js";

export type { Compiling, Serving };

/** The exports that both modules have: `crates/base/src/buffers.rs`. */
type Buffers = Pick<Serving & Compiling, "memory" | "reserve" | "output" | "output_len" | "snapshot" | "snapshot_len">;

export class Instance<Exports extends Buffers> {
  readonly exports: Exports;
  #memory: Uint8Array<ArrayBuffer>;

  /** Makes an instance. The modules import nothing. */
  constructor(wasm: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(wasm, {}).exports as unknown as Exports;
    this.#memory = this.#view();
  }

  /** Puts `bytes`, followed by `behind`, where the next call reads them. Returns the number of bytes. */
  put(bytes: Uint8Array, behind?: Uint8Array): number {
    const length = bytes.byteLength + (behind?.byteLength ?? 0);
    const at = this.exports.reserve(length);
    if (at === 0) throw new RangeError(`${length} bytes are more than the module takes`);
    this.#current().set(bytes, at);
    if (behind) this.#current().set(behind, at + bytes.byteLength);
    return length;
  }

  /** {@link put} for a text. */
  putText(text: string): number {
    return this.put(new TextEncoder().encode(text));
  }

  /** A copy of the first `length` bytes that the last call has written over its input. */
  input(length: number): Uint8Array<ArrayBuffer> {
    return this.bytes(this.exports.reserve(0), length);
  }

  /** A copy of the last call's output. */
  output(): Uint8Array<ArrayBuffer> {
    return this.bytes(this.exports.output(), this.exports.output_len());
  }

  /** A copy of the last decision's events; null if there are none. */
  records(this: Instance<Serving>): Uint8Array<ArrayBuffer> | null {
    const length = this.exports.records_len();
    return length === 0 ? null : this.bytes(this.exports.records(), length);
  }

  /** What options have left for the host after the last decision. */
  left(this: Instance<Serving>): Record<string, unknown> {
    return JSON.parse(new TextDecoder().decode(this.view(this.exports.left(), this.exports.left_len())));
  }

  /** {@link output}, parsed as JSON. */
  outputJson<T>(): T {
    return JSON.parse(new TextDecoder().decode(this.output()));
  }

  /** A copy of the snapshot that the instance has compiled or loaded. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return this.bytes(this.exports.snapshot(), this.exports.snapshot_len());
  }

  /** A copy of a part of the memory. Calls no export, so it works after a trap too. */
  bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.view(at, length).slice();
  }

  /** A part of the memory itself, valid until the next call. */
  view(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.#current().subarray(at, at + length);
  }

  /** Bytes of the whole memory. */
  get size(): number {
    return this.#current().byteLength;
  }

  /** The memory grows during calls, and growing detaches every view of it. */
  #current(): Uint8Array<ArrayBuffer> {
    if (this.#memory.byteLength === 0) this.#memory = this.#view();
    return this.#memory;
  }

  #view(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer as ArrayBuffer);
  }
}

/** The value of an export that is declared as a boolean. At run time it is a number. */
export function isTrue(value: boolean | number): boolean {
  return Number(value) !== 0;
}

/** Whether a module was built quickly, for a laptop and for tests: `crates/xtask/src/module.rs` adds the section. */
export function isQuick(wasm: WebAssembly.Module): boolean {
  return WebAssembly.Module.customSections(wasm, "quick").length > 0;
}
