//! Starts the Worker in Miniflare, with a catalog in its KV.

import { setTimeout as sleep } from "node:timers/promises";
import { type Bindings, type RunningScript, startScript } from "./workerd.ts";

const ENTRY = new URL("../worker/src/index.ts", import.meta.url);

/** How long the Worker may take to read the catalog. */
const PATIENCE_MS = 20_000;

/** Starts the Worker and waits until it serves this catalog. */
export async function startWorker(
  catalog: Uint8Array,
  bindings: Bindings = { vars: { OPERATOR: "anybody" } },
): Promise<RunningScript> {
  const worker = await startScript(ENTRY, { CATALOG: { catalog } }, bindings);
  for (const began = Date.now(); ; ) {
    const response = await fetch(`${worker.origin}/healthz`);
    if (response.ok) return worker;
    if (Date.now() - began > PATIENCE_MS) {
      await worker.stop();
      throw new Error(`the Worker has no catalog: ${response.status} ${await response.text()}`);
    }
    await sleep(50);
  }
}
