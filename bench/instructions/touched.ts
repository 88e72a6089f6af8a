//! Counts the bytes of code that a decision runs and the cache lines of the snapshot that it reads, each of them once.
//! With cold caches a decision waits for these bytes. The numbers have no noise and are equal on every machine.
//!
//! Code means WebAssembly code; an engine turns it into several times as many bytes. The heap, the arena, the body and
//! the reads of `memory.copy` are not counted.

import { compiler } from "../../cli/module.ts";
import type { Serving } from "../../shared/wasm/instance.ts";
import { instrumented } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { compile } from "../decide/module.ts";
import { NOW_MS } from "../requests/now.ts";

const LINE_BYTES = 64;

/** Means over the requests. */
export interface Touched {
  code_bytes: number;
  snapshot_lines: number;
}

/** The counts for the built module with this many campaigns. See `crates/xtask/src/touch.rs`. */
export function touched(campaigns: number, texts: string[]): Touched {
  const wasm = instrumented("touch");
  const [section] = WebAssembly.Module.customSections(wasm, "stretches");
  const stretches: [stretch: number, bytes: number, instructions: number][] = JSON.parse(
    new TextDecoder().decode(section),
  );
  /** What the current decision has run and read: stretches of code, cache lines. */
  const [code, lines] = [new Set<number>(), new Set<number>()];
  const run = (stretch: number) => void code.add(stretch);
  const read = (address: number, offset: number) => {
    lines.add(Math.floor(((address >>> 0) + offset) / LINE_BYTES));
    return address;
  };
  const exports = new WebAssembly.Instance(wasm, { touch: { run, read } }).exports as unknown as Serving;
  const put = (bytes: Uint8Array) => {
    // `reserve` may grow the memory, which replaces its buffer.
    const at = exports.reserve(bytes.byteLength);
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    return bytes.byteLength;
  };
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const document = bytesOf(JSON.stringify(generate(campaigns)));
  if (!exports.load(put(compile(compiler, document)), 0, 0)) throw new Error("the snapshot is refused");
  const [begin, end] = [exports.snapshot(), exports.snapshot() + exports.snapshot_len()];
  const isSnapshot = (line: number) => line >= Math.floor(begin / LINE_BYTES) && line * LINE_BYTES < end;
  const decide = (text: string) => {
    code.clear();
    lines.clear();
    exports.decide(put(bytesOf(text)), 0, NOW_MS, 1, 2, 0, 0, 0, 0);
    return {
      bytes: [...code].reduce((sum, stretch) => sum + (stretches[stretch]?.[1] ?? 0), 0),
      lines: [...lines].filter(isSnapshot).length,
    };
  };
  // A warm-up, so that one-time work of the first decisions does not count.
  texts.forEach(decide);
  const counts = texts.map(decide);
  const mean = (of: "bytes" | "lines") => Math.round(counts.reduce((sum, count) => sum + count[of], 0) / texts.length);
  return { code_bytes: mean("bytes"), snapshot_lines: mean("lines") };
}
