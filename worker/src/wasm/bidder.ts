//! One Wasm instance with one catalog in it: bytes in, an outcome out.
//!
//! Knows nothing of HTTP headers, KV or time. Throws only when a snapshot is refused; a trap is an
//! outcome like any other, and the instance is replaced.

import { fail } from "../telemetry/failures.ts";
import { Instance, isTrue, type Serving } from "./instance.ts";

/** What one decision came to. */
export interface Outcome {
  /** The HTTP status to answer with. */
  status: 200 | 204 | 400;
  /** The response body; the status is 200 exactly when there is one. */
  body: Uint8Array<ArrayBuffer> | null;
  /** Events of the decision as lines of JSON, if it has any. */
  records: Uint8Array<ArrayBuffer> | null;
  /** Whether the decision took more work than it may and was cut off, so that the best of some was taken. */
  gaveUp: boolean;
  /** Whether there were more impressions than are looked at. */
  hasMoreImps: boolean;
  /** How many events there was no room for. */
  dropped: number;
  /** Whether the auction is a test, of which nothing is billed. */
  test: boolean;
  /** A no-bid reason's name, `bid`, `bad-request` or `trap`: what to count it as. */
  count: string;
}

/** The bytes are no snapshot that this module can use. */
export class SnapshotRefused extends Error {
  override name = "SnapshotRefused";
}

/** What the query of a sync call says; empty where it does not. */
export interface SyncCall {
  /** What the exchange calls the person. */
  uid: string;
  gdpr: string;
  gdpr_consent: string;
  gpp: string;
  gpp_sid: string;
  us_privacy: string;
  /** Where it wants the browser sent, with `$UID` in place of our id: to one of the hosts that its SSP may name. */
  redirect: string;
}

/** Why nothing may be done about a sync call. */
export type SyncRefusal = "bad-call" | "no-consent" | "bad-redirect" | "trap";

const TRAPPED: Outcome = {
  status: 204,
  gaveUp: false,
  hasMoreImps: false,
  dropped: 0,
  test: false,
  body: null,
  records: null,
  count: "trap",
};

/** The refusals of the module's `sync`, by the number that it returns. */
const REFUSED: Readonly<Record<number, SyncRefusal>> = { 0: "bad-call", 1: "no-consent", 3: "bad-redirect" };

interface Facts {
  campaigns: number;
  ssps?: string[];
  syncs?: string[];
  closed?: string[];
  gzip?: string[];
  tmax?: number[];
  reasons: string[];
}

/** The weight of a decision that is to leave no events. */
export const SILENT = -1;

/** How many lots there are: the crate's `Standing::WHOLE`. */
export const LOTS = 1_000_000;

/** The version of a catalog that has none. */
const UNTOLD = "0000000000000000";

export class Bidder {
  /** Number of campaigns in the catalog. */
  readonly campaigns: number;
  readonly version: string;
  readonly #ssps: ReadonlyMap<string, number>;
  readonly #syncs: readonly string[];
  readonly #closed: ReadonlySet<number>;
  readonly #gzip: ReadonlySet<number>;
  readonly #tmax: readonly number[];
  readonly #reasons: readonly string[];
  readonly #wasm: WebAssembly.Module;
  #instance: Instance<Serving>;
  /** Where the snapshot is in the memory. Nothing ever writes there. */
  #snapshot: { at: number; length: number };
  /** What the instance was told last of the events that are wanted. */
  #weight = SILENT;

