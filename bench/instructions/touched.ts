//! Counts the bytes of code that a decision runs and the cache lines of the snapshot that it reads, each of them once.
//! With cold caches a decision waits for these bytes. The numbers have no noise and are equal on every machine.
//!
//! Code means WebAssembly code; an engine turns it into several times as many bytes. The heap, the arena, the body and
//! the reads of `memory.copy` are not counted.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compiler } from "../../cli/module.ts";
import { ROOT, TOOL_ENV } from "../../cli/tools.mjs";
import type { Serving } from "../../worker/src/wasm/instance.ts";
import { generate } from "../catalogs/generate.ts";
import { ZONES } from "../catalogs/zones.ts";
import { compile } from "../decide/module.ts";
import { NOW_MS } from "../requests/now.ts";

const LINE_BYTES = 64;

/** Means over the requests. */
export interface Touched {
  code_bytes: number;
  snapshot_lines: number;
}

/** The counts for the module at a path, with this many campaigns. See `crates/xtask/src/touch.rs`. */
export function touched(path: string, campaigns: number, texts: string[]): Touched {
  const telling = join(ROOT, "target/bench/telling.wasm");
  execFileSync("cargo", ["xtask", "touch", path, telling], { cwd: ROOT, env: TOOL_ENV, stdio: "pipe" });
  const wasm = new WebAssembly.Module(readFileSync(telling));
  const [section] = WebAssembly.Module.customSections(wasm, "stretches");
  const stretches: [stretch: number, bytes: number, instructions: number][] = JSON.parse(
    new TextDecoder().decode(section),
  );

  let decision = 0;
  let [code_bytes, snapshot_lines] = [0, 0];
  /** For each stretch of code, the last decision that ran it. */
  const codeOf = new Int32Array(stretches.length);
  const linesOf = new Map<number, number>();
  let [begin, end] = [0, 0];
  const run = (stretch: number) => {
    if (decision === 0 || codeOf[stretch] === decision) return;
    codeOf[stretch] = decision;
    code_bytes += stretches[stretch]?.[1] ?? 0;
  };
  const read = (address: number, offset: number) => {
    const at = (address >>> 0) + offset;
    const line = Math.floor(at / LINE_BYTES);
    if (decision > 0 && at >= begin && at < end && linesOf.get(line) !== decision) {
      linesOf.set(line, decision);
      snapshot_lines++;
    }
    return address;
  };

  const exports = new WebAssembly.Instance(wasm, { touch: { run, read } }).exports as unknown as Serving;
  const put = (bytes: Uint8Array) => {
    // `reserve` may grow the memory, which replaces its buffer.
    const at = exports.reserve(bytes.byteLength);
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    return bytes.byteLength;
  };
  const document = new TextEncoder().encode(JSON.stringify(generate(campaigns)));
  if (!exports.load(put(compile(compiler, document, ZONES)), 0, 0)) throw new Error("the snapshot is refused");
  begin = exports.snapshot();
  end = begin + exports.snapshot_len();
  const bodies = texts.map((text) => new TextEncoder().encode(text));
  const decide = (body: Uint8Array) => exports.decide(put(body), 0, NOW_MS, 1, 2, 0, 0);
  // A warm-up, so that one-time work of the first decisions does not count.
  bodies.forEach(decide);
  for (const [at, body] of bodies.entries()) {
    decision = at + 1;
    decide(body);
  }
  const mean = (sum: number) => Math.round(sum / bodies.length);
  return { code_bytes: mean(code_bytes), snapshot_lines: mean(snapshot_lines) };
}
