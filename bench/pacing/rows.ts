//! Turns the outcome of the simulation into checks, figures, tables and a sentence.

import { digits, median, quantile } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";

/** One campaign on one day, in dollars. `bench/pacing/src/outcome.rs` documents the members. */
export interface Day {
  cid: string;
  budget: number;
  is_asap: boolean;
  has_curve: boolean;
  reach: number;
  impression: number;
  spent: number;
  possible: number;
  delivery: number;
  deviation: number | null;
}

/** A rule on one day; day 1 is the second. */
export interface RuleDay {
  rule: "edgebid" | "stop flag" | "leases";
  day: number;
  campaigns: Day[];
}

/** The output of the program. */
export interface Simulated {
  campaigns: number;
  seed: number;
  days: RuleDay[];
  ages: number[];
  bills: number;
  refused: number;
  tick_ms: number;
  saved_bytes: number;
  seconds: number;
  charts: { cid: string; what: string; spent: number[]; planned: number[]; begin_s: number }[];
  faults: { what: string; begin_s: number; end_s: number }[];
}

/** What a rule did on a day. Parts of the budget, or of what the requests allowed. */
export interface Summary {
  name: string;
  /** Campaigns of at least $100 a day. */
  overspend100: number;
  /** Smaller campaigns, beyond one impression. */
  overspend5: number;
  least: number;
  mean: number;
  under: number;
  /** Median and worst deviation of a quarter of an hour from the plan, campaigns of at least $100; none for leases. */
  smooth: number | null;
  roughest: number | null;
}

const LARGE = 100;

export function summary({ rule, day, campaigns }: RuleDay): Summary {
  const large = campaigns.filter(({ budget }) => budget >= LARGE);
  const small = campaigns.filter(({ budget }) => budget < LARGE);
  const over = (spent: number, budget: number) => Math.max(0, spent / budget - 1);
  const delivered = campaigns.map(({ delivery }) => delivery);
  const deviations = large.flatMap(({ deviation }) => (deviation === null ? [] : [deviation]));
  return {
    name: day === 0 ? `${rule}, first day` : rule,
    overspend100: Math.max(0, ...large.map(({ spent, budget }) => over(spent, budget))),
    overspend5: Math.max(0, ...small.map(({ spent, budget, impression }) => over(spent - impression, budget))),
    least: Math.min(...delivered),
    mean: delivered.reduce((sum, part) => sum + part, 0) / delivered.length,
    under: delivered.filter((part) => part < 0.97).length,
    smooth: deviations.length > 0 ? median(deviations) : null,
    roughest: deviations.length > 0 ? Math.max(...deviations) : null,
  };
}

/** The same of all runs: the worst of each figure, and the median of the smoothness. */
export function worst(runs: Simulated[]): Summary[] {
  const all = runs.map(({ days }) => days.map(summary));
  return (all[0] ?? []).map((first, at) => {
    const same = all.map((of) => of[at] ?? first);
    const values = (of: (one: Summary) => number | null) => same.flatMap((one) => of(one) ?? []);
    return {
      name: first.name,
      overspend100: Math.max(...values((one) => one.overspend100)),
      overspend5: Math.max(...values((one) => one.overspend5)),
      least: Math.min(...values((one) => one.least)),
      mean: median(values((one) => one.mean)),
      under: Math.max(...values((one) => one.under)),
      smooth: first.smooth === null ? null : median(values((one) => one.smooth)),
      roughest: first.roughest === null ? null : Math.max(...values((one) => one.roughest)),
    };
  });
}

