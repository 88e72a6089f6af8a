//! Compiles in a thread of its own, so that whoever waits can be told how long it takes.
//!
//! The same file is the thread.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { CatalogRefused, type Compiled, compile, type Finding } from "../../worker/src/catalog/compile.ts";
import { compiler } from "../module.ts";
import type { Source } from "./source.ts";

type Outcome = { compiled: Compiled } | { findings: Finding[] };

/** The source compiled. Throws {@link CatalogRefused} with every finding. */
export async function compiledAside({ document, told }: Source): Promise<Compiled> {
  const thread = new Worker(new URL(import.meta.url), { workerData: document });
  const outcome = await new Promise<Outcome>((done, fail) => thread.on("message", done).on("error", fail));
  if ("findings" in outcome) throw new CatalogRefused(outcome.findings.map(told));
  const { compiled } = outcome;
  return { ...compiled, notes: compiled.notes.map(told) };
}

function outcomeOf(document: Uint8Array): Outcome {
  try {
    return { compiled: compile(document, compiler) };
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    return { findings: error.findings };
  }
}

if (!isMainThread && parentPort) parentPort.postMessage(outcomeOf(workerData));
