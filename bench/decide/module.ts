//! An instance of the serving module with a generated catalog, for the benchmarks. Runs in workerd and in Node.

import { ANSWER } from "../../shared/wasm/abi.ts";
import { type Compiling, Instance, isTrue, type Serving } from "../../shared/wasm/instance.ts";
import { NOW_MS, ZONES } from "../requests/now.ts";

/** The result of one decision. */
export interface Answer {
  status: 200 | 204 | 400;
  /** The response; only with status 200. */
  body: Uint8Array<ArrayBuffer> | null;
  /** Whether the decision reached its limit on work. It then answers with the best bid found so far. */
  isCutOff: boolean;
}

const SEED = [0x01234567, 0x89abcdef] as const;
/** The only SSP of generated catalogs. */
const SSP = 0;

export class Bidder<Exports extends Serving = Serving> {
  readonly instance: Instance<Exports>;

  /** Throws if the catalog is refused. */
  constructor(module: WebAssembly.Module, compiler: WebAssembly.Module, document: Uint8Array) {
    const compiled = compile(compiler, document);
    this.instance = new Instance(module);
    const { exports } = this.instance;
    if (!isTrue(exports.load(this.instance.put(compiled), 0, 0))) throw new Error("the snapshot is refused");
  }

  /** Copies a request in, decides, and copies the response out, as the Worker does. */
  decide(request: Uint8Array): Answer {
    const answer = this.instance.exports.decide(this.instance.put(request), SSP, NOW_MS, ...SEED, 0, 0, 0, 0);
    const status = (answer & ANSWER.STATUS) as Answer["status"];
    return {
      status,
      body: status === 200 ? this.instance.output() : null,
      isCutOff: (answer & ANSWER.GAVE_UP) !== 0,
    };
  }
}

/** Compiles a document with constant time zones. Throws if the document is refused. */
export function compile(compiler: WebAssembly.Module, document: Uint8Array): Uint8Array {
  const instance = new Instance<Compiling>(compiler);
  instance.exports.set_zones(instance.putText(JSON.stringify(ZONES)));
  const isCompiled = isTrue(instance.exports.compile(instance.put(document)));
  if (!isCompiled) throw new Error(JSON.stringify(instance.outputJson()));
  return instance.snapshot();
}
