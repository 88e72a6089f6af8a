//! Turns the measurements of `decide` into rows, checks, figures, a table and a sentence.

import { digits, median, quantile } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios, rounds } from "../turns.ts";
import type { Summary } from "./outcomes.ts";
import type { Series } from "./rig.ts";

export interface Row {
  way: string;
  catalog: string;
  /** Median of the turns in workerd, each the mean over the mix; null if the way runs natively only. */
  median_us: number | null;
  /** 99th percentile of the turns in workerd. */
  p99_us: number | null;
  /** Each turn gives the ratio to `JSON.parse(string)`; this is the median of the ratios. */
  vs_json_parse: number | null;
  native_median_us: number | null;
  /** Each turn gives the time in Wasm divided by the native time; this is the median of the ratios. */
  wasm_vs_native: number | null;
  /** Null unless the way is the whole decision with campaigns. */
  facts: Facts | null;
  /** The time of each turn, in order. */
  turns_us: number[];
}

export interface Facts extends Summary {
  /** Allocations per decision, when warm. */
  allocations: number | null;
  /** Growth of Wasm memory in bytes during all the decisions. */
  growth: number;
  /** Size of the compressed module in bytes. */
  gzip: number;
}

/** Name of the catalog for all ways that need campaigns. */
export const CATALOG = "c1000";
/** Name of an empty catalog. With it, a decision ends after the gate, the checks of the request as a whole. */
export const NO_CAMPAIGNS = "c0";
export const BASE = "JSON.parse(string)";
/** The twin's fastest way: it leaves out the decoding and encoding that a Worker needs. */
const TWIN = "twin, text to text";

export function rows(all: Series[], facts: Facts): Row[] {
  const base = baseOf(all);
  return all.map((one) => ({
    way: one.way,
    catalog: one.catalog,
    median_us: medianOrNull(one.wasm),
    p99_us: one.wasm.length > 0 ? quantile(one.wasm, 0.99) : null,
    vs_json_parse: medianOrNull(ratios(one.wasm, base)),
    native_median_us: medianOrNull(one.native),
    wasm_vs_native: one.native.length > 0 ? medianOrNull(ratios(one.wasm, one.native)) : null,
    facts: one.way === "edgebid" && one.catalog === CATALOG ? facts : null,
    turns_us: one.wasm.map((value) => Number(value.toPrecision(4))),
  }));
}

export function checks(rows: Row[], facts: Facts): Record<string, number> {
  const ours = rowOf(rows, "edgebid", CATALOG);
  const twin = rowOf(rows, TWIN, CATALOG);
  return {
    "decide.vs_json_parse_1000": ours.vs_json_parse ?? Number.NaN,
    "decide.twin_vs_this_1000": medianOrNull(ratios(twin.turns_us, ours.turns_us)) ?? Number.NaN,
    "decide.wasm_vs_native": ours.wasm_vs_native ?? Number.NaN,
    "decide.allocs": facts.allocations ?? Number.NaN,
    "decide.memory_growth": facts.growth,
    "size.wasm_gzip_bytes": facts.gzip,
  };
}

/** Each way's time relative to `JSON.parse(string)`, and the time of `JSON.parse(string)` in microseconds. */
export function figures(all: Series[]): Figure[] {
  const base = baseOf(all);
  return all
    .filter(({ wasm }) => wasm.length > 0)
    .map(({ way, catalog, wasm }) => ({
      name: named(way, catalog),
      unit: way === BASE ? "µs" : `/ ${BASE}`,
      better: "less",
      rounds: rounds(way === BASE ? wasm : ratios(wasm, base)),
    }));
}

export function decideTable(rows: Row[]): Table {
  return {
    title: "one request of the mix, mean",
    columns: ["way", "median", "p99", "/ JSON.parse", "native", "Wasm/native"],
    rows: rows.map((row) => [
      named(row.way, row.catalog),
      time(row.median_us),
      time(row.p99_us),
      number(row.vs_json_parse),
      time(row.native_median_us),
      number(row.wasm_vs_native),
    ]),
  };
}

export function named(way: string, catalog: string): string {
  return catalog === NO_CAMPAIGNS && way === "edgebid" ? "edgebid, no campaigns" : way;
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[], facts: Facts): string {
  const ours = rowOf(rows, "edgebid", CATALOG);
  const twin = rowOf(rows, TWIN, CATALOG);
  return (
    `a decision with 1,000 campaigns takes ${time(ours.median_us)} on average over the mix, ` +
    `${number(ours.vs_json_parse)} of the time of JSON.parse of its request; the TypeScript twin takes ` +
    `${time(twin.median_us)}. ${digits(100 * facts.bid_rate)} % of the requests get a bid; a response has ` +
    `${digits(facts.response_bytes)} bytes on average. A decision examines ${number(facts.examined)} candidates.`
  );
}

function baseOf(all: Series[]): number[] {
  const base = all.find(({ way }) => way === BASE);
  if (!base) throw new Error(`${BASE} was not measured`);
  return base.wasm;
}

function rowOf(rows: Row[], way: string, catalog: string): Row {
  const row = rows.find((row) => row.way === way && row.catalog === catalog);
  if (!row) throw new Error(`${way} was not measured`);
  return row;
}

/** The median; null if nothing was measured. */
function medianOrNull(values: number[]): number | null {
  const value = median(values);
  return Number.isFinite(value) ? value : null;
}

function time(us: number | null): string {
  return us === null ? "–" : `${digits(us)} µs`;
}

function number(value: number | null): string {
  return value === null ? "–" : digits(value);
}
