//! The calls into an instance of a Wasm module: numbers in, numbers out, bytes through its memory.
//!
//! Shared by everything that runs one: the Worker, the commands, the benchmarks.

import type { InitOutput as Serving } from "../../crates/bidder-wasm/pkg/bidder_wasm.js";
import type { InitOutput as Compiling } from "../../crates/compiler-wasm/pkg/compiler_wasm.js";

export type { Compiling, Serving };

/** What both modules have. */
type Instance = Pick<Serving & Compiling, "memory" | "reserve" | "output" | "output_len" | "snapshot" | "snapshot_len">;

/** A fresh instance. The modules import nothing. */
export function instantiate<I extends Instance>(wasm: WebAssembly.Module): I {
  return new WebAssembly.Instance(wasm, {}).exports as unknown as I;
}

/** Puts bytes where the next call reads them, and returns how many there are. */
export function put(instance: Instance, bytes: Uint8Array): number {
  const at = instance.reserve(bytes.byteLength);
  if (at === 0) throw new RangeError(`${bytes.byteLength} bytes are over every limit`);
  memory(instance).set(bytes, at);
  return bytes.byteLength;
}

/** What the last call left as its output. */
export function output(instance: Instance): Uint8Array<ArrayBuffer> {
  const at = instance.output();
  return memory(instance).slice(at, at + instance.output_len());
}

/** {@link output} as the JSON value that it is. */
export function outputJson<T>(instance: Instance): T {
  return JSON.parse(new TextDecoder().decode(output(instance)));
}

/** The snapshot that the instance compiled or loaded. */
export function snapshot(instance: Instance): Uint8Array<ArrayBuffer> {
  const at = instance.snapshot();
  return memory(instance).slice(at, at + instance.snapshot_len());
}

/** The instance's memory. Growing detaches it, and any call may grow it. */
export function memory(instance: Instance): Uint8Array<ArrayBuffer> {
  return new Uint8Array(instance.memory.buffer as ArrayBuffer);
}

/** A boolean export's value: generated as a boolean, it is a number at this level. */
export function isTrue(value: boolean | number): boolean {
  return Number(value) !== 0;
}
