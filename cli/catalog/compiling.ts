//! Compiles a catalog in another thread, so that this thread can show the progress. The other thread also runs this
//! file.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { CatalogRefused, type Compiled, type Outcome, outcomeOf } from "../../shared/catalog/compile.ts";
import { compiler } from "../module.ts";
import type { Source } from "./source.ts";

/** Compiles a source. Throws {@link CatalogRefused} with all findings, at their locations in the files. */
export async function compiledAside({ document, located }: Source): Promise<Compiled> {
  const thread = new Worker(new URL(import.meta.url), { workerData: document });
  const outcome = await new Promise<Outcome>((done, fail) => thread.on("message", done).on("error", fail));
  if (outcome.findings) throw new CatalogRefused(outcome.findings.map(located));
  const { compiled } = outcome;
  return { ...compiled, notes: compiled.notes.map(located) };
}

if (!isMainThread && parentPort) parentPort.postMessage(outcomeOf(workerData, compiler));
