//! The built modules in Node: the same bytes that the Worker runs, for the commands that need no HTTP.

import { readFileSync } from "node:fs";

/** What serves. */
export const module = load("bidder");

/** What compiles and validates. */
export const compiler = load("compiler");

function load(name: string): WebAssembly.Module {
  const path = `../crates/${name}-wasm/pkg/${name}_wasm_bg.wasm`;
  return new WebAssembly.Module(readFileSync(new URL(path, import.meta.url)));
}
