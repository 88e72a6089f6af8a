//! Files that commands are given.

import { existsSync, readFileSync, statSync } from "node:fs";
import { CatalogFailure } from "./catalog/store.ts";

/** The bytes of a file; `-` is standard input. Throws {@link CatalogFailure} when there is no such file. */
export function readInput(path: string): Uint8Array<ArrayBuffer> {
  if (path === "-") return new Uint8Array(readFileSync(0));
  if (isFolder(path)) throw new CatalogFailure(`${path} is a folder; expected a file`);
  return new Uint8Array(readFileSync(path));
}

/** Throws {@link CatalogFailure} when there is neither a file nor a folder. */
export function isFolder(path: string): boolean {
  if (!existsSync(path)) throw new CatalogFailure(`${path} does not exist`);
  return statSync(path).isDirectory();
}

/** What a document looks like that another command is meant for; null when it is neither. */
export function kindOf(document: Uint8Array): "bid request" | "catalog" | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(document));
    if (typeof value !== "object" || value === null) return null;
    if ("campaigns" in value || "ssps" in value) return "catalog";
    return "imp" in value ? "bid request" : null;
  } catch {
    return null;
  }
}
