//! Runs a command on catalogs, and prints the failures that a person can solve.

import { CatalogRefused } from "../../worker/src/catalog/compile.ts";
import { Failure as ScriptFailure } from "../process.mjs";
import { printLine, printRefusal } from "./print.ts";
import { CatalogFailure } from "./store.ts";

/** Runs a command. Failures that the person can solve are shown without a stack. `refused` is the headline for findings. */
export async function run({ json }: { json?: boolean }, work: () => Promise<void>, refused = "refused"): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof CatalogRefused) printRefusal(error, json ?? false, refused);
    else if (error instanceof CatalogFailure || error instanceof ScriptFailure || isSystemError(error)) {
      if (json) printLine(JSON.stringify({ error: error.message }));
      else process.stderr.write(`edgebid: ${error.message}\n`);
    } else throw error;
  }
}

/** A failure of the system, such as a missing file. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}
