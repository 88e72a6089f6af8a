//! The present instance of the serving module, and the calls that configure a new one. It is replaced after a trap, or
//! when its memory has grown.

import { fail } from "../telemetry/failures.ts";
import { halves } from "./abi.ts";
import type { Facts } from "./answers.ts";
import { Instance, isTrue, type Serving } from "./instance.ts";

/** This module cannot use the bytes as a snapshot. */
export class SnapshotRefused extends Error {
  override name = "SnapshotRefused";
}

/** A call of the instance. */
export type Call<T> = (instance: Instance<Serving>) => T;

export class Running {
  /** The name of the snapshot, 16 hex digits. */
  readonly version: string;
  protected readonly facts: Facts;
  readonly #wasm: WebAssembly.Module;
  #instance: Instance<Serving>;
  /** Where the snapshot is in the instance's memory. Nothing ever writes there. */
  #snapshot: { at: number; length: number };
  /** The last call of each kind that configures an instance. */
  readonly #configuration = new Map<string, Call<unknown>>();

  /** Loads a snapshot. Throws {@link SnapshotRefused}. */
  constructor(snapshot: Uint8Array, wasm: WebAssembly.Module, version: string) {
    [this.#wasm, this.version] = [wasm, version];
    this.#instance = this.#load(snapshot);
    this.facts = this.#instance.outputJson<Facts>();
    this.#snapshot = snapshotIn(this.#instance);
  }

  /** Calls the instance. After a trap, replaces it and returns `otherwise`. */
  call<T>(call: Call<T>, otherwise: T): T {
    try {
      return call(this.#instance);
    } catch (error) {
      // Its code can no longer be called, but its memory can still be read.
      fail("trap", error);
      this.replace();
      return otherwise;
    }
  }

  /**
   * Calls the instance, and later also each new instance before its first use. Replaces an earlier call of the same
   * kind.
   */
  protected configure<T>(kind: string, call: Call<T>, otherwise: T): T {
    this.#configuration.set(kind, call);
    return this.call(call, otherwise);
  }

  /** Replaces the instance by a new one with the same catalog and configuration. */
  replace(): void {
    const { at, length } = this.#snapshot;
    const instance = this.#load(this.#instance.view(at, length));
    for (const call of this.#configuration.values()) call(instance);
    [this.#instance, this.#snapshot] = [instance, snapshotIn(instance)];
  }

  /** A copy of the snapshot. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return this.#instance.bytes(this.#snapshot.at, this.#snapshot.length);
  }

  /** Bytes of the snapshot. */
  get snapshotBytes(): number {
    return this.#snapshot.length;
  }

  /** Bytes of the instance's memory besides the snapshot. Large requests make the memory grow, and it never shrinks. */
  get spareBytes(): number {
    return this.#instance.size - this.#snapshot.length;
  }

  #load(snapshot: Uint8Array): Instance<Serving> {
    const instance = new Instance<Serving>(this.#wasm);
    const loaded = isTrue(instance.exports.load(instance.put(snapshot), ...halves(this.version)));
    if (!loaded) throw new SnapshotRefused(instance.outputJson<{ error: string }>().error);
    return instance;
  }
}

function snapshotIn({ exports }: Instance<Serving>) {
  return { at: exports.snapshot(), length: exports.snapshot_len() };
}
