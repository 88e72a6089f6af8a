//! The built module in Node: the same bytes that the Worker runs, for the commands that need no HTTP.

import { readFileSync } from "node:fs";
import type { InitOutput } from "../crates/bidder-wasm/pkg/bidder_wasm.js";

const MODULE = new URL("../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", import.meta.url);

/** A fresh instance of the module. */
export function instantiate(): InitOutput {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(MODULE)), {});
  return instance.exports as unknown as InitOutput;
}

/** Puts bytes where the next call reads them, and returns how many there are. */
export function write(exports: InitOutput, bytes: Uint8Array): number {
  const at = exports.reserve(bytes.byteLength);
  if (at === 0) throw new Error(`${bytes.byteLength} bytes are over every limit`);
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  return bytes.byteLength;
}

/** The JSON value that the last call left as its output. */
export function outputJson(exports: InitOutput): unknown {
  const bytes = new Uint8Array(exports.memory.buffer, exports.output(), exports.output_len());
  return JSON.parse(new TextDecoder().decode(bytes));
}
