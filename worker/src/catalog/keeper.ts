//! Keeps this isolate's bidder on the version that the pointer in KV names. If the pointer names a second version, also
//! keeps a bidder on that version.
//!
//! Only the first request of an isolate waits for KV. Later requests use the current bidder, while the next bidder is
//! fetched and built in the background. If this fails, the last good bidder stays; an isolate without a bidder takes
//! the previous version. If the second version fails, the first is not affected. `versions.ts` fetches and builds.
//!
//! The stop in the pointer applies at once to all bidders of the isolate, even if the pointer is refused.

import { oldSupplyText } from "../../../shared/catalog/compile.ts";
import {
  POINTER_KEY,
  readPointer,
  readSecond,
  type SecondManifest,
  versionOf,
} from "../../../shared/catalog/pointer.ts";
import { readStopped, type Stopped } from "../../../shared/catalog/stopped.ts";
import { COLD_WAIT_MS, REFRESH_SECONDS, REFRESH_TIMEOUT_MS } from "../../../shared/limits.ts";
import type { Counters } from "../../../shared/telemetry/counters.ts";
import { fail, messageOf } from "../../../shared/telemetry/failures.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { getPointer, type Loaded, load, loadDocument, loadPrevious, orRefused, Refused } from "./versions.ts";

/** The catalog as `GET /healthz` shows it. */
export interface CatalogState {
  /** The version that is served; null before the first catalog. */
  version: string | null;
  campaigns: number;
  /** Seconds since the last read of KV that found this version. */
  age: number | null;
  /** Why the last refresh failed; null if it succeeded. */
  failure: string | null;
  /** A problem that the operator should solve, although the catalog is served; null if there is none. */
  warning: string | null;
  /** When the campaigns' time-zone data ends, ISO 8601; null if no campaign names a zone. */
  zones: string | null;
  /** From when on the files of `supply` are too old, ISO 8601; null if no campaign asks for them. */
  supply: string | null;
  /** The second version; null if the pointer names none. */
  second: SecondState | null;
  /**
   * What is stopped. `campaigns`: how many of the stopped campaigns are in this catalog. Null if nothing is stopped.
   */
  stopped: (Stopped & { campaigns: number }) | null;
}

export interface SecondState {
  version: string | null;
  campaigns: number;
  mode: string;
  /** Per cent of the requests. */
  share: number;
  /** Why the second version is not used; null if it is used. */
  failure: string | null;
}

/** The second version, ready to decide. */
export interface Second extends Loaded {
  mode: "split" | "shadow";
  /** Of the requests, in per cent. */
  share: number;
}

/** Why a bidder with an empty KV has no bids, and what to do. */
const EMPTY =
  `KV holds no value under the key "${POINTER_KEY}"; push a catalog: npx edgebid catalog push FILE, with --local for a ` +
  "bidder on your machine, with --remote for a deployed one";

export class CatalogKeeper {
  /** The second version, if there is one and it can be used. */
  second: Second | undefined;
  readonly #counters: Counters;
  #first: Loaded | undefined;
  /** {@link CatalogState.supply} in milliseconds since the epoch, because each request compares it. */
  #supplyOldFrom = Number.POSITIVE_INFINITY;
  #secondState: SecondState | null = null;
  #stopped: Stopped | null = null;
  #refused: string | null = null;
  #refusedSecond: string | null = null;
  #failure: string | null = null;
  #confirmedAt: number | null = null;
  #startedAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;
  #waiting = 0;

  /**
   * Raises the counters `catalog-refused` (once per pointer or document), `refresh-failed`, `second-refused` and
   * `second-failed`.
   */
  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** The version that is served; null before the first catalog. */
  get version(): string | null {
    return this.#first?.version ?? null;
  }

