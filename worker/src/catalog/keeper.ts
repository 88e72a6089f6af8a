//! Keeps this isolate's bidder on the version that the pointer in KV names, and a second one beside it where it names two.
//!
//! Once there is a bidder, no request waits for KV again: a stale one serves on while its successor
//! is fetched and built in the background. Whatever fails, the last good one stays; an isolate that has none yet takes the
//! version before the one that cannot be served. A second version that fails leaves the first alone. Decides nothing.

import { COLD_WAIT_MS, REFRESH_SECONDS, REFRESH_TIMEOUT_MS } from "../limits.ts";
import type { Counters } from "../telemetry/counters.ts";
import { fail, messageOf } from "../telemetry/failures.ts";
import type { Bidder } from "../wasm/bidder.ts";
import { POINTER_KEY, readPointer, readSecond, type SecondPlace, versionOf } from "./pointer.ts";
import type { Second } from "./second.ts";
import { built, builtBefore, getPointer, type Kept, ofDocument, orRefused, Refused } from "./versions.ts";

/** What `GET /healthz` tells of the catalog. */
export interface CatalogState {
  /** The version that is served; of a document, first 16 hex digits of its SHA-256; null before the first catalog. */
  version: string | null;
  campaigns: number;
  /** Seconds since KV was last found to hold this version. */
  age: number | null;
  /** Why the last refresh brought nothing; null when it went well. */
  failure: string | null;
  /** What somebody should see to although it is served; null where there is nothing. */
  warning: string | null;
  /** Until when the time zones are known that campaigns name, ISO 8601; null where they name none. */
  zones: string | null;
  /** The version beside it; null where the pointer names none. */
  second: SecondState | null;
}

export interface SecondState {
  version: string | null;
  campaigns: number;
  mode: string;
  /** Per cent of the requests. */
  share: number;
  /** Why it is not in use; null when it is. */
  failure: string | null;
}

export class CatalogKeeper {
  /** The version beside the one that is served, if there is one and it can be used. */
  second: Second | undefined;
  readonly #counters: Counters;
  #first: Kept | undefined;
  #beside: Kept | undefined;
  #secondState: SecondState | null = null;
  #refused: string | null = null;
  #refusedSecond: string | null = null;
  #failure: string | null = null;
  #confirmedAt: number | null = null;
  #startedAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  /** Counts `catalog-refused`, once for each pointer or document, and `refresh-failed`; `second-…` of the second version. */
  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** The version of the bidder; null before the first catalog. */
  get version(): string | null {
    return this.#first?.version ?? null;
  }

