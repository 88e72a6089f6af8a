//! The module of the readers, as the Workers of the benchmarks call it.

import module from "./pkg/bench_readers_bg.wasm";

/** Exports of the module; see `src/abi.rs`. Booleans are 0 and 1. */
interface Exports {
  memory: WebAssembly.Memory;
  bench_room(length: number): number;
  bench_read(reader: number, length: number): number;
  bench_id(reader: number, length: number): number;
  bench_name(reader: number): number;
  bench_allocations(): number;
  bench_output(): number;
  bench_output_len(): number;
}

/** An instance. */
export class Readers {
  /** The readers' names; a reader's place is its number. */
  readonly names: readonly string[];
  readonly #exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  #memory = new Uint8Array(this.#exports.memory.buffer as ArrayBuffer);

  constructor() {
    const names: string[] = [];
    while (this.#exports.bench_name(names.length)) names.push(this.#output());
    this.names = names;
  }

  /** Copies a text in and reads it: how many imps there are, or what else the reader counts. */
  read(reader: number, text: Uint8Array): number {
    return this.#exports.bench_read(reader, this.#put(text));
  }

  /** The request's id by this reader, or null where it refuses the text. */
  id(reader: number, text: Uint8Array): string | null {
    return this.#exports.bench_id(reader, this.#put(text)) ? this.#output() : null;
  }

  /** Allocations so far, modulo 2^32. */
  get allocations(): number {
    return this.#exports.bench_allocations();
  }

  #put(text: Uint8Array): number {
    const at = this.#exports.bench_room(text.byteLength);
    // Growing the memory detaches every view of it.
    if (this.#memory.byteLength === 0) this.#memory = new Uint8Array(this.#exports.memory.buffer as ArrayBuffer);
    this.#memory.set(text, at);
    return text.byteLength;
  }

  #output(): string {
    const { memory, bench_output, bench_output_len } = this.#exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, bench_output(), bench_output_len()));
  }
}
