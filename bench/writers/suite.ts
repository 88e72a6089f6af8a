//! `npm run bench -- writers`: writers of responses and records side by side, in workerd and natively.
//!
//! Before anything is timed, all output is parsed and compared with the bids, in workerd and natively. Streams are
//! compared byte by byte with the output in memory, gzip after decompression. Each of 15 turns is one batch per writer.
//! *allocated* counts the module's memory only, not V8's heap.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../cli/tools.mjs";
import { startScript } from "../../cli/workerd.ts";
import { buildModule, buildProgram } from "../build.ts";
import { Native } from "../native.ts";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { chart } from "./chart.ts";
import { lists } from "./records.ts";
import { measure } from "./rounds.ts";
import { analysis, checks, figures, type Row, rows, tables } from "./rows.ts";

const TURNS = 15;
const QUICK_TURNS = 1;

export const writers: Suite = {
  name: "writers",
  summary: "writing responses and records: time, memory and size of each writer",
  crates: ["csv", "flate2", "prost", "serde_json", "serde-json-wasm"],

  async run({ quick }) {
    const written = lists();
    const text = JSON.stringify(written.map(({ bids }) => bids));
    const native = await Native.start(await buildProgram("bench-writers", "bench-writers-native"), [file(text)]);
    await buildModule("writers");
    const script = await startScript(new URL("worker.ts", import.meta.url));
    try {
      await script.fetch("/lists", { method: "POST", body: text });
      const series = await measure(script, native, written, quick ? QUICK_TURNS : TURNS, new Progress());
      const found = rows(series);
      return {
        checks: checks(found),
        analysis: analysis(found),
        figures: figures(series),
        tables: tables(found),
        rows: found,
      };
    } finally {
      native.stop();
      await script.stop();
    }
  },

  pictures: (result) => ({ "writers.svg": chart(result.rows as Row[], result) }),
};

/** Writes the lists to a file for the native side. */
function file(text: string): string {
  const path = join(ROOT, "target/bench/bids.json");
  mkdirSync(join(ROOT, "target/bench"), { recursive: true });
  writeFileSync(path, text);
  return path;
}
