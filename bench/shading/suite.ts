//! `npm run bench -- shading`: what bids earn with learned shading, beside other ways, against simulated rivals or in
//! recorded auctions. bench/README.md describes the simulation and its limits.

import { step } from "../../build/process.mjs";
import { TOOL_ENV } from "../../build/tools.mjs";
import { type Comparison, comparisonsOf } from "../../shared/report/comparison.ts";
import type { Row as ReportRow } from "../../shared/report/rows.ts";
import { DAY_MS } from "../../shared/time/days.ts";
import { buildProgram } from "../build.ts";
import { fact, newRow, type Row, table } from "../rows.ts";
import type { Suite } from "../suite.ts";
import { percent } from "../units.ts";

const AUCTIONS = 100_000;
const QUICK_AUCTIONS = 20_000;
const SEED = 1;
/** The simulations of the control group. */
const SEEDS = 100;
const QUICK_SEEDS = 30;
/** Two half-lives of notices after the prices of the world `jump` rise, in hours. */
const RECOVERED = 36;

interface Group {
  bids: number;
  wins: number;
  spend: number;
}

/** An hour of a way. `bench/shading/src/main.rs` documents the members. */
interface Hour {
  shaded: Group;
  surplus: number;
  control: Group;
  all_shaded: Group;
  all_control: Group;
}

interface Run {
  world: string;
  way: string;
  hours: Hour[];
}

export const shading: Suite = {
  name: "shading",
  summary: "surplus, win rate and price of bids with learned shading, beside other ways to shade, simulated",

  async run({ quick, load }) {
    const program = await buildProgram("bench-shading");
    const args = [
      `${quick ? QUICK_AUCTIONS : AUCTIONS}`,
      `${SEED}`,
      ...(load.auctions === undefined ? [] : [load.auctions]),
    ];
    const simulated = async (what: string, args: string[]): Promise<Run[]> =>
      JSON.parse(await step(what, program, args, { cwd: process.cwd(), env: TOOL_ENV }));
    const runs = await simulated("simulating two days", args);
    const controls = await simulated("simulating control groups", [
      `${QUICK_AUCTIONS}`,
      "control",
      `${quick ? QUICK_SEEDS : SEEDS}`,
    ]);
    const rows = runs.map((run) => newRow(run.way, run.world, factsOf(run, runs)));
    const ours = (way: string, name: string) =>
      rows.filter((row) => row.name === way).map((row) => row.facts[name] ?? Number.NaN);
    return {
      checks: {
        ...checksOf("shading.", (name) => ours("edgebid", name)),
        ...checksOf("shading.untold_", (name) => ours("edgebid, untold", name)),
        ...(load.auctions === undefined && { "shading.recovered": recovered(runs) }),
        "shading.control_win_rate_held": held(controls, "win rate"),
        "shading.control_cpm_held": held(controls, "CPM"),
      },
      // One run has no rounds to compare.
      figures: [],
      tables: [
        table(
          "the second day",
          rows,
          [
            ["surplus / clairvoyant", fact("vs_clairvoyant"), percent],
            ["surplus / best flat", fact("vs_flat"), percent],
            ["win rate", fact("wins"), percent],
            ["impressions for the same money", fact("impressions")],
            ["hours until it earns that", fact("hours")],
          ],
          "way",
        ),
      ],
      charts: {
        "shading.svg": {
          title: "Ways to shade bids, simulated",
          note: "the mean of all worlds on the second day; the surplus is what the impressions are worth beyond their price",
          rows: means(rows),
          panels: [
            ["surplus / clairvoyant", fact("vs_clairvoyant"), percent],
            ["surplus / best flat", fact("vs_flat"), percent],
            ["impressions, same money", fact("impressions")],
          ],
        },
      },
      rows,
    };
  },
};

/** The checks of one way. Each is the worst world's. */
function checksOf(prefix: string, ours: (fact: string) => number[]): Record<string, number> {
  return {
    [`${prefix}surplus_vs_clairvoyant`]: Math.min(...ours("vs_clairvoyant")),
    [`${prefix}surplus_vs_flat`]: Math.min(...ours("vs_flat")),
    [`${prefix}surplus_vs_pair`]: Math.min(...ours("vs_pair")),
    [`${prefix}hours`]: Math.max(...ours("hours")),
  };
}