  /** The bidder to use now, if there is one yet. Starts a background refresh when one is due. */
  use(env: Env, ctx: Pick<ExecutionContext, "waitUntil">): Bidder | undefined {
    const since = Date.now() - this.#startedAt;
    // A refresh that hangs is given up for lost; a clock that jumped back must not stop refreshing.
    if (since < 0 || since >= (this.#refreshing ? REFRESH_TIMEOUT_MS : refreshMs(env))) {
      if (this.#refreshing) this.#fail("refresh-failed", "no refresh: KV has not answered in time");
      this.#startedAt = Date.now();
      const refresh: Promise<void> = this.#refresh(env, () => this.#refreshing === refresh).finally(() => {
        if (this.#refreshing === refresh) this.#refreshing = undefined;
      });
      this.#refreshing = refresh;
      ctx.waitUntil(refresh);
    }
    return this.#first?.bidder;
  }

  /** Waits for the first bidder, {@link COLD_WAIT_MS} at most; undefined when none came by then. */
  async first(): Promise<Bidder | undefined> {
    await Promise.race([this.#refreshing, new Promise((done) => setTimeout(done, COLD_WAIT_MS))]);
    return this.#first?.bidder;
  }

  state(): CatalogState {
    const zones = this.#first?.zones ?? null;
    const ended = zones !== null && Date.parse(zones) < Date.now();
    return {
      version: this.version,
      campaigns: this.#first?.bidder.campaigns ?? 0,
      age: this.#confirmedAt === null ? null : Math.round((Date.now() - this.#confirmedAt) / 1000),
      failure: this.#failure,
      warning:
        this.#first?.warning ?? (ended ? `the changes of time zones are known until ${zones}; push again` : null),
      zones,
      second: this.#secondState,
    };
  }

  /** `isLatest` turns false when this refresh was given up; its late answer may then be the older. */
  async #refresh(env: Env, isLatest: () => boolean): Promise<void> {
    let stored: Uint8Array<ArrayBuffer> | null = null;
    let digest: string | null = null;
    try {
      const value = await getPointer(env);
      if (value === null) throw new Error(`KV holds no value under the key "${POINTER_KEY}"`);
      stored = value;
      digest = await versionOf(value);
      // What was refused once is not tried again, nor told again, until the pointer moves.
      if (!isLatest() || digest === this.#refused) return;
      const pointer = orRefused(() => readPointer(value));
      const version = pointer?.version ?? digest;
      if (version !== this.version) {
        const first = this.#kept(version) ?? (pointer ? await built(env, pointer) : ofDocument(value, version));
        if (!isLatest()) return;
        this.#first = first;
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
        this.#fail("refresh-failed", `no refresh: ${messageOf(error)}`);
        return;
      }
      this.#fail("catalog-refused", `catalog refused, the last good one stays: ${error.message}`);
      try {
        const before = this.#first ? null : await builtBefore(env, stored);
        if (!isLatest()) return;
        this.#first ??= before ?? undefined;
        this.#refused = digest;
      } catch {
        // KV may know the version before at the next refresh.
      }
    }
  }

  /** What fails here leaves the first version alone. */
  async #refreshSecond(env: Env, digest: string, read: () => SecondPlace | null, isLatest: () => boolean) {
    let place: SecondPlace | null = null;
    try {
      place = orRefused(read);
      if (place === null) {
        [this.second, this.#beside, this.#secondState] = [undefined, undefined, null];
        return;
      }
      const { version, mode, share } = place;
      if (version !== this.#beside?.version) {
        [this.second, this.#beside] = [undefined, undefined];
        if (version !== this.#secondState?.version) {
          this.#secondState = { version, campaigns: 0, mode, share, failure: "not here yet" };
        }
        const beside = this.#kept(version) ?? (await built(env, place));
        if (!isLatest()) return;
        this.#beside = beside;
      }
      const { bidder } = this.#beside as Kept;
      this.second = { version, bidder, mode, share };
      this.#secondState = { version, campaigns: bidder.campaigns, mode, share, failure: null };
      this.#refusedSecond = null;
    } catch (error) {
      if (!isLatest()) return;
      const isRefused = error instanceof Refused;
      [this.second, this.#beside] = [undefined, undefined];
      if (isRefused) this.#refusedSecond = digest;
      this.#counters.add(isRefused ? "second-refused" : "second-failed");
      const failure = `the second version is not in use, the first serves alone: ${messageOf(error)}`;
      if (failure !== this.#secondState?.failure) fail("second", failure);
      const { version = null, mode = "", share = 0 } = place ?? {};
      this.#secondState = { version, campaigns: 0, mode, share, failure };
    }
  }

  /** The version, where it is in use already: a second one that becomes the first is not built again. */
  #kept(version: string): Kept | undefined {
    return [this.#first, this.#beside].find((kept) => kept?.version === version);
  }

  /** Told in the log once, however often it happens in a row. */
  #fail(count: "catalog-refused" | "refresh-failed", failure: string): void {
    this.#counters.add(count);
    if (failure !== this.#failure) fail(count, failure);
    this.#failure = failure;
  }
}

function refreshMs(env: Env): number {
  const seconds = Number(env.CATALOG_REFRESH_SECONDS);
  return (seconds > 0 ? seconds : REFRESH_SECONDS) * 1000;
}
