//! Starts the Worker in Miniflare, with a catalog in its KV.

import { type RunningScript, startScript } from "./workerd.ts";

const ENTRY = new URL("../worker/src/index.ts", import.meta.url);

/** Starts the Worker and waits until it serves this catalog. */
export async function startWorker(catalog: Uint8Array): Promise<RunningScript> {
  const worker = await startScript(ENTRY, { CATALOG: { catalog } }, { vars: { OPERATOR: "anybody" } });
  try {
    await worker.fetch("/healthz");
  } catch (error) {
    await worker.stop();
    throw new Error(`the Worker has no catalog: ${error instanceof Error ? error.message : error}`);
  }
  return worker;
}
