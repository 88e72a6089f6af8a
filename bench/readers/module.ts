//! Calls the Wasm module of the readers from a Worker.

import module from "./pkg/bench_readers_bg.wasm";

/** The exports of `src/abi.rs`. Booleans are 0 and 1. */
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

/** An instance of the module. */
export class Readers {
  /** Names of the readers. A reader's number is its position. */
  readonly names: readonly string[];
  readonly #exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  #memory = new Uint8Array(this.#exports.memory.buffer as ArrayBuffer);

  constructor() {
    const names: string[] = [];
    while (this.#exports.bench_name(names.length)) names.push(this.#output());
    this.names = names;
  }

  /** Copies a text in and reads it. Returns the number of impressions; `copy` returns the number of bytes. */
  read(reader: number, text: Uint8Array): number {
    return this.#exports.bench_read(reader, this.#put(text));
  }

  /** The request's id as this reader sees it; null if it refuses the text. */
  id(reader: number, text: Uint8Array): string | null {
    return this.#exports.bench_id(reader, this.#put(text)) ? this.#output() : null;
  }

  /** Allocations so far, modulo 2^32. */
  get allocations(): number {
    return this.#exports.bench_allocations();
  }

  #put(text: Uint8Array): number {
    const at = this.#exports.bench_room(text.byteLength);
    // Growing the memory detaches all views of it.
    if (this.#memory.byteLength === 0) this.#memory = new Uint8Array(this.#exports.memory.buffer as ArrayBuffer);
    this.#memory.set(text, at);
    return text.byteLength;
  }

  #output(): string {
    const { memory, bench_output, bench_output_len } = this.#exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, bench_output(), bench_output_len()));
  }
}
