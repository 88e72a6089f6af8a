//! `npm run bench -- pacing`: how well thousands of isolates keep to budgets, in a simulation with the shipped control
//! law. bench/README.md describes the simulation and its limits.

import { buildProgram } from "../build.ts";
import { fact, find, newRow, type Row, table } from "../rows.ts";
import { median } from "../statistics.ts";
import type { Suite } from "../suite.ts";
import { percent, whole } from "../units.ts";
import { age, type Day, LARGE, overspend, simulate } from "./simulation.ts";
import { runWorlds } from "./worlds.ts";

const CAMPAIGNS = 1000;
const QUICK_CAMPAIGNS = 50;

/** The checks about rules: the row, and the fact in it. */
const CHECKS: [check: string, row: string, fact: string][] = [
  ["pacing.overspend_max_100", "edgebid", "over"],
  ["pacing.overspend_max_5", "edgebid", "over_small"],
  ["pacing.delivery_min", "edgebid", "least"],
  ["pacing.smoothness", "edgebid", "off_plan"],
  ["pacing.smoothness_worst", "edgebid", "off_plan_worst"],
  ["pacing.overspend_max_100_first_day", "edgebid, first day", "over"],
  ["pacing.overspend_max_5_first_day", "edgebid, first day", "over_small"],
  ["pacing.delivery_min_first_day", "edgebid, first day", "least"],
  ["pacing.stop_flag_overspend_max_100", "stop flag", "over"],
  ["pacing.stop_flag_overspend_max_5", "stop flag", "over_small"],
];

export const pacing: Suite = {
  name: "pacing",
  summary: "overspend, delivery and smoothness of 1,000 budgets over 6,000 isolates, simulated, beside a stop flag",

  async run({ quick, load }) {
    const program = await buildProgram("bench-pacing");
    if (load.worlds.length > 0) return runWorlds(program, load.worlds, load.campaigns ?? CAMPAIGNS);
    const campaigns = quick ? QUICK_CAMPAIGNS : CAMPAIGNS;
    const run = await simulate(program, campaigns);
    const rows = run.days.map(({ rule, day, campaigns }) =>
      newRow(day === 0 ? `${rule}, first day` : rule, "", summary(campaigns)),
    );
    const { bills, refused, tick_ms, saved_bytes, seconds } = run;
    return {
      checks: {
        ...Object.fromEntries(CHECKS.map(([check, row, name]) => [check, find(rows, row).facts[name] ?? Number.NaN])),
        "pacing.age_p99_s": age(run, 0.99),
        "pacing.age_max_s": age(run, 1),
        "pacing.tick_ms": tick_ms,
        "pacing.saved_bytes": saved_bytes,
      },
      // One run has no rounds to compare.
      figures: [],
      tables: [
        table(
          `${campaigns.toLocaleString("en")} campaigns, ${whole(bills)} bills, ${whole(refused)} notices that came again`,
          rows,
          [
            ["overspend, $100 and more", fact("over"), percent],
            ["overspend, under $100", fact("over_small"), percent],
            ["least delivery", fact("least"), percent],
            ["mean delivery", fact("mean"), percent],
            ["off plan, median", fact("off_plan"), percent],
            ["off plan, worst", fact("off_plan_worst"), percent],
          ],
          "rule",
        ),
      ],
      charts: {
        "pacing.svg": {
          title: "Budgets over 6,000 isolates, simulated",
          note: "the worst campaign of each rule; bursts, late bills, outages and dead relays are in it",
          rows,
          panels: [
            ["overspend, $100 and more", fact("over"), percent],
            ["overspend, under $100", fact("over_small"), percent],
            ["least delivery", fact("least"), percent],
            ["off plan, median", fact("off_plan"), percent],
          ],
        },
      },
      rows,
      seconds,
    };
  },
};

/**
 * The results of a rule on a day, as parts of the budget, or of the spend that the requests allowed. Off plan: see
 * `outcome.rs`.
 */
function summary(campaigns: Day[]): Row["facts"] {
  const large = campaigns.filter(({ budget }) => budget >= LARGE);
  const small = campaigns.filter(({ budget }) => budget < LARGE);
  const delivered = campaigns.map(({ delivery }) => delivery);
  const deviations = large.flatMap(({ deviation }) => deviation ?? []);
  return {
    over: overspend(large, 0),
    over_small: overspend(small, 1),
    least: Math.min(...delivered),
    mean: delivered.reduce((sum, part) => sum + part, 0) / delivered.length,
    off_plan: median(deviations),
    off_plan_worst: Math.max(...deviations),
  };
}
