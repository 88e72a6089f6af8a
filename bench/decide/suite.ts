//! `npm run bench -- decide`: whole decisions with 1,000 campaigns, beside the TypeScript twin and beside V8's
//! `JSON.parse` of the request.
//!
//! The suite first checks that the twin makes edgebid's bids. Ways take turns; each turn is one batch that holds every
//! request of the mix (`requests/mix.ts`) at least once, so a figure is a mean over the mix.
//! `decide.twin_vs_this_1000` times the twin from text to text, without the decoding and encoding that edgebid's time
//! includes. `decide.allocs` is counted over three laps after a warm-up lap, in the readers' module, which holds the
//! bidder's code with a counting allocator.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { generate } from "../catalogs/generate.ts";
import { budgetChecks } from "../instructions/budgets.ts";
import { instructionChecks } from "../instructions/count.ts";
import { Progress } from "../progress.ts";
import { mix } from "../requests/mix.ts";
import type { Suite } from "../suite.ts";
import { chart } from "./chart.ts";
import { expectSameBids, summarize } from "./outcomes.ts";
import { NOTHING_WRITTEN, Rig, series } from "./rig.ts";
import { analysis, CATALOG, checks, decideTable, figures, NO_CAMPAIGNS, type Row, rows } from "./rows.ts";
import { sweptChecks, sweptFigures, sweptRows, sweptSeries, sweptTable } from "./swept.ts";

const TURNS = 55;
const QUICK_TURNS = 5;
const DECISIONS = 1_000_000;
const QUICK_DECISIONS = 20_000;
/** Decisions per HTTP request, so that no request runs too long. */
const DECISIONS_AT_ONCE = 100_000;

const MODULE = new URL("../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", import.meta.url);

/** The ways that take turns. */
const WAYS = [
  ["edgebid", CATALOG],
  ["edgebid", NO_CAMPAIGNS],
  [NOTHING_WRITTEN, CATALOG],
  ["edgebid's reader", NO_CAMPAIGNS],
  ["copy", NO_CAMPAIGNS],
  ["twin, text to text", CATALOG],
  ["twin, bytes to bytes", CATALOG],
  ["JSON.parse(string)", NO_CAMPAIGNS],
] as const;

export const decide: Suite = {
  name: "decide",
  summary: "whole decisions with 1,000 campaigns, beside the TypeScript twin and JSON.parse",

  async run({ quick }) {
    const progress = new Progress();
    const requests = mix();
    const catalog = { name: CATALOG, document: JSON.stringify(generate(1000)) };
    const empty = { name: NO_CAMPAIGNS, document: JSON.stringify(generate(0)) };
    const rig = await Rig.start(requests, [catalog, empty], progress);
    try {
      await rig.makeTwin(catalog);
      const seen = await rig.answers("edgebid", CATALOG);
      expectSameBids(seen, await rig.answers("twin, text to text", CATALOG), requests);
      const allocations = await rig.allocations(catalog.document);
      const all = WAYS.map(([way, catalog]) => series(way, catalog));
      const swept = sweptSeries();
      await rig.warm([...all, ...swept], progress);
      await rig.measure([...all, ...swept], quick ? QUICK_TURNS : TURNS, progress);
      const growth = await grown(rig, quick ? QUICK_DECISIONS : DECISIONS, progress);
      const facts = {
        ...summarize(seen),
        allocations,
        growth,
        gzip: gzipSync(readFileSync(MODULE), { level: 9 }).length,
      };
      const found = rows(all, facts);
      const cold = sweptRows(swept);
      return {
        checks: { ...checks(found, facts), ...sweptChecks(cold), ...instructionChecks(), ...budgetChecks() },
        analysis: analysis(found, facts),
        figures: [...figures(all), ...sweptFigures(swept)],
        tables: [decideTable(found), sweptTable(cold)],
        rows: found,
        swept: cold,
        requests: { count: requests.length, bytes: requests.join("").length },
      };
    } finally {
      await rig.stop();
    }
  },

  pictures: (result) => ({ "decide.svg": chart(result.rows as Row[], result) }),
};

/** Growth of memory in bytes during the decisions. */
async function grown(rig: Rig, decisions: number, progress: Progress): Promise<number> {
  let bytes = 0;
  for (let done = 0; done < decisions; done += DECISIONS_AT_ONCE) {
    progress.show(done, decisions, "deciding without a clock, for the growth of memory");
    bytes += await rig.growth(CATALOG, Math.min(DECISIONS_AT_ONCE, decisions - done));
  }
  progress.end();
  return bytes;
}
