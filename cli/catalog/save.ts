//! Writes files of a catalog, if the catalog can then be used.

import { Failure } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import { isFolder } from "../input.ts";
import { writeWhole } from "../whole-file.ts";
import { compiledAside } from "./compiling.ts";
import { type Draft, sourceOf } from "./source.ts";

/** Compiles the catalog with the file as it would be, and then writes it. Throws `CatalogRefused`, and writes nothing. */
export async function saved(file: string, text: string, catalog: string) {
  return savedAll([{ file, text }], catalog);
}

/** Compiles the catalog with the files as they would be, and then writes them. As {@link saved}, it throws before. */
export async function savedAll(drafts: Draft[], catalog: string) {
  const compiled = await compiledAside(sourceOf(catalog, ...drafts));
  for (const { file, text } of drafts) writeWhole(file, text);
  return compiled;
}

/** Throws {@link Failure} if the catalog is one file, to which a command cannot add a file of its own. */
export function assertFolder(catalog: string): void {
  if (isFolder(catalog)) return;
  throw new Failure(
    `${catalog} is one file; expected a folder, to which this adds a file: ${page("push.md#a-catalog-as-a-folder")}`,
  );
}
