//! `npm run bench -- readers`: readers of bid requests side by side, in workerd and natively.

import { startScript } from "../../cli/workerd.ts";
import { buildModule, buildProgram } from "../build.ts";
import { machine, versions } from "../machine.ts";
import { Native } from "../native.ts";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { bodies } from "./bodies.ts";
import { chart } from "./chart.ts";
import { measure } from "./rounds.ts";
import { analysis, asProfileTable, asTable, checks, profiles, rows } from "./rows.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 3;

export const readers: Suite = {
  name: "readers",
  summary: "reading a bid request: time, throughput, allocations of each reader",

  async run({ quick, bodies: others }) {
    const measured = bodies(others);
    const native = await Native.start(
      await buildProgram("bench-readers", "bench-readers-native"),
      measured.map(({ path }) => path),
    );
    await buildModule();
    const before = machine();
    const script = await startScript(new URL("worker.ts", import.meta.url));
    try {
      const series = await measure(script, native, measured, quick ? QUICK_ROUNDS : ROUNDS, new Progress());
      const found = rows(series);
      const profile = profiles(series);
      const report = {
        suite: "readers",
        date: new Date().toISOString(),
        quick,
        machine: before,
        versions: versions(["simd-json", "serde_json", "serde-json-wasm", "simdutf8"]),
        checks: checks(found),
        analysis: analysis(found),
        profiles: profile,
        rows: found,
      };
      const tables = `${asTable(found)}\n\n${asProfileTable(profile)}`;
      return { report, table: tables, pictures: { "readers.svg": chart(found, report) } };
    } finally {
      native.stop();
      await script.stop();
    }
  },
};
