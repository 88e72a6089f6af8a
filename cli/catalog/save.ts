//! Writes a file of a catalog, if the catalog can then be used.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { compiledAside } from "./compiling.ts";
import { sourceOf } from "./source.ts";

/** Writes the file and compiles the catalog. If it is refused, puts the file back, and throws `CatalogRefused`. */
export async function saved(file: string, text: string, catalog: string) {
  const old = existsSync(file) ? readFileSync(file) : null;
  writeFileSync(file, text);
  try {
    return await compiledAside(sourceOf(catalog));
  } catch (error) {
    if (old === null) rmSync(file);
    else writeFileSync(file, old);
    throw error;
  }
}
