//! Loads the built module for the benchmarks, decides with it and reads its counters.
//!
//! Runs in workerd and in Node.

import { type Compiling, Instance, isTrue, type Serving } from "../../worker/src/wasm/instance.ts";

/**
 * `bench_allocations`: allocations since the start of the instance, modulo 2^32. Only the counting module exports it.
 */
type Counting = Serving & { bench_allocations?(): number };

/** The result of one decision. */
export interface Answer {
  /** 200, 204 or 400. */
  status: number;
  /** The response; only with status 200. */
  body: Uint8Array<ArrayBuffer> | null;
  /** Whether the decision reached its limit on work. It then answers with the best bid found so far. */
  isCutOff: boolean;
}

const SEED = [0x01234567, 0x89abcdef] as const;
/** The only SSP of generated catalogs. */
const SSP = 0;

/** A module instance with a loaded catalog. */
export class Bidder {
  readonly #instance: Instance<Counting>;

  /** `zones`: the argument of `set_zones`. Throws if the catalog is refused. */
  constructor(module: WebAssembly.Module, compiler: WebAssembly.Module, document: Uint8Array, zones: object) {
    const compiled = compile(compiler, document, zones);
    this.#instance = new Instance(module);
    if (!isTrue(this.#instance.exports.load(this.#instance.put(compiled), 0, 0)))
      throw new Error(outputText(this.#instance));
  }

  /** Copies a request in, decides, and copies the response out, as the Worker does. */
  decide(request: Uint8Array, now: number): Answer {
    const answer = this.#instance.exports.decide(this.#instance.put(request), SSP, now, ...SEED, 0, 0);
    const status = answer & 0x1fff;
    return { status, body: status === 200 ? this.#instance.output() : null, isCutOff: (answer & 0x8000) !== 0 };
  }

  /** Candidates that the last decision examined. */
  get examined(): number {
    return this.#instance.exports.examined();
  }

  /** Allocations so far, modulo 2^32; null if the module does not count them. */
  get allocations(): number | null {
    return this.#instance.exports.bench_allocations?.() ?? null;
  }

  get memoryBytes(): number {
    return this.#instance.exports.memory.buffer.byteLength;
  }
}

/** Compiles a document; `zones` is the argument of `set_zones`. Throws if the document is refused. */
export function compile(compiler: WebAssembly.Module, document: Uint8Array, zones: object): Uint8Array {
  const instance = new Instance<Compiling>(compiler);
  instance.exports.set_zones(instance.put(new TextEncoder().encode(JSON.stringify(zones))));
  if (!isTrue(instance.exports.compile(instance.put(document)))) throw new Error(outputText(instance));
  return instance.snapshot();
}

/** The output of the last call as text. */
function outputText(instance: Instance<Serving> | Instance<Compiling>): string {
  return JSON.stringify(instance.outputJson());
}
