//! `npm run bench -- readers`: readers of bid requests side by side, in workerd and natively.
//!
//! All readers run in one Worker. The readers in Wasm are in one module, compiled with the bidder's settings; copying
//! the body into the module's memory counts. The native program uses the baseline of its architecture (SSE2 on x86-64).

import { ratio, timeColumns, timeFigures, versus, wasmVsNative } from "../ratios.ts";
import { type Job, type Rig, withRig } from "../rig.ts";
import { type Column, elsewhere, fact, find, newRow, type Row, table, turnsOf } from "../rows.ts";
import { median } from "../statistics.ts";
import type { Suite } from "../suite.ts";
import { type Body, bodies, expectRead, OWN_BODIES, type Seen } from "./bodies.ts";

const ROUNDS = 11;
/** How often each text is read while allocations are counted. */
const LAPS = "20";

/** The deployed reader with the example catalog, which asks for some attributes only. */
const OURS = "edgebid";
const PROTOBUF = "edgebid (protobuf)";
const BASE = "JSON.parse(string)";

export const readers: Suite = {
  name: "readers",
  summary: "reading a bid request: time, throughput, allocations of each reader",
  crates: ["simd-json", "sonic-rs", "serde_json", "simdutf8"],

  run({ quick, bodies: others }) {
    const all = bodies(others);
    const native = { suite: "readers", files: all.map(({ path }) => path), inputs: all.map(({ name }) => name) };
    return withRig({ worker: new URL("worker.ts", import.meta.url), native }, async (rig) => {
      const jobs: Job[] = [];
      for (const body of all) jobs.push(...(await jobsOf(rig, body)));
      const rows = await rig.measure(jobs, quick ? 1 : ROUNDS);
      const vsParse = versus(rows, BASE, "us");
      return {
        checks: checks(rows),
        figures: timeFigures(rows, BASE),
        tables: [
          table("reading one request", rows, [
            ...timeColumns(rows, BASE, "JSON.parse"),
            ["MB/s", (row) => (row.facts["bytes"] ?? 0) / median(turnsOf(row, "us"))],
            ["allocs", fact("allocations")],
          ]),
        ],
        charts: {
          "readers.svg": {
            title: "Time to read one bid request, relative to JSON.parse of a string",
            note: "inside workerd, copy into Wasm memory included, by body; shorter is faster",
            rows: rows.filter(({ group }) => group === "3.8k"),
            panels: OWN_BODIES.map((body): Column => [body, elsewhere(rows, body, vsParse)]),
          },
        },
        rows,
      };
    });
  },
};

/** Loads a body. A reader that refuses a text of a body does not read it; one that reads wrong values ends the run. */
async function jobsOf({ ask }: Rig, body: Body): Promise<Job[]> {
  const input = body.name;
  await ask("body", { input }, body.lines);
  await ask("messages", { input }, body.messages);
  const jobs: Job[] = [];
  for (const way of await ask<string[]>("readers")) {
    const seen = await ask<(Seen | null)[]>("seen", { way, input });
    if (!expectRead(seen, body, way)) continue;
    const allocations = await ask<number | null>("count", { way, input, laps: LAPS });
    const row = newRow(way, input, { allocations, bytes: body.bytes });
    jobs.push({ row, way, input, isWasmOnly: way === PROTOBUF });
  }
  return jobs;
}

/** The checks, by the names that the goals use; only from the bodies in `bench/bodies/`. */
function checks(rows: Row[]): Record<string, number> {
  const vsParse = (body: string) => ratio(find(rows, OURS, body), find(rows, BASE, body), "us");
  const ours = find(rows, OURS, "3.8k");
  return {
    "read.vs_json_parse_600": vsParse("0.6k"),
    "read.vs_json_parse_3800": vsParse("3.8k"),
    "read.vs_json_parse_100k": vsParse("100k"),
    "read.protobuf_vs_json_3800": ratio(find(rows, PROTOBUF, "3.8k"), ours, "us"),
    "read.wasm_vs_native": wasmVsNative(ours),
    "read.allocs": Math.max(...OWN_BODIES.map((body) => find(rows, OURS, body).facts["allocations"] ?? Number.NaN)),
  };
}
