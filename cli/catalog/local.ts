//! Opens the KV of `npm start` and `wrangler dev` on this machine with Miniflare, which both keep it with. Loading all
//! of wrangler would take a second.

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "toml";
import { Failure } from "../failure.mjs";
import { configuration, DEFAULT_STATE, loadMiniflare, loadWrangler } from "../tools.mjs";
import { step } from "./progress.ts";
import type { Store } from "./store.ts";

const BINDING = "CATALOG";
/** Miniflare wants a Worker. This one never runs. */
const EMPTY = {
  mainModule: "index.js",
  modulesRoot: "/",
  modules: { "index.js": { type: "esm", contents: "" } },
} as const;
const COMPATIBILITY_DATE = "2026-10-20";

/**
 * The part of a KV binding that is used here. Declared here, because the Workers runtime's types are not loaded in
 * Node.
 */
interface Namespace {
  get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
  put(key: string, value: Uint8Array, options: { metadata?: unknown }): Promise<void>;
  list(options: { prefix: string; cursor: string | null }): Promise<{
    keys: { name: string; metadata?: unknown }[];
    list_complete: boolean;
    cursor?: string;
  }>;
  delete(key: string): Promise<void>;
}

/**
 * Opens the store in a folder of wrangler's state, which is the value of `--persist-to`. `config`: the path of the
 * bidder's configuration. A bidder that runs meanwhile sees each change.
 */
export async function withLocalStore<T>(
  state: string | undefined,
  work: (store: Store) => Promise<T>,
  config = configuration(),
): Promise<T> {
  const path = join(state === undefined ? join(dirname(config), DEFAULT_STATE) : resolve(state), "v3");
  const id = await namespaceId(config);
  const { Miniflare } = loadMiniflare();
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    logRequests: false,
    enableDevRegistry: false,
    telemetry: { enabled: false },
    resourcePersistencePath: path,
    workers: [
      {
        config: {
          name: "edgebid-kv",
          compatibilityDate: COMPATIBILITY_DATE,
          manifest: EMPTY,
          env: { [BINDING]: { type: "kv", id } },
        },
      },
    ],
  });
  try {
    const namespace = await step("opening the local KV", () => miniflare.getKVNamespace(BINDING));
    const where = `--local${state === undefined ? "" : ` --persist-to ${state}`}`;
    return await work(storeOf(namespace as unknown as Namespace, where));
  } finally {
    await miniflare.dispose();
  }
}

/** The id under which wrangler keeps the namespace on this machine. Throws {@link Failure} if `config` has none. */
async function namespaceId(config: string): Promise<string> {
  const { kv_namespaces: all = [] } = await settingsOf(config);
  const found = all.find(({ binding }) => binding === BINDING);
  if (found === undefined) throw new Failure(`${config} has no [[kv_namespaces]] with the binding ${BINDING}`);
  return found.preview_id ?? found.id ?? BINDING;
}

interface Settings {
  kv_namespaces?: { binding: string; id?: string; preview_id?: string }[];
}

/** Reads TOML itself, because that is fast, and leaves wrangler's other formats to wrangler. */
async function settingsOf(config: string): Promise<Settings> {
  if (!config.endsWith(".toml")) return loadWrangler().unstable_readConfig({ config }, { hideWarnings: true });
  try {
    return parse(readFileSync(config, "utf8"));
  } catch (error) {
    const { location, message } = error as { location?: { start: { line: number } }; message: string };
    throw new Failure(`${config}${location ? `:${location.start.line}` : ""}: ${message}`);
  }
}

/** A KV binding as a store. */
function storeOf(namespace: Namespace, where: string): Store {
  return {
    where,
    async get(key) {
      const value = await namespace.get(key, "arrayBuffer");
      return value && new Uint8Array(value);
    },
    put: (key, value, metadata) => namespace.put(key, value, metadata ? { metadata } : {}),
    async list(prefix) {
      const keys: { name: string; metadata?: unknown }[] = [];
      for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
        const page: Awaited<ReturnType<Namespace["list"]>> = await namespace.list({ prefix, cursor });
        keys.push(...page.keys);
        cursor = page.list_complete ? undefined : page.cursor;
      }
      return keys;
    },
    async delete(keys) {
      for (const key of keys) await namespace.delete(key);
    },
  };
}
