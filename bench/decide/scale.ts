//! `npm run bench -- scale`: whole decisions with 10 to 50,000 campaigns, and with two catalogs that are hard for an
//! index. Large catalogs exceed the processor's caches, the requests do not.

import { generate } from "../catalogs/generate.ts";
import { everythingMatches, onlyTheLastMatches } from "../catalogs/hostile.ts";
import { mix } from "../requests/mix.ts";
import { measure, TURNS_A_ROUND } from "../rig.ts";
import { at, fact, figures, find, megabytes, middle, newRow, percent, ratio, table, us, versus } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { type Answers, expectFair } from "./answers.ts";
import { withSides } from "./rig.ts";

const ROUNDS = 11;
/** Takes every fifth request of the mix, so that even the slowest catalog decides on each request in every turn. */
const EVERY = 5;
const BASE = "c100";

const CATALOGS = [
  ...[10, 100, 1000, 10_000, 50_000].map((count) => ({ name: `c${count}`, make: () => generate(count) })),
  { name: "hostile-all", make: () => everythingMatches(50_000) },
  { name: "hostile-last", make: () => onlyTheLastMatches(50_000) },
];

export const scale: Suite = {
  name: "scale",
  summary: "whole decisions with 10 to 50,000 campaigns, and with hostile catalogs",

  run({ quick }) {
    const requests = mix().filter((_, at) => at % EVERY === 0);
    const catalogs = CATALOGS.map(({ name, make }) => ({ name, document: JSON.stringify(make()) }));
    return withSides(requests, catalogs, async ({ isolate, native, memoryBytes }) => {
      const jobs = [];
      for (const { name } of catalogs) {
        const answers = await isolate.ask<Answers>("answers", { input: name });
        // With a hostile catalog, the limit on work is part of what is measured.
        if (!name.startsWith("hostile")) expectFair(answers, requests.length);
        const facts = { ...answers, memory_bytes: memoryBytes.get(name) ?? null };
        jobs.push({ row: newRow(name, "", facts), way: "edgebid", input: name });
      }
      await measure(jobs, isolate, native, quick ? 1 : ROUNDS);
      const rows = jobs.map(({ row }) => row);
      const vsBase = (name: string) => ratio(find(rows, name), find(rows, BASE), "us");
      return {
        checks: {
          "scale.c50000_vs_c100": vsBase("c50000"),
          "scale.hostile_all_vs_c100": vsBase("hostile-all"),
          "scale.hostile_last_vs_c100": vsBase("hostile-last"),
        },
        figures: figures(rows, "us", { unit: "µs", better: "less", base: BASE, turnsARound: TURNS_A_ROUND }),
        tables: [
          table(
            "one decision, mean over the mix",
            rows,
            [
              ["median", middle("us"), us],
              ["p99", at(0.99, "us"), us],
              ["/ c100", versus(rows, BASE, "us")],
              ["native", middle("native_us"), us],
              ["examined", fact("examined")],
              ["bid rate", fact("bid_rate"), percent],
              ["response bytes", fact("response_bytes")],
              ["memory", fact("memory_bytes"), megabytes],
            ],
            "campaigns",
          ),
        ],
        charts: {
          "scale.svg": {
            title: "Time of one decision by the number of campaigns",
            note: "mean over the mix of requests, medians of the turns; shorter is faster",
            rows,
            panels: [
              ["in workerd", middle("us"), us],
              ["natively", middle("native_us"), us],
              ["candidates examined", fact("examined")],
            ],
          },
        },
        rows,
      };
    });
  },
};
