//! The module of the benchmarks, for their Workers: readers and the bidder, with an allocator that counts.

import { Instance, type Serving } from "../../shared/wasm/instance.ts";
import module from "./pkg/bench_measured_bg.wasm";

/** The exports of `src/abi.rs` and `src/allocations.rs` beside the bidder's. */
export interface Measured extends Serving {
  bench_names(): void;
  bench_read(reader: number, length: number): number;
  bench_allocations(): number;
}

export { module };

/** The instance that reads. */
export const instance = new Instance<Measured>(module);
instance.exports.bench_names();

/** The names of the readers. The number of each is its position. */
export const readers = new TextDecoder().decode(instance.output()).split("\n");

/**
 * Copies a text in and reads it. Returns the number of impressions, of bytes for `copy`; -1 if the reader refuses it.
 */
export function read(reader: number, text: Uint8Array): number {
  return instance.exports.bench_read(reader, instance.put(text));
}
