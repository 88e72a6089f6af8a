//! Starts a script in Miniflare, which runs the real workerd. The script gets its own socket on loopback, because
//! Miniflare's entry Worker takes more time than the bidder.

import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const COMPATIBILITY_DATE = "2026-10-20";

/** A running script. */
export interface RunningScript {
  /** The origin on which it listens, such as `http://127.0.0.1:40001`. */
  origin: string;
  /** The origin over TLS, through Miniflare's entry and with a self-signed certificate; only with `secure`. */
  secureOrigin?: string;
  /** The origin of the inspectors of all isolates, also of Miniflare's own; only with `inspect`. */
  inspector?: string;
  /** Milliseconds from the start of workerd until it listens, without the time to bundle and to fill KV. */
  startMs: number;
  /** Bytes of JavaScript and of WebAssembly. */
  size: { script: number; wasm: number };
  /** Requests a path of the script. Throws the answer's text unless its status is 2xx. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Writes values of KV, by key. */
  put(binding: string, values: Record<string, Stored>): Promise<void>;
  stop(): Promise<void>;
}

/** The bindings and options of a script, besides KV. */
export interface Bindings {
  /** Whether to listen with TLS too. */
  secure?: boolean;
  /** Whether V8's inspector listens. */
  inspect?: boolean;
  /** Variables, by name. */
  vars?: Record<string, string>;
  /** Queues that the script itself consumes, by binding. Messages that fail too often go to the queue `dead`. */
  queues?: Record<string, { maxBatchSize: number; maxBatchTimeout: number; maxRetries: number }>;
  /** Classes of Durable Objects with SQLite that the script exports, by binding. */
  durableObjects?: Record<string, string>;
  /**
   * The folder of the files behind a binding ASSETS. The script answers all requests itself, as with `wrangler.toml`.
   */
  assets?: string;
  /** Constants of the script, as JavaScript. */
  define?: Record<string, string>;
  /** The folder that keeps KV and Durable Objects. Without a folder, they are lost after a stop. */
  persist?: string;
}

/** The name of the script within Miniflare. */
const SCRIPT = "script";
const DEAD_LETTERS = "dead";

/** A value of KV, alone or with its metadata. */
export type Stored = Uint8Array | { value: Uint8Array; metadata?: unknown };

/**
 * Bundles a TypeScript module with the Wasm modules that it imports, and starts it. `kv` holds the values of KV, by
 * binding and key.
 */