  /**
   * Builds an instance for a compiled catalog. The version, 16 hex digits, is what explanations tell, and bids where the
   * catalog wants that. Throws {@link SnapshotRefused}.
   */
  constructor(bytes: Uint8Array, wasm: WebAssembly.Module, version = UNTOLD) {
    const { instance, facts } = load(bytes, wasm, version);
    this.#wasm = wasm;
    this.version = version;
    this.#instance = instance;
    this.#snapshot = placeOf(instance);
    this.campaigns = facts.campaigns;
    this.#ssps = new Map((facts.ssps ?? []).map((id, number) => [id, number]));
    this.#syncs = facts.syncs ?? [];
    const numbers = (ids: string[] = []) => new Set(ids.map((id) => this.#ssps.get(id) ?? -1));
    this.#closed = numbers(facts.closed);
    this.#gzip = numbers(facts.gzip);
    this.#tmax = facts.tmax ?? [];
    this.#reasons = facts.reasons;
  }

  /** The ids of the SSPs. */
  get ssps(): string[] {
    return [...this.#ssps.keys()];
  }

  /** The number that the catalog gives an SSP, or undefined when it has none of that id. */
  ssp(id: string): number | undefined {
    return this.#ssps.get(id);
  }

  /** Whether requests of the SSP have to bring credentials. */
  isClosed(ssp: number): boolean {
    return this.#closed.has(ssp);
  }

  /** Whether the SSP takes gzip. */
  takesGzip(ssp: number): boolean {
    return this.#gzip.has(ssp);
  }

  /** The SSP's usual `tmax` in milliseconds; 0 where the catalog does not tell. */
  tmax(ssp: number): number {
    return this.#tmax[ssp] ?? 0;
  }

  /** Whether the SSP may send requests with this bearer token (null: none was sent). */
  authorize(ssp: number, token: string | null): boolean {
    const bytes = new TextEncoder().encode(token ?? "");
    return this.#guarded(() => isTrue(this.#instance.exports.authorize(ssp, this.#instance.put(bytes))), false);
  }

  /**
   * Decides on a bid request. Equal bodies, catalogs, times and seeds give equal outcomes; the time
   * is in milliseconds since the epoch, the seed's halves are unsigned 32-bit numbers.
   *
   * `weight` asks for events: of the bids from 0 on, of the auction too where it says how many it stands for.
   */
  decide(
    body: Uint8Array,
    ssp: number,
    now: number,
    seedHigh: number,
    seedLow: number,
    weight: number = SILENT,
  ): Outcome {
    const decided = () => {
      if (weight !== this.#weight) {
        this.#instance.exports.record(Number(weight !== SILENT), Math.max(0, weight));
        this.#weight = weight;
      }
      const answer = this.#instance.exports.decide(this.#instance.put(body), ssp, now, seedHigh, seedLow);
      const status = (answer & 0x1fff) as Outcome["status"];
      const reason = answer >>> 16;
      return {
        status,
        gaveUp: (answer & 0x8000) !== 0,
        hasMoreImps: (answer & 0x2000) !== 0,
        dropped: weight === SILENT ? 0 : this.#instance.exports.records_dropped(),
        test: (answer & 0x4000) !== 0,
        body: status === 200 ? this.#instance.output() : null,
        records: weight > 0 || (weight === 0 && status === 200) ? this.#instance.records() : null,
        count: reason > 0 ? (this.#reasons[reason - 1] ?? "unknown") : status === 400 ? "bad-request" : "bid",
      };
    };
    return this.#guarded<Outcome>(decided, TRAPPED);
  }

  /**
   * Where a bid request falls among {@link LOTS}: equal ids always fall alike, and independently for each version. LOTS for
   * what is no bid request.
   */
  lot(body: Uint8Array): number {
    return this.#guarded(() => this.#instance.exports.lot(this.#instance.put(body)), LOTS);
  }

  /** Where the SSP wants our id for a person, with places to fill in; empty where it does not. */
  syncUrl(ssp: number): string {
    return this.#syncs[ssp] ?? "";
  }

  /**
   * What the query of a sync call of an SSP says, if privacy allows to act on it. `optedOut`: the browser itself says that the person
   * does not want it.
   */
  readSync(query: string, ssp: number, optedOut: boolean): SyncCall | SyncRefusal {
    const read = () => {
      const length = this.#instance.put(new TextEncoder().encode(query));
      const answer = this.#instance.exports.sync(length, ssp, Number(optedOut));
      if (answer !== 2) return REFUSED[answer] ?? "bad-call";
      const values = new TextDecoder().decode(this.#instance.output()).split("\n");
      const [uid = "", gdpr = "", gdpr_consent = "", gpp = "", gpp_sid = "", us_privacy = "", redirect = ""] = values;
      return { uid, gdpr, gdpr_consent, gpp, gpp_sid, us_privacy, redirect };
    };
    return this.#guarded<SyncCall | SyncRefusal>(read, "trap");
  }

  /** Bytes of the instance's memory beyond its snapshot. Large requests make it grow, and it never shrinks. */
  get spareBytes(): number {
    return this.#instance.size - this.#snapshot.length;
  }

  /** A copy of the snapshot. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return this.#instance.bytes(this.#snapshot.at, this.#snapshot.length);
  }

  /** Puts a new instance with the same catalog in the place of the old one. Only reads the old one's snapshot. */
  replace(): void {
    const { at, length } = this.#snapshot;
    this.#instance = load(this.#instance.view(at, length), this.#wasm, this.version).instance;
    this.#snapshot = placeOf(this.#instance);
    this.#weight = SILENT;
  }

  /** Replaces the instance after a trap: no call of it can be relied on then, its memory can. */
  #guarded<T>(call: () => T, otherwise: T): T {
    try {
      return call();
    } catch (error) {
      fail("trap", error);
      this.replace();
      return otherwise;
    }
  }
}

function placeOf({ exports }: Instance<Serving>) {
  return { at: exports.snapshot(), length: exports.snapshot_len() };
}

function load(bytes: Uint8Array, wasm: WebAssembly.Module, version: string) {
  const instance = new Instance<Serving>(wasm);
  const loaded = isTrue(instance.exports.load(instance.put(bytes), ...halves(version)));
  if (!loaded) throw new SnapshotRefused(instance.outputJson<{ error: string }>().error);
  return { instance, facts: instance.outputJson<Facts>() };
}

/** A version as the modules take it. */
export function halves(version: string): [high: number, low: number] {
  return [Number.parseInt(version.slice(0, 8), 16), Number.parseInt(version.slice(8), 16)];
}
