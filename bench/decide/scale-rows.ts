//! Turns the measurements of `scale` into rows, checks, figures, a table and a sentence.

import { digits, median, quantile } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios, rounds } from "../turns.ts";
import type { Summary } from "./outcomes.ts";
import type { Series } from "./rig.ts";

/** Facts about a catalog other than the times of batches. */
export interface Measured extends Summary {
  name: string;
  campaigns: number;
  /** Wasm memory of an instance with the catalog. */
  memory_bytes: number;
  /** Median and 99th percentile of single decisions, natively, because the clock of workerd is too coarse for them. */
  spread_us?: [median: number, p99: number];
}

export interface Row extends Measured {
  /** Median of the turns in workerd, each the mean over the requests. */
  median_us: number;
  /** 99th percentile of the turns in workerd. */
  p99_us: number;
  /** Each turn gives the ratio to the catalog of 100 campaigns; this is the median of the ratios. */
  vs_c100: number;
  native_median_us: number;
  /** The time of each turn, in order. */
  turns_us: number[];
}

const BASE = "c100";

export function rows(all: Series[], measured: Measured[]): Row[] {
  const of = (name: string) => {
    const found = all.find(({ catalog }) => catalog === name);
    if (!found) throw new Error(`${name} was not measured`);
    return found;
  };
  const base = of(BASE).wasm;
  return measured.map((one) => {
    const { wasm, native } = of(one.name);
    return {
      ...one,
      median_us: median(wasm),
      p99_us: quantile(wasm, 0.99),
      vs_c100: median(ratios(wasm, base)),
      native_median_us: median(native),
      turns_us: wasm.map((value) => Number(value.toPrecision(4))),
    };
  });
}

export function checks(rows: Row[]): Record<string, number> {
  const of = (name: string) => {
    const found = rows.find((row) => row.name === name);
    if (!found) throw new Error(`${name} was not measured`);
    return found;
  };
  return {
    "scale.c50000_vs_c100": of("c50000").vs_c100,
    "scale.hostile_all_vs_c100": of("hostile-all").vs_c100,
    "scale.hostile_last_vs_c100": of("hostile-last").vs_c100,
  };
}

/** Each catalog's time relative to the catalog of 100 campaigns, and the time of that catalog in microseconds. */
export function figures(rows: Row[]): Figure[] {
  const base = rows.find(({ name }) => name === BASE)?.turns_us ?? [];
  return rows.map(({ name, turns_us }) => ({
    name,
    unit: name === BASE ? "µs" : `/ ${BASE}`,
    better: "less",
    rounds: rounds(name === BASE ? turns_us : ratios(turns_us, base)),
  }));
}

export function scaleTable(rows: Row[]): Table {
  const columns = [
    ..."campaigns;median;p99;/ c100;native;native p50;native p99".split(";"),
    ..."examined;bid rate;response;memory".split(";"),
  ];
  const us = (value: number | undefined) => (value === undefined ? "–" : `${digits(value)} µs`);
  const lines = rows.map((row) => [
    row.name.startsWith("hostile") ? row.name.replace("-", ": ") : String(row.campaigns),
    us(row.median_us),
    us(row.p99_us),
    digits(row.vs_c100),
    us(row.native_median_us),
    us(row.spread_us?.[0]),
    us(row.spread_us?.[1]),
    row.examined === null ? "–" : digits(row.examined),
    `${digits(100 * row.bid_rate)} %`,
    `${digits(row.response_bytes)} B`,
    `${digits(row.memory_bytes / 2 ** 20)} MiB`,
  ]);
  return { title: "one decision, mean over the mix", columns, rows: lines };
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[]): string {
  const [most, few] = [rows.find(({ name }) => name === "c50000"), rows.find(({ name }) => name === BASE)];
  const hostile = rows.filter(({ name }) => name.startsWith("hostile"));
  if (!most || !few) throw new Error("a catalog is missing");
  return (
    `with 50,000 campaigns a decision takes ${digits(most.median_us)} µs on average over the mix, ${digits(most.vs_c100)} times ` +
    `as long as with 100 (${digits(few.median_us)} µs); the worst hostile catalog makes it ` +
    `${digits(Math.max(...hostile.map(({ vs_c100 }) => vs_c100)))} times as long.`
  );
}
