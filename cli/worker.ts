//! Starts the built Worker in Miniflare (the real workerd) on a socket of its own on loopback,
//! for the commands and benches that have to talk HTTP to it.

import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const COMPATIBILITY_DATE = "2026-10-20";
const root = new URL("../", import.meta.url);

/** A running Worker. */
export interface RunningWorker {
  /** Where it listens, e.g. `http://127.0.0.1:40001`. */
  origin: string;
  stop(): Promise<void>;
}

/** Bundles `worker/src/index.ts`, starts it with this catalog in its KV, and waits until it serves it. */
export async function startWorker(catalog: Uint8Array): Promise<RunningWorker> {
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    logRequests: false,
    enableDevRegistry: false,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: "edgebid",
          compatibilityDate: COMPATIBILITY_DATE,
          manifest: await bundle(),
          env: { CATALOG: { type: "kv", id: "CATALOG" } },
        },
        // Miniflare's own entry Worker would cost more than the bidder.
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
    ],
  });
  // Miniflare types it with the Workers runtime's own types, which are not loaded in Node.
  const kv = (await miniflare.getKVNamespace("CATALOG")) as unknown as {
    put(key: string, value: Uint8Array): Promise<void>;
  };
  await kv.put("catalog", catalog);
  const origin = (await miniflare.unsafeGetDirectURL("edgebid")).origin;
  const health = await fetch(`${origin}/healthz`);
  if (!health.ok) throw new Error(`the Worker has no catalog: ${await health.text()}`);
  return { origin, stop: () => miniflare.dispose() };
}

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [new URL("worker/src/index.ts", root).pathname],
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["*.wasm"],
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const modules: Record<string, { type: "esm" | "wasm"; contents: string | Uint8Array<ArrayBuffer> }> = {};
  const contents = script.replace(/from "([^"]*\/([^"/]+\.wasm))"/g, (_, path: string, name: string) => {
    modules[name] = {
      type: "wasm",
      contents: new Uint8Array(readFileSync(new URL(path, new URL("worker/src/", root)))),
    };
    return `from "./${name}"`;
  });
  modules["index.js"] = { type: "esm", contents };
  return { mainModule: "index.js", modulesRoot: "/", modules };
}
