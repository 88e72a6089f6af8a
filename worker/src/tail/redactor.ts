//! Writes captured requests without what identifies a person: `crates/compiler-wasm/src/redact` says what stays.

import { fail } from "../telemetry/failures.ts";
import { type Compiling, Instance, isTrue } from "../wasm/instance.ts";
import type { Captured } from "./tap.ts";

export class Redactor {
  readonly #wasm: WebAssembly.Module;
  #instance: Instance<Compiling> | undefined;

  /** Makes an instance of the compiling module with the first request, so a redactor without work costs nothing. */
  constructor(wasm: WebAssembly.Module) {
    this.#wasm = wasm;
  }

  /**
   * The request as a line of JSON without a line break: `{"ssp","at","outcome","request"}`, with the time in ISO 8601.
   * Null if the body is not a JSON object.
   */
  line({ body, at, ssp, outcome }: Captured): string | null {
    try {
      this.#instance ??= new Instance<Compiling>(this.#wasm);
      if (!isTrue(this.#instance.exports.redact(this.#instance.put(body)))) return null;
      const request = new TextDecoder().decode(this.#instance.output());
      const about = JSON.stringify({ ssp, at: new Date(at).toISOString(), outcome });
      return `${about.slice(0, -1)},"request":${request}}`;
    } catch (error) {
      fail("trap", error);
      this.#instance = undefined;
      return null;
    }
  }
}
