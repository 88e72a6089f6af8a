//! `npm run bench -- pacing`: how well thousands of isolates keep to budgets, in a simulation with the shipped control
//! law. bench/README.md says what the simulation has and what it leaves out.

import { step } from "../../cli/process.mjs";
import { ROOT, TOOL_ENV } from "../../cli/tools.mjs";
import { buildProgram } from "../build.ts";
import type { Suite } from "../suite.ts";
import { dayChart, ruleChart } from "./chart.ts";
import { analysis, checks, figures, type Simulated, tables } from "./rows.ts";
import { runWorlds } from "./worlds.ts";

const CAMPAIGNS = 1000;
const QUICK_CAMPAIGNS = 50;
/** The seeds of the runs. */
const SEEDS = [1];

export const pacing: Suite = {
  name: "pacing",
  summary: "overspend, delivery and smoothness of 1,000 budgets over 6,000 isolates, simulated, beside two other rules",
  crates: [],

  async run({ quick, load }) {
    const program = await buildProgram("bench-pacing", "bench-pacing");
    if (load.worlds.length > 0) return runWorlds(program, load.worlds, load.campaigns ?? CAMPAIGNS);
    const campaigns = quick ? QUICK_CAMPAIGNS : CAMPAIGNS;
    const runs: Simulated[] = [];
    for (const seed of SEEDS) {
      const options = { cwd: ROOT, env: TOOL_ENV };
      const output = await step(`two days, seed ${seed}`, program, [`${campaigns}`, `${seed}`], options);
      runs.push(JSON.parse(output));
    }
    return {
      checks: checks(runs),
      analysis: analysis(runs),
      figures: figures(runs),
      tables: tables(runs),
      rows: runs,
    };
  },

  pictures(result) {
    if (result["worlds"] !== undefined) return {};
    const runs = result.rows as Simulated[];
    return { "pacing.svg": ruleChart(runs, result), "pacing-day.svg": dayChart(runs, result) };
  },
};
