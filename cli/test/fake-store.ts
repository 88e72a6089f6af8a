//! A KV in memory, for tests of the catalog commands.

import type { Metadata } from "../../worker/src/catalog/listing.ts";
import { POINTER_KEY, readPointer } from "../../worker/src/catalog/pointer.ts";
import type { Store } from "../catalog/store.ts";

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
