//! `npm run bench -- decide`: whole decisions with 1,000 campaigns, beside a first day's bidder in TypeScript
//! (`peer.ts`) and beside V8's `JSON.parse` of the request.
//!
//! Ways take turns; each turn is one batch that holds every request of the mix (`requests/mix.ts`) at least once, so a
//! figure is a mean over the mix. `decide.allocs` is counted over three laps after as many that warm up, in the
//! benchmarks' module, which holds the bidder's code with a counting allocator. With cold caches, clearing them is
//! timed in the same turns and subtracted; differences of larger times are noisier than the other rows.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { MODULE } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { instructionChecks } from "../instructions/count.ts";
import { budgetChecks, shadingChecks } from "../instructions/features.ts";
import { ratio, timeChart, timeColumns, timeFigures, wasmVsNative } from "../ratios.ts";
import { mix } from "../requests/mix.ts";
import type { Rig } from "../rig.ts";
import { find, newRow, type Row, table, turnsOf } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { type Answers, expectFair } from "./answers.ts";
import { withCatalogs } from "./scale.ts";

const ROUNDS = 11;
const DECISIONS = 1_000_000;
const QUICK_DECISIONS = 20_000;
/** Decisions per HTTP request, so that no request runs too long. */
const DECISIONS_AT_ONCE = 20_000;

const BASE = "JSON.parse(string)";
const CAMPAIGNS = "c1000";
/** With it, a decision ends after the checks of the request as a whole. */
const NO_CAMPAIGNS = "c0";
const COLD = "with cold caches";

/** What takes turns: name, way of the Worker, catalog, group. */
const ROWS = [
  ["edgebid", "edgebid", CAMPAIGNS, ""],
  ["edgebid, no campaigns", "edgebid", NO_CAMPAIGNS, ""],
  ["edgebid's reader", "reader", NO_CAMPAIGNS, ""],
  ["copy", "copy", NO_CAMPAIGNS, ""],
  ["peer", "peer", CAMPAIGNS, ""],
  [BASE, BASE, NO_CAMPAIGNS, ""],
  ["sweeping", "sweeping", NO_CAMPAIGNS, COLD],
  [BASE, `swept: ${BASE}`, NO_CAMPAIGNS, COLD],
  ["edgebid", "swept: edgebid", CAMPAIGNS, COLD],
  ["edgebid's reader", "swept: reader", NO_CAMPAIGNS, COLD],
  ["peer", "swept: peer", CAMPAIGNS, COLD],
] as const;

export const decide: Suite = {
  name: "decide",
  summary: "whole decisions with 1,000 campaigns, beside a first day's bidder and JSON.parse",

  run({ quick }) {
    const requests = mix();
    const catalogs = { [CAMPAIGNS]: generate(1000), [NO_CAMPAIGNS]: generate(0) };
    return withCatalogs(requests, catalogs, async (rig) => {
      const answers = await rig.ask<Answers>("answers", { input: CAMPAIGNS, peer: CAMPAIGNS });
      expectFair(answers, requests.length);
      const counted = { way: "counting", input: CAMPAIGNS, laps: "3" };
      const allocations = await rig.ask<number>("count", counted);
      const jobs = ROWS.map(([name, way, input, group]) => ({ row: newRow(name, group), way, input }));
      const rows = withoutSweeping(await rig.measure(jobs, quick ? 1 : ROUNDS));
      const ours = find(rows, "edgebid");
      return {
        checks: {
          "decide.vs_json_parse_1000": ratio(ours, find(rows, BASE), "us"),
          "decide.cold_vs_json_parse_cold_1000": ratio(find(rows, "edgebid", COLD), find(rows, BASE, COLD), "us"),
          "decide.peer_vs_this": ratio(find(rows, "peer"), ours, "us"),
          "decide.wasm_vs_native": wasmVsNative(ours),
          "decide.allocs": allocations,
          "decide.memory_growth": await growth(rig, quick ? QUICK_DECISIONS : DECISIONS),
          "size.wasm_gzip_bytes": gzipSync(readFileSync(MODULE), { level: 9 }).length,
          ...instructionChecks(),
          ...budgetChecks(),
          ...shadingChecks(),
        },
        figures: timeFigures(rows, BASE),
        tables: [table("one request of the mix, mean", rows, timeColumns(rows, BASE, "JSON.parse"))],
        charts: {
          "decide.svg": timeChart(
            "Time of one whole decision with 1,000 campaigns, and of its parts",
            rows.filter(({ group }) => group === ""),
          ),
        },
        rows,
        answers,
      };
    });
  },
};

/** The rows with the time of clearing the caches subtracted. */
function withoutSweeping(rows: Row[]): Row[] {
  const sweeping = turnsOf(find(rows, "sweeping", COLD), "us");
  for (const { group, turns } of rows) {
    if (group === COLD) turns["us"] = (turns["us"] ?? []).map((us, turn) => us - (sweeping[turn] ?? Number.NaN));
  }
  return rows.filter(({ name }) => name !== "sweeping");
}

/** Growth of memory in bytes during so many decisions. */
async function growth({ ask }: Rig, decisions: number): Promise<number> {
  let bytes = 0;
  for (let done = 0; done < decisions; done += DECISIONS_AT_ONCE)
    bytes += await ask<number>("growth", { input: CAMPAIGNS, calls: `${DECISIONS_AT_ONCE}` });
  return bytes;
}