/** The second day of a run beside others in the same world. Bids of the control group do not count. */
function factsOf({ world, way, hours }: Run, runs: Run[]): Row["facts"] {
  const other = (name: string) => runs.find((run) => run.world === world && run.way === name)?.hours ?? [];
  const own = hours.slice(24);
  const vs = (name: string) => earned(own) / earned(other(name).slice(24));
  const [all, none] = [own, other("none").slice(24)].map((day) => sum(day, "shaded")) as [Group, Group];
  const isWhole = all.wins > 0 && way !== "best flat";
  return {
    vs_clairvoyant: vs("clairvoyant"),
    vs_flat: vs("best flat"),
    vs_pair: vs("the buyer's pair"),
    wins: isWhole ? all.wins / all.bids : null,
    impressions: isWhole ? all.wins / all.spend / (none.wins / none.spend) : null,
    hours: way.startsWith("edgebid") ? untilEarned(hours, earned(own)) : null,
  };
}

/** Surplus of a bid that is not of the control group. */
function earned(hours: Hour[]): number {
  return hours.reduce((all, { surplus }) => all + surplus, 0) / sum(hours, "shaded").bids;
}

/** The first hour that earns 95 % of the second day's mean. */
function untilEarned(hours: Hour[], mean: number): number {
  return hours.findIndex((hour) => earned([hour]) >= 0.95 * mean);
}

/** The surplus from two half-lives after the jump of prices on / that of the best flat bid. */
function recovered(runs: Run[]): number {
  const hours = (name: string) => runs.find(({ world, way }) => world === "jump" && way === name)?.hours ?? [];
  return earned(hours("edgebid").slice(RECOVERED)) / earned(hours("best flat").slice(RECOVERED));
}

function sum(hours: Hour[], group: Exclude<keyof Hour, "surplus">): Group {
  const of = (name: keyof Group) => hours.reduce((all, hour) => all + hour[group][name], 0);
  return { bids: of("bids"), wins: of("wins"), spend: of("spend") };
}

/** The part of the runs in which the interval of `edgebid report --shading` holds the true difference. */
function held(runs: Run[], what: Comparison["what"]): number {
  const rate = ({ bids, wins, spend }: Group) => (what === "CPM" ? spend / wins : wins / bids);
  const isHeld = ({ hours }: Run) => {
    const truth = rate(sum(hours, "all_shaded")) / rate(sum(hours, "all_control")) - 1;
    const rows = hours.flatMap((hour, at) => [rowOf(at, "unshaded", hour.control), rowOf(at, "", hour.shaded)]);
    const interval = comparisonsOf(rows, ["unshaded", ""]).find((one) => one.what === what)?.interval;
    return interval !== null && interval !== undefined && interval.low <= truth && truth <= interval.high;
  };
  return runs.filter(isHeld).length / runs.length;
}

/** An hour of a group as the report has it. Money is for 1,000 impressions. */
function rowOf(at: number, version: string, { bids, wins, spend }: Group): ReportRow {
  const hour = new Date(DAY_MS + at * (DAY_MS / 24)).toISOString();
  const unused = { cur: "USD", losses: {}, assumed: 0, spend: "0", win_rate: "", price: "", refused: {}, differs: {} };
  const spend_usd = (spend / 1000).toFixed(9);
  return { ...unused, day: hour.slice(0, 10), hour, version, bids, wins, billed: wins, spend_usd };
}

/** The mean of each way over all worlds. */
function means(rows: Row[]): Row[] {
  const mean = (values: (number | null | undefined)[]) => {
    const known = values.filter((value) => typeof value === "number");
    return known.length > 0 ? known.reduce((all, value) => all + value, 0) / known.length : null;
  };
  return [...new Set(rows.map(({ name }) => name))].map((name) => {
    const own = rows.filter((row) => row.name === name);
    const facts = ["vs_clairvoyant", "vs_flat", "impressions"].map((fact) => [
      fact,
      mean(own.map(({ facts }) => facts[fact])),
    ]);
    return newRow(name, "", Object.fromEntries(facts));
  });
}
