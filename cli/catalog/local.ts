//! Opens the KV of `npm start` and `wrangler dev` on this machine with Miniflare, which both keep it with. Loading all
//! of wrangler would take a second.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Miniflare } from "miniflare";
import { parse } from "toml";
import { EXIT, Failure } from "../../build/failure.mjs";
import { configuration, DEFAULT_STATE, loadMiniflare, loadWrangler, nearestConfiguration } from "../../build/tools.mjs";
import { step } from "./progress.ts";
import type { Store } from "./store.ts";

const BINDING = "CATALOG";
const NOT_FOUND = 404;

/**
 * The Worker that is asked for the values. Miniflare's own stand-in for a binding would start a thread with a second
 * HTTP client, and take a fifth of a second more of each command.
 */
const SCRIPT = `export default {
  async fetch(request, { ${BINDING}: kv }) {
    const { searchParams } = new URL(request.url);
    const [key, prefix] = [searchParams.get("key"), searchParams.get("prefix")];
    if (request.method === "PUT") {
      const metadata = JSON.parse(searchParams.get("metadata"));
      await kv.put(key, await request.arrayBuffer(), { metadata });
    } else if (request.method === "DELETE") {
      await kv.delete(key);
    } else if (prefix !== null) {
      const keys = [];
      for (let page = { cursor: null }; !page.list_complete; keys.push(...page.keys))
        page = await kv.list({ prefix, cursor: page.cursor });
      return Response.json(keys);
    } else {
      const value = await kv.get(key, "stream");
      return new Response(value, { status: value === null ? ${NOT_FOUND} : 200 });
    }
    return new Response();
  },
};`;
const MANIFEST = {
  mainModule: "index.js",
  modulesRoot: "/",
  modules: { "index.js": { type: "esm", contents: SCRIPT } },
} as const;
const COMPATIBILITY_DATE = "2026-10-20";

/**
 * Opens the store in a folder of wrangler's state, which is the value of `--persist-to`. `config`: the path of the
 * bidder's configuration. A bidder that runs meanwhile sees each change.
 */
export async function withLocalStore<T>(
  state: string | undefined,
  work: (store: Store) => Promise<T>,
  config = configuration(),
): Promise<T> {
  const path = stateIn(state, config);
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
          manifest: MANIFEST,
          env: { [BINDING]: { type: "kv", id } },
        },
      },
    ],
  });
  try {
    await step("opening the local KV", () => miniflare.ready);
    const where = `--local${state === undefined ? "" : ` --persist-to ${state}`}`;
    return await work(storeIn(miniflare, where));
  } finally {
    await miniflare.dispose();
  }
}

/** Whether the bidder of this folder, if it is the folder of one, has ever kept something in wrangler's state. */
export function hasLocalState(state: string | undefined): boolean {
  const config = nearestConfiguration();
  return config !== undefined && existsSync(stateIn(state, config));
}

function stateIn(state: string | undefined, config: string): string {
  return join(state === undefined ? join(dirname(config), DEFAULT_STATE) : resolve(state), "v3");
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

/** The KV behind {@link SCRIPT} as a store. */
function storeIn(miniflare: Miniflare, where: string): Store {
  const ask = async (query: Record<string, string>, method = "GET", body?: Uint8Array) => {
    const url = `http://kv/?${new URLSearchParams(query)}`;
    const response = await miniflare.dispatchFetch(url, { method, body: body ?? null });
    // The whole answer is read, because Miniflare ends while a body is open.
    const value = new Uint8Array(await response.arrayBuffer());
    if (response.ok || response.status === NOT_FOUND) return response.ok ? value : null;
    throw new Failure(`the local KV cannot do this: ${new TextDecoder().decode(value)}`, EXIT.unreachable);
  };
  return {
    where,
    get: (key) => ask({ key }),
    async put(key, value, metadata) {
      await ask({ key, metadata: JSON.stringify(metadata ?? null) }, "PUT", value);
    },
    async list(prefix) {
      return JSON.parse(new TextDecoder().decode((await ask({ prefix })) ?? undefined));
    },
    async delete(keys) {
      for (const key of keys) await ask({ key }, "DELETE");
    },
  };
}
