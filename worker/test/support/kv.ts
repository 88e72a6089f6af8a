//! The tests' KV: what the commands do to it, and how it fails.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import * as moves from "../../../cli/catalog/move.ts";
import { push } from "../../../cli/catalog/push.ts";
import type { MoveOptions, Store } from "../../../cli/catalog/store.ts";
import type { Compiled } from "../../../cli/catalog/upload.ts";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { compile } from "../../../shared/catalog/compile.ts";
import { POINTER_KEY, type Pointer } from "../../../shared/catalog/pointer.ts";
import { Bidder } from "../../../shared/wasm/bidder.ts";
import { type Catalog, json } from "./catalogs.ts";
import { now } from "./clock.ts";

/** The tests' KV as a store for the commands. */
export const store: Store = {
  where: "--local",
  get: async (key) => {
    const value = await env.CATALOG.get(key, "arrayBuffer");
    return value && new Uint8Array(value);
  },
  put: (key, value, metadata) => env.CATALOG.put(key, value, metadata ? { metadata } : {}),
  list: async (prefix) => (await env.CATALOG.list({ prefix })).keys,
  delete: async (keys) => {
    for (const key of keys) await env.CATALOG.delete(key);
  },
};

/** Deletes everything in the tests' KV. */
export async function clear(): Promise<void> {
  await store.delete((await env.CATALOG.list()).keys.map(({ name }) => name));
}

/** A store for a command that is killed after this many operations. */
function dying(operations: number): Store {
  let left = operations;
  const counted = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (left-- === 0) throw new Error("killed");
      return work(...args);
    };
  };
  const { where, get, put, list, delete: remove } = store;
  return { where, get: counted(get), put: counted(put), list: counted(list), delete: counted(remove) };
}

/** A catalog as the compiler makes it. */
export function compiled(document: Uint8Array): Compiled {
  const made = compile(document, compiler);
  return { ...made, campaigns: new Bidder(made.snapshot, module).campaigns };
}

/** The options of commands that move the pointer. */
export function options(): MoveOptions {
  return { now: new Date(now()), step: async (_, work) => work(() => {}) };
}

type PushOptions = Partial<Parameters<typeof push>[3]>;

/** Pushes a catalog. Returns its version. */
export async function pushed(document: Catalog, more: PushOptions = {}, into = store): Promise<string> {
  const bytes = document instanceof Uint8Array ? document : json(document);
  return (await push(into, bytes, compiled, { ...options(), ...more })).version;
}

/** How the commands use the modules. */
const modules: moves.Modules = { open: (snapshot) => new Bidder(snapshot, module), compile: compiled };

/** Goes back to the previous version. */
export const rolledBack = () => moves.rollback(store, undefined, modules, options());

/** Makes the second version the only one. */
export const promoted = () => moves.promote(store, modules, options());

/** Makes this version the second one. */
export const setSecond = (version: string, second: Parameters<typeof moves.setSecond>[2]) =>
  moves.setSecond(store, version, second, modules, options());

export async function pointer(): Promise<Pointer> {
  const found = await env.CATALOG.get<Pointer>(POINTER_KEY, "json");
  if (found === null) throw new Error("KV has no pointer");
  return found;
}

/** Writes members of the pointer, without any check. */
export async function patched(members: object): Promise<void> {
  await env.CATALOG.put(POINTER_KEY, JSON.stringify({ ...(await pointer()), ...members }));
}

/** What reading a snapshot gives. `whole` reads the real value. */
type Snapshots = (whole: () => Promise<ArrayBuffer | null>, key: string) => Promise<ArrayBuffer | null>;

const real = (key: string) => env.CATALOG.get(key, "arrayBuffer");
const bytesOf = async (whole: () => Promise<ArrayBuffer | null>) => new Uint8Array((await whole()) ?? []);
const down = () => Promise.reject(new Error("KV is down"));

/** The tests' KV, but each read calls `get`. */
export function withKv(get: (key: string) => Promise<unknown>, more: object = {}): Pick<Env, "CATALOG"> {
  return { CATALOG: { get, ...more } as unknown as KVNamespace };
}

/** The tests' KV, but reads of versions call `get`. */
export function withSnapshots(get: Snapshots): Pick<Env, "CATALOG"> {
  return withKv((key) => (key === POINTER_KEY ? real(key) : get(() => real(key), key)));
}

/** The tests' KV, but the pointer is an old one. */
export function withPointer(old: ArrayBuffer | null): Pick<Env, "CATALOG"> {
  return withKv((key) => (key === POINTER_KEY ? Promise.resolve(old) : real(key)));
}

/** KV that is down, or never answers, or cannot list its keys. */
export const KV_DOWN = withKv(down);
export const KV_SILENT = withKv(() => new Promise(() => {}));
export const KV_WITHOUT_LIST = withKv(real, { list: down });

/** The tests' KV, but reads of a version call `get`; of all versions by default. */
const broken =
  (get: Snapshots) =>
  (version = "") =>
    withSnapshots((whole, key) => (key.includes(version) ? get(whole, key) : whole()));

/** How KV fails to give a version: in words, its bindings, what is shown, and whether that is final. */
export const BROKEN: [how: string, kv: (version?: string) => object, failure: string, isFinal: boolean][] = [
  ["cannot be fetched", broken(down), "KV is down", false],
  ["is missing", broken(async () => null), "KV holds no catalog/", false],
  ["is cut off", broken(async (whole) => (await bytesOf(whole)).slice(0, 999).buffer), "other bytes", true],
  ["is empty", broken(async () => new ArrayBuffer(0)), "other bytes", true],
  ["has changed", broken(async (whole) => (await bytesOf(whole)).with(99, 7).buffer), "other bytes", true],
];

/**
 * Runs a command again and again, killed after one more step each time, until it ends. `check` looks at what is served
 * then, and says whether the pointer has moved: after that, the command only checks the result.
 */
export async function killedAtEachStep(
  command: (store: Store) => Promise<unknown>,
  check: () => Promise<boolean>,
): Promise<void> {
  for (let steps = 0; ; steps++) {
    const outcome = await command(dying(steps)).catch(() => "killed");
    const hasMoved = await check();
    if (outcome === "killed") continue;
    expect(hasMoved && steps > 5).toBe(true);
    return;
  }
}