  /** The bidder to use now; undefined before the first catalog. Starts a background refresh when one is due. */
  use(env: Env, ctx: Background): Bidder | undefined {
    const since = Date.now() - this.#startedAt;
    // A refresh that hangs is given up. A clock that was set back must not stop the refreshes.
    if (since < 0 || since >= (this.#refreshing ? REFRESH_TIMEOUT_MS : refreshMs(env))) {
      if (this.#refreshing) this.#fail("refresh-failed", "refresh failed: KV did not answer in time");
      this.#startedAt = Date.now();
      const refresh: Promise<void> = this.#refresh(env, () => this.#refreshing === refresh).finally(() => {
        if (this.#refreshing === refresh) this.#refreshing = undefined;
      });
      this.#refreshing = refresh;
      ctx.waitUntil(refresh);
    }
    return this.#first?.bidder;
  }

  /** Whether the files of `supply` of the version that is served are too old at this time, in milliseconds. */
  isSupplyOld(now: number): boolean {
    return now >= this.#supplyOldFrom;
  }

  /** Waits up to `ms` milliseconds for the first bidder; undefined if there is none by then, or if `most` callers wait. */
  async first(ms = COLD_WAIT_MS, most = Number.POSITIVE_INFINITY): Promise<Bidder | undefined> {
    if (this.#waiting >= most) return undefined;
    this.#waiting++;
    await Promise.race([this.#refreshing, new Promise((done) => setTimeout(done, ms))]);
    this.#waiting--;
    return this.#first?.bidder;
  }

  state(): CatalogState {
    const { warning, zones = null, supply = null } = this.#first ?? {};
    const isPast = (time: string | null): time is string => time !== null && Date.parse(time) <= Date.now();
    const warnings = [
      ...(warning ? [warning] : []),
      ...(isPast(zones) ? [`the time-zone data of the catalog ended on ${zones}; push the catalog again`] : []),
      ...(isPast(supply) ? [oldSupplyText(supply)] : []),
    ];
    return {
      version: this.version,
      campaigns: this.#first?.bidder.campaigns ?? 0,
      age: this.#confirmedAt === null ? null : Math.round((Date.now() - this.#confirmedAt) / 1000),
      failure: this.#failure,
      warning: warnings.join("; ") || null,
      zones,
      supply,
      second: this.#secondState,
      stopped: this.#stopped && { ...this.#stopped, campaigns: this.#first?.bidder.stopped ?? 0 },
    };
  }

  /** `isLatest` becomes false when this refresh is given up, because its result may be older than the current one. */
  async #refresh(env: Env, isLatest: () => boolean): Promise<void> {
    let stored: Uint8Array<ArrayBuffer> | null = null;
    let digest: string | null = null;
    try {
      const value = await getPointer(env);
      if (value === null) throw new Error(EMPTY);
      stored = value;
      digest = await versionOf(value);
      if (!isLatest()) return;
      this.#stop(readStopped(value));
      // A refused pointer is not tried or reported again until it changes.
      if (digest === this.#refused) return;
      const pointer = orRefused(() => readPointer(value));
      const version = pointer?.version ?? digest;
      if (version !== this.version) {
        const loaded =
          this.#loaded(version) ?? (await (pointer ? load(env, pointer) : loadDocument(env, value, version)));
        if (!isLatest()) return;
        loaded.bidder.stop(this.#stopped);
        this.#first = loaded;
        this.#supplyOldFrom = loaded.supply ? Date.parse(loaded.supply) : Number.POSITIVE_INFINITY;
      }
      this.#refused = null;
      this.#confirmedAt = Date.now();
      this.#failure = null;
      if (digest !== this.#refusedSecond) {
        await this.#refreshSecond(env, digest, () => (pointer === null ? null : readSecond(pointer)), isLatest);
      }
    } catch (error) {
      if (!isLatest()) return;
      if (!(error instanceof Refused) || stored === null) {
        this.#fail("refresh-failed", `refresh failed: ${messageOf(error)}`);
        return;
      }
      this.#fail("catalog-refused", `catalog refused, the last good one stays in use: ${error.message}`);
      try {
        const previous = this.#first ? null : await loadPrevious(env, stored);
        if (!isLatest()) return;
        previous?.bidder.stop(this.#stopped);
        this.#first ??= previous ?? undefined;
        this.#refused = digest;
      } catch {
        // The next refresh looks for the previous version again.
      }
    }
  }

  /** Refreshes the second version. A failure here does not affect the first version. */
  async #refreshSecond(env: Env, digest: string, read: () => SecondManifest | null, isLatest: () => boolean) {
    let manifest: SecondManifest | null = null;
    try {
      manifest = orRefused(read);
      if (manifest === null) {
        [this.second, this.#secondState] = [undefined, null];
        return;
      }
      const { version, mode, share } = manifest;
      const loaded = this.#loaded(version);
      if (!loaded) {
        this.second = undefined;
        if (version !== this.#secondState?.version) this.#secondState = stateOf(manifest, 0, "not loaded yet");
      }
      const { bidder, ...rest } = loaded ?? (await load(env, manifest));
      if (!isLatest()) return;
      bidder.stop(this.#stopped);
      this.second = { ...rest, bidder, mode, share };
      this.#secondState = stateOf(manifest, bidder.campaigns, null);
      this.#refusedSecond = null;
    } catch (error) {
      if (!isLatest()) return;
      const isRefused = error instanceof Refused;
      this.second = undefined;
      if (isRefused) this.#refusedSecond = digest;
      this.#counters.add(isRefused ? "second-refused" : "second-failed");
      const failure = `the second version is not used, only the first one serves: ${messageOf(error)}`;
      if (failure !== this.#secondState?.failure) fail("second", failure);
      this.#secondState = stateOf(manifest, 0, failure);
    }
  }

  /** Applies the stop of the pointer to all bidders. Undefined changes nothing. */
  #stop(stopped: Stopped | null | undefined): void {
    if (stopped === undefined) return;
    this.#stopped = stopped;
    for (const loaded of [this.#first, this.second]) loaded?.bidder.stop(stopped);
  }

  /** The version, if it is already loaded. So a second version that becomes the first is not built again. */
  #loaded(version: string): Loaded | undefined {
    return [this.#first, this.second].find((loaded) => loaded?.version === version);
  }

  /** Logs the same failure once, even if it happens several times in a row. */
  #fail(count: "catalog-refused" | "refresh-failed", failure: string): void {
    this.#counters.add(count);
    if (failure !== this.#failure) fail(count, failure);
    this.#failure = failure;
  }
}

function stateOf(manifest: SecondManifest | null, campaigns: number, failure: string | null): SecondState {
  const { version = null, mode = "", share = 0 } = manifest ?? {};
  return { version, campaigns, mode, share, failure };
}

function refreshMs(env: Env): number {
  const seconds = Number(env.CATALOG_REFRESH_SECONDS);
  return (seconds > 0 ? seconds : REFRESH_SECONDS) * 1000;
}
