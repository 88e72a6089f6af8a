//! Loads the built modules in Node: the same files that the Worker runs.

import { existsSync, readFileSync } from "node:fs";
import { Failure } from "../build/failure.mjs";

/** The module that serves. */
export const module = load("bidder");

/** The module that compiles, validates and explains. */
export const compiler = load("compiler");

function load(name: string): WebAssembly.Module {
  const file = new URL(`../crates/${name}-wasm/pkg/${name}_wasm_bg.wasm`, import.meta.url);
  if (!existsSync(file)) throw new Failure("the modules are not built yet; run npm start or npm run build first");
  return new WebAssembly.Module(readFileSync(file));
}
