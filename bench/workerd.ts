//! Starts a script of the benchmarks in Miniflare (the real workerd) and calls it, past Miniflare's
//! own entry Worker. `cli/worker.ts` does the same for the product, with its catalog.

import { build } from "esbuild";
import { Miniflare } from "miniflare";

const COMPATIBILITY_DATE = "2026-10-20";

/** A running script. */
export interface RunningScript {
  /** Fetches a path of it. Throws when the answer is not a 2xx, with its text. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Bundles a TypeScript module with the Wasm modules that it imports, and starts it. */
export async function startScript(entry: URL): Promise<RunningScript> {
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    logRequests: false,
    enableDevRegistry: false,
    telemetry: { enabled: false },
    workers: [
      {
        config: { name: "bench", compatibilityDate: COMPATIBILITY_DATE, manifest: await bundle(entry) },
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
    ],
  });
  const { origin } = await miniflare.unsafeGetDirectURL("bench");
  return {
    async fetch(path, init) {
      const response = await fetch(`${origin}${path}`, init);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response;
    },
    stop: () => miniflare.dispose(),
  };
}

async function bundle(entry: URL) {
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
  });
  const modules = outputFiles.map(({ path, text, contents }) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const wasm = { type: "wasm" as const, contents: new Uint8Array(contents) };
    return [name, name.endsWith(".wasm") ? wasm : { type: "esm" as const, contents: text }] as const;
  });
  return { mainModule: "index.js", modulesRoot: "/", modules: Object.fromEntries(modules) };
}
