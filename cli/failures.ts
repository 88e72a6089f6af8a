//! Prints the failures that a person can solve, without a stack.

import { CatalogRefused } from "../worker/src/catalog/compile.ts";
import { printLine, printRefusal } from "./catalog/print.ts";
import { Failure } from "./failure.mjs";

/** Prints a failure of a command for people, or as JSON, and sets the exit status. Throws any other error. */
export function printFailure(error: unknown, command: string, json: boolean): void {
  if (error instanceof CatalogRefused)
    printRefusal(error, json, command === "push" ? "refused, nothing was changed" : "refused");
  else if (!(error instanceof Failure || isSystemError(error))) throw error;
  else if (json) printLine(JSON.stringify({ error: error.message }));
  else process.stderr.write(`edgebid: ${error.message}\n`);
  process.exitCode = 1;
}

/** A failure of the system, such as a missing file. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}
