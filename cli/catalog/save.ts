//! Writes a file of a catalog, if the catalog can then be used.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Failure } from "../failure.mjs";
import { isFolder } from "../input.ts";
import { page } from "../tools.mjs";
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

/** Throws {@link Failure} if the catalog is one file, to which a command cannot add a file of its own. */
export function assertFolder(catalog: string): void {
  if (isFolder(catalog)) return;
  throw new Failure(
    `${catalog} is one file; expected a folder, to which this adds a file: ${page("push.md#a-catalog-as-a-folder")}`,
  );
}
