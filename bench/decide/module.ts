//! The built module as the benchmarks use it: compiled, loaded, decided with, and asked for what it counts.
//!
//! Runs in workerd and in Node.

import {
  type Compiling,
  instantiate,
  isTrue,
  memory,
  outputJson,
  put,
  type Serving,
  snapshot,
} from "../../worker/src/module.ts";

/** Allocations since the instance began, modulo 2^32: of the module that counts them. */
type Counting = Serving & { bench_allocations?(): number };

/** What one decision came to. */
export interface Answer {
  /** 200, 204 or 400. */
  status: number;
  /** The response; with the status 200 only. */
  body: Uint8Array<ArrayBuffer> | null;
}

/** How a catalog came into the module. */
export interface Loaded {
  /** From the document's bytes to a snapshot. */
  compile_ms: number;
  /** From the snapshot's bytes to being in use. */
  load_ms: number;
  snapshot_bytes: number;
}

const SEED = [0x01234567, 0x89abcdef] as const;
/** The one SSP of generated catalogs. */
const SSP = 0;

/** An instance with a catalog in it. */
export class Bidder {
  readonly loaded: Loaded;
  readonly #instance: Counting;
  #memory: Uint8Array<ArrayBuffer>;

  /** `zones` is what `set_zones` takes. Throws when the catalog is refused. */
  constructor(module: WebAssembly.Module, compiler: WebAssembly.Module, document: Uint8Array, zones: object) {
    const begin = performance.now();
    const compiled = compile(compiler, document, zones);
    const compiledAt = performance.now();
    this.#instance = instantiate(module);
    if (!isTrue(this.#instance.load(put(this.#instance, compiled)))) throw new Error(said(this.#instance));
    this.#memory = memory(this.#instance);
    this.loaded = {
      compile_ms: compiledAt - begin,
      load_ms: performance.now() - compiledAt,
      snapshot_bytes: compiled.byteLength,
    };
  }

  /** Copies a request in, decides, and copies the response out, as the Worker does. */
  decide(request: Uint8Array, now: number): Answer {
    const status = this.#instance.decide(this.#put(request), SSP, now, ...SEED) & 0x7fff;
    return { status, body: status === 200 ? this.#output() : null };
  }

  /** Candidates that the last decision examined. */
  get examined(): number {
    return this.#instance.examined();
  }

  /** Allocations so far, modulo 2^32; null from a module that does not count them. */
  get allocations(): number | null {
    return this.#instance.bench_allocations?.() ?? null;
  }

  get memoryBytes(): number {
    return this.#instance.memory.buffer.byteLength;
  }

  #put(bytes: Uint8Array): number {
    const at = this.#instance.reserve(bytes.byteLength);
    if (at === 0) throw new RangeError(`${bytes.byteLength} bytes are over every limit`);
    this.#current().set(bytes, at);
    return bytes.byteLength;
  }

  #output(): Uint8Array<ArrayBuffer> {
    const at = this.#instance.output();
    return this.#current().slice(at, at + this.#instance.output_len());
  }

  /** Growing the memory detaches every view of it. */
  #current(): Uint8Array<ArrayBuffer> {
    if (this.#memory.byteLength === 0) this.#memory = memory(this.#instance);
    return this.#memory;
  }
}

function compile(compiler: WebAssembly.Module, document: Uint8Array, zones: object): Uint8Array {
  const instance = instantiate<Compiling>(compiler);
  instance.set_zones(put(instance, new TextEncoder().encode(JSON.stringify(zones))));
  if (!isTrue(instance.compile(put(instance, document)))) throw new Error(said(instance));
  return snapshot(instance);
}

/** What the last call left, as text. */
function said(instance: Serving | Compiling): string {
  return JSON.stringify(outputJson(instance));
}
