//! `npm run bench -- readers`: readers of bid requests side by side, in workerd and natively.
//!
//! All readers run in one Worker. The readers in Wasm are in one module, compiled with the bidder's settings; copying
//! the body into the module's memory counts. The native program uses the baseline of its architecture (SSE2 on x86-64).
//! Each reader first reads each body for a quarter of a second. Then each round has five turns per body. A turn is the
//! mean of a batch, so *p99* of the turns shows the noise of the machine, not the slowest read.

import { startScript } from "../../cli/workerd.ts";
import { buildModule, buildProgram } from "../build.ts";
import { Native } from "../native.ts";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { bodies } from "./bodies.ts";
import { chart } from "./chart.ts";
import { measure } from "./rounds.ts";
import { analysis, checks, figures, type Row, readersTable, rows } from "./rows.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 1;

export const readers: Suite = {
  name: "readers",
  summary: "reading a bid request: time, throughput, allocations of each reader",
  crates: ["simd-json", "sonic-rs", "serde_json", "serde-json-wasm", "simdutf8"],

  async run({ quick, bodies: others }) {
    const measured = bodies(others);
    const native = await Native.start(
      await buildProgram("bench-readers", "bench-readers-native"),
      measured.map(({ path }) => path),
    );
    await buildModule("readers");
    const script = await startScript(new URL("worker.ts", import.meta.url));
    try {
      const series = await measure(script, native, measured, quick ? QUICK_ROUNDS : ROUNDS, new Progress());
      const found = rows(series);
      return {
        checks: checks(found, series),
        analysis: analysis(found),
        figures: figures(series),
        tables: [readersTable(found)],
        rows: found,
      };
    } finally {
      native.stop();
      await script.stop();
    }
  },

  pictures: (result) => ({ "readers.svg": chart(result.rows as Row[], result) }),
};
