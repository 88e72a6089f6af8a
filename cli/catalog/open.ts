//! Opens the KV that the options of a command name: that of `npm start` and `wrangler dev` on this machine, or one on
//! an account.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { Failure } from "../failure.mjs";
import { configuration, DEFAULT_STATE, loadWrangler, page } from "../tools.mjs";
import { step } from "./progress.ts";
import type { Store } from "./store.ts";
import { wranglerStore } from "./wrangler.ts";

/** Options of every command that uses KV. */
export interface StoreOptions {
  local?: boolean;
  persistTo?: string;
  remote?: boolean;
  env?: string;
  json?: boolean;
}

/** Options of every command that moves the pointer, the KV value that names the served version. */
export interface PointerOptions {
  note?: string;
  force?: boolean;
}

/** Options of a push. With a share, the pushed version becomes the second version; `true` is the default share. */
export interface PushOptions extends PointerOptions {
  split?: number;
  shadow?: number | true;
  /** The file of a private key. */
  sign?: string;
  /** Do not ask about the plan. */
  yes?: boolean;
  /** Only show the plan. */
  dryRun?: boolean;
}

/** Adds the options that name a KV. `use`: what the command does with it. */
export function withStoreOptions(command: Command, use = "use"): Command {
  return command
    .option("--local", `${use} the KV of \`npm start\` on this machine`)
    .option("--persist-to <folder>", "the folder of the local KV, if `npm start` has the same option")
    .option("--remote", `${use} the KV of the account that wrangler is logged in to`)
    .option("--env <name>", `${use} the KV of this environment of wrangler.toml, on the account`)
    .option("--json", "print JSON");
}

/** Opens the store that the options name. */
export async function inStore<T>(options: StoreOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const isRemote = options.remote === true || options.env !== undefined;
  if (options.local && options.env !== undefined) {
    throw new Failure(
      `--env ${options.env} is on the account; a second bidder on this machine has a folder instead, ` +
        `such as --local --persist-to .wrangler/${options.env}: ${page("staging.md#on-your-machine")}`,
    );
  }
  if (isRemote === (options.local === true)) {
    throw new Failure(
      "which KV? --local is that of `npm start` on this machine, --remote or --env NAME that of the account",
    );
  }
  if (isRemote) return work(wranglerStore(["--remote", ...(options.env ? ["--env", options.env] : [])]));
  return withLocalStore(options.persistTo, work);
}

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
 * bidder's configuration.
 */
export async function withLocalStore<T>(
  state: string | undefined,
  work: (store: Store) => Promise<T>,
  config = configuration(),
): Promise<T> {
  const path = join(state === undefined ? join(dirname(config), DEFAULT_STATE) : resolve(state), "v3");
  const proxy = await step("opening the local KV", async () => {
    // Wrangler writes logs below the level of warnings to standard output, which is for the command's result.
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