export async function startScript(
  entry: URL,
  kv: Record<string, Record<string, Stored>> = {},
  bindings: Bindings = {},
): Promise<RunningScript> {
  const { vars = {}, queues = {}, durableObjects = {}, define = {}, persist, assets } = bindings;
  const { secure = false, inspect = false } = bindings;
  const manifest = await bundle(entry, define);
  const began = performance.now();
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    https: secure,
    cf: false,
    logRequests: false,
    enableDevRegistry: false,
    telemetry: { enabled: false },
    ...(inspect && { inspectorPort: 0 }),
    ...(persist !== undefined && { resourcePersistencePath: persist }),
    workers: [
      {
        config: {
          name: SCRIPT,
          compatibilityDate: COMPATIBILITY_DATE,
          manifest,
          env: {
            ...mapped(kv, (_, id) => ({ type: "kv" as const, id })),
            ...mapped(queues, (_, name) => ({ type: "queue" as const, name })),
            ...mapped(durableObjects, (exportName) => ({
              ...{ type: "durable-object" as const, worker: SCRIPT, exportName },
            })),
            ...mapped(vars, (value) => ({ type: "text" as const, value })),
            ...(assets !== undefined && { ASSETS: { type: "assets" as const } }),
          },
          ...(assets !== undefined && {
            assets: { directory: assets, hasUserWorker: true, htmlHandling: "none" as const, runWorkerFirst: true },
          }),
          exports: Object.fromEntries(
            Object.values(durableObjects).map((name) => [
              name,
              { type: "durable-object" as const, storage: "sqlite" as const },
            ]),
          ),
          triggers: Object.entries(queues).map(([name, consumer]) => ({
            ...{ type: "queue" as const, name, deadLetterQueue: DEAD_LETTERS },
            ...consumer,
          })),
        },
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
    ],
  });
  const entryUrl = await miniflare.ready;
  const startMs = performance.now() - began;
  const put = async (binding: string, values: Record<string, Stored>) => {
    // The Workers runtime's own types are not loaded in Node.
    const namespace = (await miniflare.getKVNamespace(binding)) as unknown as {
      put(key: string, value: Uint8Array, options: { metadata?: unknown }): Promise<void>;
    };
    for (const [key, stored] of Object.entries(values)) {
      const { value, metadata } = stored instanceof Uint8Array ? { value: stored } : stored;
      await namespace.put(key, value, metadata === undefined ? {} : { metadata });
    }
  };
  for (const [binding, values] of Object.entries(kv)) await put(binding, values);
  const { origin } = await miniflare.unsafeGetDirectURL(SCRIPT);
  return {
    origin,
    ...(secure && { secureOrigin: entryUrl.origin }),
    ...(inspect && { inspector: `http://${(await miniflare.getInspectorURL()).host}` }),
    startMs,
    size: {
      script: sum(manifest, (module) => (module.type === "esm" ? Buffer.byteLength(module.contents) : 0)),
      wasm: sum(manifest, (module) => (module.type === "wasm" ? module.contents.byteLength : 0)),
    },
    async fetch(path, init) {
      const response = await fetch(`${origin}${path}`, init);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response;
    },
    put,
    stop: () => miniflare.dispose(),
  };
}

const WORKER = new URL("../worker/src/index.ts", import.meta.url);

/** How long the Worker may take to read the catalog. */
const PATIENCE_MS = 20_000;

/** Starts the Worker and waits until it serves this catalog. */
export async function startWorker(
  catalog: Uint8Array,
  bindings: Bindings = { vars: { OPERATOR: "anybody" } },
): Promise<RunningScript> {
  const worker = await startScript(WORKER, { CATALOG: { catalog } }, bindings);
  const began = Date.now();
  for (;;) {
    const response = await fetch(`${worker.origin}/healthz`);
    if (response.ok) return worker;
    if (Date.now() - began > PATIENCE_MS) {
      await worker.stop();
      throw new Error(`the Worker has no catalog: ${response.status} ${await response.text()}`);
    }
    await sleep(50);
  }
}

/** Requests a path of the script, and parses the answer as JSON. */
export async function json<T>(script: RunningScript, path: string, init?: RequestInit): Promise<T> {
  return (await (await script.fetch(path, init)).json()) as T;
}

/** An object with the same names and other values. */
function mapped<T, U>(values: Record<string, T>, of: (value: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value, name)]));
}

type Module = { type: "esm"; contents: string } | { type: "wasm"; contents: Uint8Array<ArrayBuffer> };

interface Bundle {
  mainModule: string;
  modulesRoot: string;
  modules: Record<string, Module>;
}

function sum({ modules }: Bundle, bytes: (module: Module) => number): number {
  return Object.values(modules).reduce((total, module) => total + bytes(module), 0);
}

async function bundle(entry: URL, define: Record<string, string>): Promise<Bundle> {
  const { outputFiles } = await build({
    entryPoints: [entry.pathname],
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".wasm": "copy" },
    outdir: "/",
    entryNames: "index",
    write: false,
    define,
    external: ["node:*", "cloudflare:*"],
  });
  const modules = outputFiles.map(({ path, text, contents }) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const wasm = { type: "wasm" as const, contents: new Uint8Array(contents) };
    return [name, name.endsWith(".wasm") ? wasm : { type: "esm" as const, contents: text }] as const;
  });
  return { mainModule: "index.js", modulesRoot: "/", modules: Object.fromEntries(modules) };
}
