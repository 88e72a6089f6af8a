//! Keeps this isolate's bidder on the version that the pointer in KV names.
//!
//! Once there is a bidder, no request waits for KV again: a stale one serves on while its successor
//! is fetched and built in the background. Whatever fails, the last good one stays. Decides nothing.

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { Bidder } from "./bidder.ts";
import { compile } from "./compile.ts";
import type { Counters } from "./counters.ts";
import {
  COLD_WAIT_MS,
  KV_CACHE_TTL_SECONDS,
  REFRESH_SECONDS,
  REFRESH_TIMEOUT_MS,
  VERSION_CACHE_TTL_SECONDS,
} from "./limits.ts";
import { join, POINTER_KEY, type Pointer, partKeys, readPointer, versionOf } from "./pointer.ts";

/** What `GET /healthz` tells of the catalog. */
export interface CatalogState {
  /** The version that is served; of a document, first 16 hex digits of its SHA-256; null before the first catalog. */
  version: string | null;
  campaigns: number;
  /** Seconds since KV was last found to hold this version. */
  age: number | null;
  /** Why the last refresh brought nothing; null when it went well. */
  failure: string | null;
}

/** What KV holds cannot be served, however often it is fetched. */
class Refused extends Error {}

export class CatalogKeeper {
  readonly #counters: Counters;
  #bidder: Bidder | undefined;
  #version: string | null = null;
  #refused: string | null = null;
  #failure: string | null = null;
  #confirmedAt: number | null = null;
  #startedAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  /** Counts `catalog-refused`, once for each pointer or document, and `refresh-failed`. */
  constructor(counters: Counters) {
    this.#counters = counters;
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
    let digest: string | null = null;
    try {
      const stored = await get(env, POINTER_KEY, KV_CACHE_TTL_SECONDS);
      if (stored === null) throw new Error(`KV holds no value under the key "${POINTER_KEY}"`);
      digest = await versionOf(stored);
      // What was refused once is not tried again, nor told again, until the pointer moves.
      if (!isLatest() || digest === this.#refused) return;
      const pointer = orRefused(() => readPointer(stored));
      const version = pointer?.version ?? digest;
      if (version !== this.#version) {
        const snapshot = pointer && (await fetchSnapshot(env, pointer));
        if (!isLatest()) return;
        if (!snapshot) console.warn("the catalog in KV is a document; compiled in this isolate, not before");
        this.#bidder = orRefused(() => new Bidder(snapshot ?? compile(stored, compiler), module));
        this.#version = version;
      }
      this.#refused = null;
      this.#confirmedAt = Date.now();
      this.#failure = null;
    } catch (error) {
      if (!isLatest()) return;
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof Refused) {
        this.#refused = digest;
        this.#fail("catalog-refused", `catalog refused, the last good one stays: ${message}`);
      } else {
        this.#fail("refresh-failed", `no refresh: ${message}`);
      }
    }
  }

  /** Told in the log once, however often it happens in a row. */
  #fail(count: "catalog-refused" | "refresh-failed", failure: string): void {
    this.#counters.add(count);
    if (failure !== this.#failure) console.error(failure);
    this.#failure = failure;
  }
}

/** The snapshot that the pointer names, all of it and as it was pushed. Throws {@link Refused} when it is another one. */
async function fetchSnapshot(env: Env, { version, parts }: Pointer): Promise<Uint8Array<ArrayBuffer>> {
  const keys = partKeys(version, "snapshot", parts);
  let missing: string[] = [];
  // What is missing or damaged in the location's cache may be whole behind it: a shorter time makes KV look.
  for (const cacheTtl of [VERSION_CACHE_TTL_SECONDS, KV_CACHE_TTL_SECONDS]) {
    const values = await Promise.all(keys.map((key) => get(env, key, cacheTtl)));
    missing = keys.filter((_, part) => values[part] === null);
    if (missing.length > 0) continue;
    const snapshot = join(values.filter((value) => value !== null));
    if ((await versionOf(snapshot)) === version) return snapshot;
  }
  if (missing.length === 0)
    throw new Refused(`KV holds other bytes for version ${version} than were pushed; push it again`);
  throw new Error(`the pointer names version ${version}, and KV holds no ${missing.join(", ")}; push it again`);
}

async function get(env: Env, key: string, cacheTtl: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const value = await env.CATALOG.get(key, { type: "arrayBuffer", cacheTtl });
  return value && new Uint8Array(value);
}

/** Whatever it throws depends on the bytes alone, so trying again would not help. */
function orRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Refused(error instanceof Error ? error.message : String(error));
  }
}

function refreshMs(env: Env): number {
  const seconds = Number(env.CATALOG_REFRESH_SECONDS);
  return (seconds > 0 ? seconds : REFRESH_SECONDS) * 1000;
}
