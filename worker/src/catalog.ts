//! Keeps this isolate's bidder on the current catalog in KV.
//!
//! Once there is a bidder, no request waits for KV again: a stale one serves on while its successor
//! is fetched and built in the background. Whatever fails, the last good one stays. Decides nothing.

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { Bidder, SnapshotRefused } from "./bidder.ts";
import { CatalogRefused, compile, isSnapshot } from "./compile.ts";
import { COLD_WAIT_MS, KV_CACHE_TTL_SECONDS, REFRESH_SECONDS, REFRESH_TIMEOUT_MS } from "./limits.ts";

/** The key in KV of the catalog, as a snapshot or as a document. */
export const CATALOG_KEY = "catalog";

/** What `GET /healthz` tells of the catalog. */
export interface CatalogState {
  /** First 16 hex digits of the value's SHA-256; null before the first catalog. */
  version: string | null;
  campaigns: number;
  /** Seconds since KV was last found to hold this version. */
  age: number | null;
  /** Why the last refresh brought nothing; null when it went well. */
  failure: string | null;
}

export class CatalogKeeper {
  #bidder: Bidder | undefined;
  #version: string | null = null;
  #refused: string | null = null;
  #failure: string | null = null;
  #confirmedAt: number | null = null;
  #startedAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  /** The bidder to use now, if there is one yet. Starts a background refresh when one is due. */
  use(env: Env, ctx: Pick<ExecutionContext, "waitUntil">): Bidder | undefined {
    const since = Date.now() - this.#startedAt;
    // A refresh that hangs is given up for lost; a clock that jumped back must not stop refreshing.
    if (since < 0 || since >= (this.#refreshing ? REFRESH_TIMEOUT_MS : refreshMs(env))) {
      this.#startedAt = Date.now();
      const refresh: Promise<void> = this.#refresh(env, () => this.#refreshing === refresh).finally(() => {
        if (this.#refreshing === refresh) this.#refreshing = undefined;
      });
      this.#refreshing = refresh;
      ctx.waitUntil(refresh);
    }
    return this.#bidder;
  }

  /** Waits for the first bidder, {@link COLD_WAIT_MS} at most; undefined when none came by then. */
  async first(): Promise<Bidder | undefined> {
    await Promise.race([this.#refreshing, new Promise((done) => setTimeout(done, COLD_WAIT_MS))]);
    return this.#bidder;
  }

  state(): CatalogState {
    return {
      version: this.#version,
      campaigns: this.#bidder?.campaigns ?? 0,
      age: this.#confirmedAt === null ? null : Math.round((Date.now() - this.#confirmedAt) / 1000),
      failure: this.#failure,
    };
  }

  /** `isLatest` turns false when this refresh was given up; its late answer may then be the older. */
  async #refresh(env: Env, isLatest: () => boolean): Promise<void> {
    try {
      const value = await env.CATALOG.get(CATALOG_KEY, { type: "arrayBuffer", cacheTtl: KV_CACHE_TTL_SECONDS });
      if (value === null) throw new Error(`KV holds no value under the key "${CATALOG_KEY}"`);
      const stored = new Uint8Array(value);
      const version = await versionOf(stored);
      if (!isLatest()) return;
      // What was refused once is not tried again, nor told again, until it changes.
      if (version === this.#refused) return;
      if (version !== this.#version) {
        this.#refused = version;
        if (!isSnapshot(stored)) console.warn("the catalog in KV is a document; compiled in this isolate, not before");
        this.#bidder = new Bidder(isSnapshot(stored) ? stored : compile(stored, compiler), module);
        this.#version = version;
      }
      this.#refused = null;
      this.#confirmedAt = Date.now();
      this.#failure = null;
    } catch (error) {
      const isRefused = error instanceof CatalogRefused || error instanceof SnapshotRefused;
      const what = isRefused ? "catalog refused, the last good one stays" : "no refresh";
      this.#failure = `${what}: ${error instanceof Error ? error.message : error}`;
      console.error(this.#failure);
    }
  }
}

async function versionOf(stored: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", stored));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function refreshMs(env: Env): number {
  const seconds = Number(env.CATALOG_REFRESH_SECONDS);
  return (seconds > 0 ? seconds : REFRESH_SECONDS) * 1000;
}
