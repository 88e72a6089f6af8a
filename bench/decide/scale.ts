//! `npm run bench -- scale`: whole decisions with 10 to 50,000 campaigns, and with two catalogs that are hard for an
//! index. Large catalogs exceed the processor's caches, the requests do not.

import { save } from "../build.ts";
import { type Document, generate } from "../catalogs/generate.ts";
import { everythingMatches, onlyTheLastMatches } from "../catalogs/hostile.ts";
import { ratio, timeChart, timeColumns, timeFigures } from "../ratios.ts";
import { mix } from "../requests/mix.ts";
import { ZONES } from "../requests/now.ts";
import { type Rig, withRig } from "../rig.ts";
import { type Column, fact, find, newRow, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { megabytes, percent } from "../units.ts";
import { type Answers, expectFair } from "./answers.ts";

const ROUNDS = 11;
/** Takes every fifth request of the mix, so that even the slowest catalog decides on each request in every turn. */
const EVERY = 5;
const BASE = "c100";
const COUNTS = [10, 100, 1000, 10_000, 50_000];

const COLUMNS: Column[] = [
  ["examined", fact("examined")],
  ["bid rate", fact("bid_rate"), percent],
  ["response bytes", fact("response_bytes")],
  ["memory", fact("memory_bytes"), megabytes],
];

export const scale: Suite = {
  name: "scale",
  summary: "whole decisions with 10 to 50,000 campaigns, and with hostile catalogs",

  run({ quick }) {
    const requests = mix().filter((_, at) => at % EVERY === 0);
    const catalogs = {
      ...Object.fromEntries(COUNTS.map((count) => [`c${count}`, generate(count)])),
      "hostile-all": everythingMatches(50_000),
      "hostile-last": onlyTheLastMatches(50_000),
    };
    return withCatalogs(requests, catalogs, async (rig, memory) => {
      const jobs = [];
      for (const name of Object.keys(catalogs)) {
        const answers = await rig.ask<Answers>("answers", { input: name });
        // With a hostile catalog, the measurement includes the limit on work.
        if (!name.startsWith("hostile")) expectFair(answers, requests.length);
        const facts = { ...answers, memory_bytes: memory[name] ?? null };
        jobs.push({ row: newRow(name, "", facts), way: "edgebid", input: name });
      }
      const rows = await rig.measure(jobs, quick ? 1 : ROUNDS);
      const vsBase = (name: string) => ratio(find(rows, name), find(rows, BASE), "us");
      return {
        checks: {
          "scale.c50000_vs_c100": vsBase("c50000"),
          "scale.hostile_all_vs_c100": vsBase("hostile-all"),
          "scale.hostile_last_vs_c100": vsBase("hostile-last"),
        },
        figures: timeFigures(rows, BASE),
        tables: [table("one decision, mean over the mix", rows, [...timeColumns(rows, BASE), ...COLUMNS], "campaigns")],
        charts: {
          "scale.svg": timeChart("Time of one decision by the number of campaigns", rows, [
            ["candidates examined", fact("examined")],
          ]),
        },
        rows,
      };
    });
  },
};

/** Runs with these requests and catalogs on both sides. `memory`: bytes of Wasm memory with each catalog. */
export async function withCatalogs<T>(
  requests: string[],
  catalogs: Record<string, Document>,
  run: (rig: Rig, memory: Record<string, number>) => Promise<T>,
): Promise<T> {
  const documents = Object.entries(catalogs).map(([name, catalog]) => [name, JSON.stringify(catalog)] as const);
  const files = [
    save("zones.json", JSON.stringify(ZONES)),
    save("mix.ndjson", requests.join("\n")),
    ...documents.map(([name, document]) => save(`${name}.json`, document)),
  ];
  const native = { suite: "decide", files, inputs: Object.keys(catalogs) };
  return withRig({ worker: new URL("worker.ts", import.meta.url), native }, async (rig) => {
    await rig.ask("mix", {}, requests.join("\n"));
    const memory: Record<string, number> = {};
    for (const [name, document] of documents) memory[name] = await rig.ask("catalog", { input: name }, document);
    return run(rig, memory);
  });
}
