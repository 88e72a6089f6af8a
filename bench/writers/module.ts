//! Calls the Wasm module of the writers from a Worker.

import module from "./pkg/bench_writers_bg.wasm";

/** The exports of `src/abi.rs`. Booleans are 0 and 1. */
interface Exports {
  memory: WebAssembly.Memory;
  writers_room(length: number): number;
  writers_load(): number;
  writers_name(writer: number): number;
  writers_can(writer: number, isResponse: number): number;
  writers_write(writer: number, isResponse: number, list: number, from: number, to: number): number;
  writers_is_right(writer: number, isResponse: number, list: number): number;
  writers_allocated(): number;
  writers_output(): number;
  writers_output_len(): number;
}

/** An instance of the module. */
export class Writers {
  /** Names of the writers. A writer's number is its position. */
  readonly names: readonly string[];
  readonly #exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;

  /** `lists`: the lists of bids as JSON. */
  constructor(lists: Uint8Array) {
    const at = this.#exports.writers_room(lists.byteLength);
    new Uint8Array(this.#exports.memory.buffer).set(lists, at);
    if (!this.#exports.writers_load()) throw new Error("the module refuses the lists");
    const names: string[] = [];
    while (this.#exports.writers_name(names.length)) {
      names.push(new TextDecoder().decode(this.#output(this.#exports.writers_output_len())));
    }
    this.names = names;
  }

  can(writer: number, isResponse: boolean): boolean {
    return this.#exports.writers_can(writer, Number(isResponse)) !== 0;
  }

  /** Writes the bids `from` to `to` of a list and copies the bytes out, as the Worker copies responses. */
  write(writer: number, isResponse: boolean, list: number, from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#output(this.#exports.writers_write(writer, Number(isResponse), list, from, to));
  }

  /** Whether parsing the output of a writer gives the original bids. */
  isRight(writer: number, isResponse: boolean, list: number): boolean {
    return this.#exports.writers_is_right(writer, Number(isResponse), list) !== 0;
  }

  /** Bytes allocated so far, modulo 2^32. */
  get allocated(): number {
    return this.#exports.writers_allocated() >>> 0;
  }

  #output(length: number): Uint8Array<ArrayBuffer> {
    const at = this.#exports.writers_output();
    return new Uint8Array(this.#exports.memory.buffer as ArrayBuffer).slice(at, at + length);
  }
}