export function checks(runs: Simulated[]): Record<string, number> {
  const found = worst(runs);
  const of = (name: string) => found.find((one) => one.name === name);
  const [ours, first, stop, leases] = ["edgebid", "edgebid, first day", "stop flag", "leases"].map(of);
  return {
    "pacing.overspend_max_100": ours?.overspend100 ?? Number.NaN,
    "pacing.overspend_max_5": ours?.overspend5 ?? Number.NaN,
    "pacing.delivery_min": ours?.least ?? Number.NaN,
    "pacing.smoothness": ours?.smooth ?? Number.NaN,
    "pacing.smoothness_worst": ours?.roughest ?? Number.NaN,
    "pacing.overspend_max_100_first_day": first?.overspend100 ?? Number.NaN,
    "pacing.overspend_max_5_first_day": first?.overspend5 ?? Number.NaN,
    "pacing.delivery_min_first_day": first?.least ?? Number.NaN,
    "pacing.stop_flag_overspend_max_100": stop?.overspend100 ?? Number.NaN,
    "pacing.stop_flag_overspend_max_5": stop?.overspend5 ?? Number.NaN,
    "pacing.leases_delivery_mean": leases?.mean ?? Number.NaN,
    "pacing.age_p99_s": age(runs, 0.99),
    "pacing.age_max_s": age(runs, 1),
    "pacing.tick_ms": median(runs.map(({ tick_ms }) => tick_ms)),
  };
}

/** A percentile of the age in seconds of the shares in use. */
export function age(runs: Simulated[], part: number): number {
  const counts = runs.reduce<number[]>((sum, { ages }) => ages.map((count, at) => count + (sum[at] ?? 0)), []);
  const all = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= part * all;
  });
}

export function figures(runs: Simulated[]): Figure[] {
  const ours = runs.map(({ days }) => days.map(summary).find(({ name }) => name === "edgebid"));
  const rounds = (of: (one: Summary) => number | null) => ours.flatMap((one) => (one ? (of(one) ?? []) : []));
  return [
    { name: "delivery, least", unit: "part", better: "more", rounds: rounds(({ least }) => least) },
    { name: "deviation from the plan, median", unit: "part", better: "less", rounds: rounds(({ smooth }) => smooth) },
  ];
}

export function tables(runs: Simulated[]): Table[] {
  const { campaigns = 0 } = runs[0] ?? {};
  const percent = (value: number | null) => (value === null ? "–" : `${digits(value * 100)} %`);
  const rules: Table = {
    title: `${campaigns.toLocaleString("en")} campaigns, the worst of ${runs.length} runs`,
    columns: [
      "rule",
      "overspend, $100 and more",
      "overspend, under $100",
      "least delivery",
      "mean delivery",
      "under 97 %",
      "off plan, median",
      "off plan, worst",
    ],
    rows: worst(runs).map((one) => [
      one.name,
      percent(one.overspend100),
      percent(one.overspend5),
      percent(one.least),
      percent(one.mean),
      one.under.toLocaleString("en"),
      percent(one.smooth),
      percent(one.roughest),
    ]),
  };
  const of = (name: string, values: number[]) => [name, ...[0.5, 1].map((part) => digits(quantile(values, part)))];
  const costs: Table = {
    title: "the runs",
    columns: ["what", "median", "most"],
    rows: [
      of(
        "a tick of the pacer, natively, in ms",
        runs.map(({ tick_ms }) => tick_ms),
      ),
      of(
        "a saved state, in KB",
        runs.map(({ saved_bytes }) => saved_bytes / 1024),
      ),
      of(
        "bills booked, in millions",
        runs.map(({ bills }) => bills / 1e6),
      ),
      of(
        "notices that came again, in millions",
        runs.map(({ refused }) => refused / 1e6),
      ),
      of(
        "a run, in s",
        runs.map(({ seconds }) => seconds),
      ),
      ["age of the shares in use, in s", `${age(runs, 0.5)}`, `${age(runs, 1)}`],
    ],
  };
  return [rules, costs];
}

export function analysis(runs: Simulated[]): string {
  const [ours, stop, leases] = ["edgebid", "stop flag", "leases"].map((name) =>
    worst(runs).find((one) => one.name === name),
  );
  const percent = (value = Number.NaN) => `${digits(value * 100)} %`;
  return `On the second day, the worst campaign of at least $100 spends ${percent(ours?.overspend100)} more than its budget, a smaller one ${percent(ours?.overspend5)} and one impression; with a stop flag ${percent(stop?.overspend100)} and ${percent(stop?.overspend5)}. The least delivery is ${percent(ours?.least)}; leases deliver ${percent(leases?.mean)} on average. Shares in use are ${age(runs, 0.5)} s old in the median, ${age(runs, 1)} s at most.`;
}
