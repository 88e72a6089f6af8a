//! One Wasm instance with one catalog in it: bytes in, an outcome out.
//!
//! Knows nothing of HTTP headers, KV or time. Throws only when a catalog is refused; a trap while
//! deciding is an outcome like any other, and the instance is replaced.

import type { InitOutput } from "../../crates/bidder-wasm/pkg/bidder_wasm.js";
import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { changesOf } from "./zones.ts";

/** What one decision came to. */
export interface Outcome {
  /** The HTTP status to answer with. */
  status: 200 | 204 | 400;
  /** The response body; the status is 200 exactly when there is one. */
  body: Uint8Array<ArrayBuffer> | null;
  /** A no-bid reason's name, `bid`, `bad-request` or `trap`: what to count it as. */
  count: string;
}

/** One thing that is wrong with a catalog document. */
export interface Finding {
  path: string;
  rule: string;
  message: string;
}

/** The catalog document was refused; nothing of it is in use. */
export class CatalogRefused extends Error {
  override name = "CatalogRefused";

  constructor(readonly findings: Finding[]) {
    super(findings.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("\n"));
  }
}

interface Facts {
  campaigns: number;
  ssps?: string[];
  closed?: string[];
  reasons: string[];
}

export class Bidder {
  /** Number of campaigns in the catalog. */
  readonly campaigns: number;
  readonly #ssps: ReadonlyMap<string, number>;
  readonly #closed: ReadonlySet<number>;
  readonly #reasons: readonly string[];
  #exports: InitOutput;
  #memory: Uint8Array<ArrayBuffer>;

  /** Builds an instance for a catalog document. Throws {@link CatalogRefused}. */
  constructor(
    readonly document: Uint8Array,
    readonly wasm: WebAssembly.Module = module,
  ) {
    const { exports, facts } = instantiate(wasm, document);
    this.#exports = exports;
    this.#memory = view(exports);
    this.campaigns = facts.campaigns;
    this.#ssps = new Map((facts.ssps ?? []).map((id, number) => [id, number]));
    this.#closed = new Set((facts.closed ?? []).map((id) => this.#ssps.get(id) ?? -1));
    this.#reasons = facts.reasons;
  }

  /** The number that the catalog gives an SSP, or undefined when it has none of that id. */
  ssp(id: string): number | undefined {
    return this.#ssps.get(id);
  }

  /** Whether requests of the SSP have to bring credentials. */
  isClosed(ssp: number): boolean {
    return this.#closed.has(ssp);
  }

  /** Whether the SSP may send requests with this bearer token (null: none was sent). */
  authorize(ssp: number, token: string | null): boolean {
    // Generated as a boolean, it is a number at this level.
    return Number(this.#exports.authorize(ssp, this.#write(new TextEncoder().encode(token ?? "")))) !== 0;
  }

  /**
   * Decides on a bid request. Equal bodies, catalogs, times and seeds give equal outcomes; the time
   * is in milliseconds since the epoch, the seed's halves are unsigned 32-bit numbers.
   */
  decide(body: Uint8Array, ssp: number, now: number, seedHigh: number, seedLow: number): Outcome {
    try {
      const answer = this.#exports.decide(this.#write(body), ssp, now, seedHigh, seedLow);
      const status = (answer & 0xffff) as Outcome["status"];
      const reason = answer >>> 16;
      return {
        status,
        body: status === 200 ? this.#output() : null,
        count: reason > 0 ? (this.#reasons[reason - 1] ?? "unknown") : status === 400 ? "bad-request" : "bid",
      };
    } catch (error) {
      // After a trap nothing in the instance can be relied on.
      console.error("trap while deciding; instance replaced", error);
      this.#exports = instantiate(this.wasm, this.document).exports;
      this.#memory = view(this.#exports);
      return { status: 204, body: null, count: "trap" };
    }
  }

  /** The explanation of the decision that {@link decide} would make, as JSON. */
  explain(body: Uint8Array, ssp: number, now: number): Uint8Array<ArrayBuffer> {
    this.#exports.explain(this.#write(body), ssp, now);
    return this.#output();
  }

  #write(bytes: Uint8Array): number {
    const at = this.#exports.reserve(bytes.byteLength);
    if (at === 0) throw new RangeError(`${bytes.byteLength} bytes are over every limit`);
    this.#current().set(bytes, at);
    return bytes.byteLength;
  }

  #output(): Uint8Array<ArrayBuffer> {
    return read(this.#exports, this.#current());
  }

  /** Growing the memory detaches every view of it. */
  #current(): Uint8Array<ArrayBuffer> {
    if (this.#memory.byteLength === 0) this.#memory = view(this.#exports);
    return this.#memory;
  }
}

function instantiate(wasm: WebAssembly.Module, document: Uint8Array) {
  const exports = new WebAssembly.Instance(wasm, {}).exports as unknown as InitOutput;
  exports.zones_of(put(exports, document));
  const named = outputJson<{ zones?: string[] }>(exports).zones ?? [];
  const zones = { zones: named.flatMap(changesOf) };
  exports.set_zones(put(exports, new TextEncoder().encode(JSON.stringify(zones))));
  // Generated as a boolean, it is a number at this level.
  const loaded = Number(exports.load(put(exports, document))) !== 0;
  if (!loaded) throw new CatalogRefused(outputJson<{ findings: Finding[] }>(exports).findings);
  return { exports, facts: outputJson<Facts>(exports) };
}

/** Puts bytes where the next call reads them, and returns how many there are. */
function put(exports: InitOutput, bytes: Uint8Array): number {
  const at = exports.reserve(bytes.byteLength);
  if (at === 0) {
    const message = `${bytes.byteLength} bytes; expected at most one KV value`;
    throw new CatalogRefused([{ path: "", rule: "out-of-range", message }]);
  }
  view(exports).set(bytes, at);
  return bytes.byteLength;
}

function outputJson<T>(exports: InitOutput): T {
  return JSON.parse(new TextDecoder().decode(read(exports, view(exports))));
}

function read(exports: InitOutput, memory: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = exports.output();
  return memory.slice(at, at + exports.output_len());
}

function view(exports: InitOutput): Uint8Array<ArrayBuffer> {
  return new Uint8Array(exports.memory.buffer as ArrayBuffer);
}
