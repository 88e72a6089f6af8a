//! The KV namespace on this machine, which `npm start` and `wrangler dev` use.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { configuration, DEFAULT_STATE, loadWrangler } from "../tools.mjs";
import { step } from "./progress.ts";
import type { Store } from "./store.ts";

/** The part of a KV binding that is used here. Declared, because the Workers runtime's types are not loaded in Node. */
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
 * bidder's configuration.
 */
export async function withLocalStore<T>(
  state: string | undefined,
  work: (store: Store) => Promise<T>,
  config = configuration(),
): Promise<T> {
  const path = join(state === undefined ? join(dirname(config), DEFAULT_STATE) : resolve(state), "v3");
  const proxy = await step("opening the local KV", async () => {
    // Wrangler writes logs below a warning to standard output, which is for the command's result.
    process.env["WRANGLER_LOG"] = "warn";
    // Loading wrangler takes a second, so only the commands that need it load it.
    const { getPlatformProxy, unstable_readConfig: readConfig } = await loadWrangler();
    const { name, compatibility_date, kv_namespaces } = readConfig({ config });
    // With the ledger's objects in the configuration, wrangler would warn that it cannot run them here.
    const folder = mkdtempSync(join(tmpdir(), "edgebid-kv-"));
    const configPath = join(folder, "wrangler.json");
    writeFileSync(configPath, JSON.stringify({ name, compatibility_date, kv_namespaces }));
    try {
      return await getPlatformProxy<{ CATALOG: Namespace }>({ configPath, persist: { path }, remoteBindings: false });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  try {
    const where = `--local${state === undefined ? "" : ` --persist-to ${state}`}`;
    return await work(storeOf(proxy.env.CATALOG, where));
  } finally {
    await proxy.dispose();
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
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<Namespace["list"]>> = await namespace.list({ prefix, cursor });
        keys.push(...page.keys);
        cursor = page.list_complete ? null : (page.cursor ?? null);
      } while (cursor !== null);
      return keys;
    },
    async delete(keys) {
      for (const key of keys) await namespace.delete(key);
    },
  };
}
