//! Opens the KV that the options of a command name: that of `npm start` and `wrangler dev` on this machine, or one on
//! an account.

import type { Command } from "commander";
import { Failure } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import { withLocalStore } from "./local.ts";
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

/** Options of a command that decides with one catalog. */
export interface CatalogOptions extends StoreOptions {
  catalog?: string;
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
  /** A folder of published shapes. */
  shapes?: string;
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

/** Adds the options that name a catalog: `chosen.ts` opens it. */
export function withCatalogOptions(command: Command): Command {
  const what = "a document, a folder of documents, or a version in KV (default: what is served on this machine)";
  return withStoreOptions(command.option("--catalog <name>", `the catalog: ${what}`), "take the catalog from");
}

/** Whether the options name a KV. */
export function isNamed({ local, remote, env }: StoreOptions): boolean {
  return Boolean(local || remote) || env !== undefined;
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
