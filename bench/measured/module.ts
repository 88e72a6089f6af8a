//! The module of the benchmarks, for their Workers: readers, writers, and the bidder, with an allocator that counts.

import { Instance, isTrue, type Serving } from "../../shared/wasm/instance.ts";
import module from "./pkg/bench_measured_bg.wasm";

/** The exports of `src/abi.rs` and `src/allocations.rs` beside the bidder's. */
export interface Measured extends Serving {
  bench_names(ofWriters: number): void;
  bench_read(reader: number, length: number): number;
  bench_load(length: number): boolean;
  bench_write(writer: number, isResponse: number, list: number, from: number, to: number): number;
  bench_allocations(): number;
  bench_allocated(): number;
}

export { module };

/** The instance that reads and writes. */
export const instance = new Instance<Measured>(module);

/** The names of the readers or writers. The number of each is its position. */
export const [readers, writers] = [0, 1].map((ofWriters) => {
  instance.exports.bench_names(ofWriters);
  return new TextDecoder().decode(instance.output()).split("\n");
}) as [string[], string[]];

/**
 * Copies a text in and reads it. Returns the number of impressions, of bytes for `copy`; -1 if the reader refuses it.
 */
export function read(reader: number, text: Uint8Array): number {
  return instance.exports.bench_read(reader, instance.put(text));
}

/** Takes the lists of bids, in JSON. */
export function load(lists: Uint8Array): void {
  if (!isTrue(instance.exports.bench_load(instance.put(lists)))) throw new Error("the module refuses the lists");
}

/** Writes the bids `from` to `to` of a list and copies the bytes out, as the Worker copies responses. */
export function write(writer: number, isResponse: boolean, list: number, from: number, to: number) {
  return instance.input(instance.exports.bench_write(writer, Number(isResponse), list, from, to));
}
