//! `npm run bench -- catalog`: validates and compiles a catalog where it is pushed, and loads it where it serves.
//! For comparison it also measures `JSON.parse` of the same document.
//!
//! Most of *load* is the first touch of fresh memory: the system handles a page fault for every 4 KB. JavaScript parses
//! into memory that was touched before.

import { compiler } from "../../cli/module.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import { generate } from "../catalogs/generate.ts";
import { Isolate, type Job, measure } from "../rig.ts";
import {
  fact,
  figures,
  find,
  megabytes,
  middle,
  ms,
  newRow,
  push,
  type Row,
  ratio,
  table,
  us,
  versus,
} from "../rows.ts";
import type { Suite } from "../suite.ts";

const COUNTS = [10, 1000, 10_000, 50_000];
const ROUNDS = 5;
/** Each compilation takes seconds, so there are few. Each uses a new instance of the module, like the command. */
const COMPILES = 3;

export const catalog: Suite = {
  name: "catalog",
  summary: "compiling and loading catalogs of 10 to 50,000 campaigns, beside JSON.parse",

  async run({ quick }) {
    const catalogs = COUNTS.map((campaigns) => compiled(campaigns, quick ? 1 : COMPILES));
    const isolate = await Isolate.start(new URL("worker.ts", import.meta.url));
    try {
      const jobs: Job[] = [];
      for (const one of catalogs) jobs.push(...(await jobsOf(isolate, one)));
      await measure(jobs, isolate, null, quick ? 1 : ROUNDS);
      const rows = jobs.map(({ row }) => row);
      const [load, parse] = ["load", "JSON.parse"].map((name) => find(rows, name, "10000 campaigns"));
      if (load === undefined || parse === undefined) throw new Error("10,000 campaigns were not measured");
      return {
        checks: {
          "catalog.load_vs_json_parse_10000": ratio(load, parse, "us"),
          "catalog.compile_ms_10000": middle("compile_ms")(load) ?? Number.NaN,
          "catalog.snapshot_vs_document_10000": (load.facts["bytes"] ?? 0) / (parse.facts["bytes"] ?? 0),
        },
        figures: figures(rows, "us", { unit: "µs", better: "less", base: "JSON.parse" }),
        tables: [
          table("catalogs, from the document to a bidder", rows, [
            ["median", middle("us"), us],
            ["/ JSON.parse", versus(rows, "JSON.parse", "us")],
            ["size", fact("bytes"), megabytes],
            ["compiling it", middle("compile_ms"), ms],
          ]),
        ],
        rows,
      };
    } finally {
      await isolate.stop();
    }
  },
};

interface Compiled {
  load: Row;
  document: Uint8Array<ArrayBuffer>;
  snapshot: Uint8Array<ArrayBuffer>;
}

/** Compiles in this process, as `edgebid catalog validate` and `push` do. */
function compiled(campaigns: number, times: number): Compiled {
  const document = new TextEncoder().encode(JSON.stringify(generate(campaigns))) as Uint8Array<ArrayBuffer>;
  let snapshot = new Uint8Array(0);
  const load = newRow("load", `${campaigns} campaigns`);
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    ({ snapshot } = compile(document, compiler));
    push(load, "compile_ms", performance.now() - began);
  }
  load.facts["bytes"] = snapshot.byteLength;
  return { load, document, snapshot };
}

/** Loads both forms of a catalog into the isolate. */
async function jobsOf(isolate: Isolate, { load, document, snapshot }: Compiled): Promise<Job[]> {
  const input = load.group;
  await isolate.ask("document", { input }, document);
  await isolate.ask("snapshot", { input }, snapshot);
  const parse = newRow("JSON.parse", input, { bytes: document.byteLength });
  return [load, parse].map((row) => ({ row, way: row.name, input }));
}
