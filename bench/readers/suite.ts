//! `npm run bench -- readers`: readers of bid requests side by side, in workerd and natively.

import { join } from "node:path";
import { step } from "../../cli/process.mjs";
import { ROOT, TOOL_ENV } from "../../cli/setup.mjs";
import { startScript } from "../../cli/workerd.ts";
import { machine, versions } from "../machine.ts";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { bodies } from "./bodies.ts";
import { chart } from "./chart.ts";
import { Native } from "./native.ts";
import { measure } from "./rounds.ts";
import { analysis, asTable, checks, rows } from "./rows.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 3;
const PROGRAM = "bench-readers-native";
const PROFILE = "wasm-release";

export const readers: Suite = {
  name: "readers",
  summary: "reading a bid request: time, throughput, allocations of each reader",

  async run({ quick, bodies: others }) {
    const measured = bodies(others);
    const native = await Native.start(
      await program(),
      measured.map(({ path }) => path),
    );
    await step("building the readers for workerd", "cargo", ["xtask", "bench"], { cwd: ROOT, env: TOOL_ENV });
    const before = machine();
    const script = await startScript(new URL("worker.ts", import.meta.url));
    try {
      const series = await measure(script, native, measured, quick ? QUICK_ROUNDS : ROUNDS, new Progress());
      const found = rows(series);
      const report = {
        suite: "readers",
        date: new Date().toISOString(),
        quick,
        machine: before,
        versions: versions(["simd-json", "serde_json", "serde-json-wasm", "simdutf8"]),
        checks: checks(found),
        analysis: analysis(found),
        rows: found,
      };
      return { report, table: asTable(found), pictures: { "readers.svg": chart(found, report) } };
    } finally {
      native.stop();
      await script.stop();
    }
  },
};

/** Builds the native program with the settings of the Wasm module, and returns its path. */
async function program(): Promise<string> {
  const messages = await step(
    "building the readers for this machine",
    "cargo",
    [
      "build",
      "--locked",
      "--profile",
      PROFILE,
      "--package",
      "bench-readers",
      "--bin",
      PROGRAM,
      "--message-format=json-render-diagnostics",
    ],
    { cwd: ROOT, env: TOOL_ENV },
  );
  const executables = messages.split("\n").flatMap((line) => {
    const message = line.startsWith("{") ? JSON.parse(line) : {};
    return typeof message.executable === "string" ? [message.executable as string] : [];
  });
  return executables.at(-1) ?? join(ROOT, "target", PROFILE, PROGRAM);
}
