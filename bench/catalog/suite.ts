//! `npm run bench -- catalog`: validates and compiles a catalog where it is pushed, and loads it where it serves.
//! For comparison it also measures `JSON.parse` of the same document.
//!
//! Most of *load* is the first touch of fresh memory: the system handles a page fault for every 4 KB. JavaScript parses
//! into memory that was touched before.

import { compiler } from "../../cli/module.ts";
import { compile } from "../../shared/catalog/compile.ts";
import { generate } from "../catalogs/generate.ts";
import { ratio, timeColumns, timeFigures } from "../ratios.ts";
import { type Job, type Rig, withRig } from "../rig.ts";
import { fact, find, middle, newRow, push, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { megabytes, ms } from "../units.ts";

const COUNTS = [10, 1000, 10_000, 50_000];
const ROUNDS = 5;
/** Each compilation takes seconds, so there are few. Each uses a new instance of the module, like the command. */
const COMPILES = 3;

export const catalog: Suite = {
  name: "catalog",
  summary: "compiling and loading catalogs of 10 to 50,000 campaigns, beside JSON.parse",

  run({ quick }) {
    return withRig({ worker: new URL("worker.ts", import.meta.url) }, async (rig) => {
      const jobs: Job[] = [];
      for (const count of COUNTS) jobs.push(...(await jobsOf(rig, count, quick ? 1 : COMPILES)));
      const rows = await rig.measure(jobs, quick ? 1 : ROUNDS);
      const [load, parse] = [find(rows, "load", "10000 campaigns"), find(rows, "JSON.parse", "10000 campaigns")];
      return {
        checks: {
          "catalog.load_vs_json_parse_10000": ratio(load, parse, "us"),
          "catalog.compile_ms_10000": middle("compile_ms")(load) ?? Number.NaN,
          "catalog.snapshot_vs_document_10000": (load.facts["bytes"] ?? 0) / (parse.facts["bytes"] ?? 0),
        },
        figures: timeFigures(rows, "JSON.parse", 1),
        tables: [
          table("catalogs, from the document to a bidder", rows, [
            ...timeColumns(rows, "JSON.parse"),
            ["size", fact("bytes"), megabytes],
            ["compiling it", middle("compile_ms"), ms],
          ]),
        ],
        rows,
      };
    });
  },
};

/** Compiles in this process, as `edgebid catalog validate` and `push` do, and takes both forms to the isolate. */
async function jobsOf({ ask }: Rig, campaigns: number, times: number): Promise<Job[]> {
  const document = new TextEncoder().encode(JSON.stringify(generate(campaigns)));
  const input = `${campaigns} campaigns`;
  const [load, parse] = [newRow("load", input), newRow("JSON.parse", input, { bytes: document.byteLength })];
  let snapshot = new Uint8Array(0);
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    ({ snapshot } = compile(document, compiler));
    push(load, "compile_ms", performance.now() - began);
  }
  load.facts["bytes"] = snapshot.byteLength;
  await ask("document", { input }, document);
  await ask("snapshot", { input }, snapshot);
  return [load, parse].map((row) => ({ row, way: row.name, input }));
}
