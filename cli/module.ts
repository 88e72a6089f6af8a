//! The built modules in Node: the same bytes that the Worker runs, for the commands that need no HTTP.

import { existsSync, readFileSync } from "node:fs";
import { CatalogFailure } from "./catalog/store.ts";

/** What serves. */
export const module = load("bidder");

/** What compiles and validates. */
export const compiler = load("compiler");

function load(name: string): WebAssembly.Module {
  const file = new URL(`../crates/${name}-wasm/pkg/${name}_wasm_bg.wasm`, import.meta.url);
  if (!existsSync(file))
    throw new CatalogFailure("the modules are not built yet; run npm start or npm run build first");
  return new WebAssembly.Module(readFileSync(file));
}
