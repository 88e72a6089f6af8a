//! A KV in memory, for tests of the catalog commands.

import { compile } from "../../shared/catalog/compile.ts";
import type { Metadata } from "../../shared/catalog/listing.ts";
import { POINTER_KEY, readPointer } from "../../shared/catalog/pointer.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { push } from "../catalog/push.ts";
import type { Step, Store } from "../catalog/store.ts";
import { compiler, module } from "../module.ts";
import { bytesOf } from "./bidder.ts";

/** Does a step of a command, and shows nothing. */
export const step: Step = async (_, work) => work(() => {});

/** Pushes a catalog at a time, as `edgebid catalog push` does. */
export function pushInto(store: Store, document: object, now: number, more: Partial<Parameters<typeof push>[3]> = {}) {
  return push(store, bytesOf(JSON.stringify(document)), compiled, { now: new Date(now), step, ...more });
}

function compiled(document: Uint8Array) {
  const made = compile(document, compiler);
  return { ...made, campaigns: new Bidder(made.snapshot, module).campaigns };
}

/** A KV in memory. `before` and `after` run before and after each operation, and may throw. */
export class FakeStore implements Store {
  readonly where = "--local";
  readonly values = new Map<string, { value: Uint8Array<ArrayBuffer>; metadata?: Metadata }>();
  writes = 0;
  before = (_what: string, _key: string) => {};
  after = (_what: string, _key: string) => {};

  async get(key: string) {
    return this.#around("get", key, () => this.values.get(key)?.value ?? null);
  }
  async put(key: string, value: Uint8Array<ArrayBuffer>, metadata?: Metadata) {
    this.#around("put", key, () => this.values.set(key, { value, ...(metadata && { metadata }) }));
    this.writes++;
  }
  async list(prefix: string) {
    const named = [...this.values].map(([name, { metadata }]) => ({ name, metadata }));
    return this.#around("list", prefix, () => named.filter(({ name }) => name.startsWith(prefix)));
  }
  async delete(keys: string[]) {
    for (const key of keys) this.#around("delete", key, () => this.values.delete(key));
  }

  pointer() {
    const stored = this.values.get(POINTER_KEY);
    return stored ? readPointer(stored.value) : null;
  }

  #around<T>(what: string, key: string, work: () => T): T {
    this.before(what, key);
    const result = work();
    this.after(what, key);
    return result;
  }
}
