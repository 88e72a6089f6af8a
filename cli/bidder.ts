//! The Worker's bidder in Node: the same module and the same way of loading a catalog.

import { changesOf } from "../worker/src/zones.ts";
import { instantiate, outputJson, write } from "./module.ts";

interface Finding {
  path: string;
  message: string;
}

/** The catalog document was refused. */
export class CatalogRefused extends Error {}

export class Bidder {
  readonly #exports = instantiate();
  readonly #ssps: readonly string[];

  /** Builds an instance for a catalog document. Throws {@link CatalogRefused}. */
  constructor(document: Uint8Array) {
    const exports = this.#exports;
    exports.zones_of(write(exports, document));
    const named = (outputJson(exports) as { zones?: string[] }).zones ?? [];
    const zones = { zones: named.flatMap(changesOf) };
    exports.set_zones(write(exports, new TextEncoder().encode(JSON.stringify(zones))));
    const loaded = Number(exports.load(write(exports, document))) !== 0;
    const output = outputJson(exports) as { findings?: Finding[]; ssps?: string[] };
    if (!loaded) {
      throw new CatalogRefused((output.findings ?? []).map(({ path, message }) => `  ${path}: ${message}`).join("\n"));
    }
    this.#ssps = output.ssps ?? [];
  }

  /** The explanation of the decision on a request of the SSP, at `now` ms since the epoch. */
  explain(body: Uint8Array, sspId: string, now: number): unknown {
    const ssp = this.#ssps.indexOf(sspId);
    if (ssp < 0) throw new Error(`the catalog has no SSP ${sspId}; it has ${this.#ssps.join(", ")}`);
    this.#exports.explain(write(this.#exports, body), ssp, now);
    return outputJson(this.#exports);
  }
}
