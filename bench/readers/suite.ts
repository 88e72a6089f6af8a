//! `npm run bench -- readers`: readers of bid requests side by side, in workerd and natively.
//!
//! All readers run in one Worker. The readers in Wasm are in one module, compiled with the bidder's settings; copying
//! the body into the module's memory counts. The native program uses the baseline of its architecture (SSE2 on x86-64).

import { buildModule, buildProgram } from "../build.ts";
import { Native } from "../native.ts";
import { Isolate, type Job, measure, TURNS_A_ROUND } from "../rig.ts";
import {
  at,
  type Column,
  fact,
  figures,
  find,
  middle,
  newRow,
  type Row,
  ratio,
  table,
  turnsOf,
  us,
  versus,
  wasmVsNative,
} from "../rows.ts";
import { median } from "../statistics.ts";
import type { Suite } from "../suite.ts";
import { type Body, bodies, expectRead, OWN_BODIES } from "./bodies.ts";
import type { Seen } from "./seen.ts";

const ROUNDS = 11;

/** The deployed reader with the example catalog, which asks for some attributes only. */
const OURS = "edgebid";
const PROTOBUF = "edgebid (protobuf)";
const BASE = "JSON.parse(string)";

export const readers: Suite = {
  name: "readers",
  summary: "reading a bid request: time, throughput, allocations of each reader",
  crates: ["simd-json", "sonic-rs", "serde_json", "simdutf8"],

  async run({ quick, bodies: others }) {
    const all = bodies(others);
    const native = await Native.start(
      await buildProgram("bench-readers", "bench-readers-native"),
      all.map(({ path }) => path),
      all.map(({ name }) => name),
    );
    await buildModule("readers");
    const isolate = await Isolate.start(new URL("worker.ts", import.meta.url));
    try {
      const jobs = await jobsOf(isolate, all);
      await measure(jobs, isolate, native, quick ? 1 : ROUNDS);
      const rows = jobs.map(({ row }) => row);
      const vsParse = versus(rows, BASE, "us");
      return {
        checks: checks(rows),
        figures: figures(rows, "us", { unit: "µs", better: "less", base: BASE, turnsARound: TURNS_A_ROUND }),
        tables: [
          table("reading one request", rows, [
            ["median", middle("us"), us],
            ["p99", at(0.99, "us"), us],
            ["MB/s", (row) => (row.facts["bytes"] ?? 0) / median(turnsOf(row, "us"))],
            ["allocs", fact("allocations")],
            ["/ JSON.parse", vsParse],
            ["native", middle("native_us"), us],
            ["Wasm/native", wasmVsNative],
          ]),
        ],
        charts: {
          "readers.svg": {
            title: "Time to read one bid request, relative to JSON.parse of a string",
            note: "inside workerd, copy into Wasm memory included, by body; shorter is faster",
            rows: rows.filter(({ group }) => group === "3.8k"),
            panels: OWN_BODIES.map(
              (body): Column => [body, ({ name }) => rows.filter(isOf(name, body)).map(vsParse)[0]],
            ),
          },
        },
        rows,
      };
    } finally {
      native.stop();
      await isolate.stop();
    }
  },
};

/** Loads the bodies. A reader that refuses a text of a body does not read it; one that reads wrong values ends the run. */
async function jobsOf(isolate: Isolate, all: Body[]): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const body of all) {
    const input = body.name;
    await isolate.ask("body", { input }, body.lines);
    await isolate.ask("messages", { input }, body.messages);
    for (const way of await isolate.ask<string[]>("readers")) {
      const seen = await isolate.ask<(Seen | null)[]>("seen", { way, input });
      if (!expectRead(seen, body, way)) continue;
      const allocations = await isolate.ask<number | null>("allocations", { way, input });
      const row = newRow(way, input, { allocations, bytes: body.bytes });
      jobs.push({ row, way, input, isWasmOnly: way === PROTOBUF });
    }
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

function isOf(name: string, body: string): (row: Row) => boolean {
  return (row) => row.name === name && row.group === body;
}
