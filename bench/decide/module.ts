//! The built module as the benchmarks use it: compiled, loaded, decided with, and asked for what it counts.
//!
//! Runs in workerd and in Node.

import { type Compiling, Instance, isTrue, type Serving } from "../../worker/src/module.ts";

/** Allocations since the instance began, modulo 2^32: of the module that counts them. */
type Counting = Serving & { bench_allocations?(): number };

/** What one decision came to. */
export interface Answer {
  /** 200, 204 or 400. */
  status: number;
  /** The response; with the status 200 only. */
  body: Uint8Array<ArrayBuffer> | null;
  /** Whether there was more to look at than a decision may do, so that the best of some is bid. */
  isCutOff: boolean;
}

const SEED = [0x01234567, 0x89abcdef] as const;
/** The one SSP of generated catalogs. */
const SSP = 0;

/** An instance with a catalog in it. */
export class Bidder {
  readonly #instance: Instance<Counting>;

  /** `zones` is what `set_zones` takes. Throws when the catalog is refused. */
  constructor(module: WebAssembly.Module, compiler: WebAssembly.Module, document: Uint8Array, zones: object) {
    const compiled = compile(compiler, document, zones);
    this.#instance = new Instance(module);
    if (!isTrue(this.#instance.exports.load(this.#instance.put(compiled), 0, 0)))
      throw new Error(outputText(this.#instance));
  }

  /** Copies a request in, decides, and copies the response out, as the Worker does. */
  decide(request: Uint8Array, now: number): Answer {
    const answer = this.#instance.exports.decide(this.#instance.put(request), SSP, now, ...SEED);
    const status = answer & 0x1fff;
    return { status, body: status === 200 ? this.#instance.output() : null, isCutOff: (answer & 0x8000) !== 0 };
  }

  /** Ways to bid that the last decision examined, of all candidates. */
  get examined(): number {
    return this.#instance.exports.examined();
  }

  /** Allocations so far, modulo 2^32; null from a module that does not count them. */
  get allocations(): number | null {
    return this.#instance.exports.bench_allocations?.() ?? null;
  }

  get memoryBytes(): number {
    return this.#instance.exports.memory.buffer.byteLength;
  }
}

/** A document, compiled; `zones` is what `set_zones` takes. Throws when it is refused. */
export function compile(compiler: WebAssembly.Module, document: Uint8Array, zones: object): Uint8Array {
  const instance = new Instance<Compiling>(compiler);
  instance.exports.set_zones(instance.put(new TextEncoder().encode(JSON.stringify(zones))));
  if (!isTrue(instance.exports.compile(instance.put(document)))) throw new Error(outputText(instance));
  return instance.snapshot();
}

/** What the last call left, as text. */
function outputText(instance: Instance<Serving> | Instance<Compiling>): string {
  return JSON.stringify(instance.outputJson());
}
