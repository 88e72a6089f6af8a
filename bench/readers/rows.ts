//! Turns the measurements of `readers` into rows, checks, figures, a table and a sentence.

import { digits, median, quantile } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios, rounds } from "../turns.ts";
import { OWN_BODIES } from "./bodies.ts";
import { PROTOBUF, type Series } from "./rounds.ts";

/** The deployed reader with the example catalog, which asks for some attributes only. */
const OURS = "edgebid";
const EVERYTHING = "edgebid (everything)";
const NOTHING = "edgebid (nothing asked)";
const BASE = "JSON.parse(string)";

export interface Row {
  body: string;
  /** Mean size of the body's variants. */
  bytes: number;
  reader: string;
  /** Time of one read: each turn gives the mean of a batch of reads; this is the median of the turns. */
  median_us: number;
  /** 99th percentile of the turns, not of single reads: those are too short for the clock. */
  p99_us: number;
  mb_per_s: number;
  /** Allocations per read; null for V8. */
  allocations: number | null;
  /** Each turn gives the ratio to `JSON.parse(string)`; this is the median of the ratios. */
  vs_json_parse: number;
  native_median_us: number | null;
  /** Each turn gives the time in Wasm divided by the native time; this is the median of the ratios. */
  wasm_vs_native: number | null;
  /** The time of each turn, in order. */
  turns_us: number[];
}

export function rows(series: Series[]): Row[] {
  return series.map((one) => {
    const { reader, body, allocations, wasm, native } = one;
    const base = series.find((other) => other.body === body && other.reader === BASE);
    if (!base) throw new Error(`${body.name} is not read by ${BASE}`);
    const median_us = median(wasm);
    return {
      body: body.name,
      bytes: body.bytes,
      reader,
      median_us,
      p99_us: quantile(wasm, 0.99),
      mb_per_s: body.bytes / median_us,
      allocations,
      vs_json_parse: median(ratios(wasm, base.wasm)),
      native_median_us: native.length > 0 ? median(native) : null,
      wasm_vs_native: native.length > 0 ? median(ratios(wasm, native)) : null,
      turns_us: wasm.map((value) => Number(value.toPrecision(4))),
    };
  });
}

/** The checks, by the names that the goals use; only from the bodies in `bench/bodies/`. */
export function checks(rows: Row[], series: Series[]): Record<string, number> {
  const row = (reader: string, body: string) => {
    const found = rows.find((row) => row.reader === reader && row.body === body);
    if (!found) throw new Error(`${reader} has not read ${body}`);
    return found;
  };
  const turns = (reader: string) => {
    const found = series.find((one) => one.reader === reader && one.body.name === "3.8k");
    if (!found) throw new Error(`${reader} has not read 3.8k`);
    return found.wasm;
  };
  const protobufShare = median(ratios(turns(PROTOBUF), turns(OURS)));
  return {
    "read.vs_json_parse_600": row(OURS, "0.6k").vs_json_parse,
    "read.vs_json_parse_3800": row(OURS, "3.8k").vs_json_parse,
    "read.vs_json_parse_100k": row(OURS, "100k").vs_json_parse,
    "read.protobuf_vs_json_3800": protobufShare,
    "read.wasm_vs_native": row(OURS, "3.8k").wasm_vs_native ?? Number.NaN,
    "read.allocs": Math.max(...OWN_BODIES.map((body) => row(OURS, body).allocations ?? Number.NaN)),
  };
}

/** Each reader's time relative to `JSON.parse(string)`, and the time of `JSON.parse(string)` in microseconds. */
export function figures(series: Series[]): Figure[] {
  return series.map(({ reader, body, wasm }) => {
    const base = series.find((other) => other.body === body && other.reader === BASE);
    const isBase = reader === BASE;
    return {
      name: `${reader}, ${body.name}`,
      unit: isBase ? "µs" : `/ ${BASE}`,
      better: "less",
      rounds: rounds(isBase ? wasm : ratios(wasm, base?.wasm ?? [])),
    };
  });
}

export function readersTable(rows: Row[]): Table {
  const columns = ["reader", "median", "p99", "MB/s", "allocs", "/ JSON.parse", "native", "Wasm/native"];
  const lines = rows.flatMap((row, at): (string | string[])[] => {
    const cells = [
      row.reader,
      `${digits(row.median_us)} µs`,
      `${digits(row.p99_us)} µs`,
      digits(row.mb_per_s),
      row.allocations === null ? "–" : digits(row.allocations),
      digits(row.vs_json_parse),
      row.native_median_us === null ? "–" : `${digits(row.native_median_us)} µs`,
      row.wasm_vs_native === null ? "–" : digits(row.wasm_vs_native),
    ];
    return row.body === rows[at - 1]?.body ? [cells] : [`${row.body}, ${row.bytes} bytes`, cells];
  });
  return { title: "reading one request", columns, rows: lines };
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[]): string {
  const of = (body: string) => rows.filter((row) => row.body === body && OWN_BODIES.includes(body));
  const ours = rows.filter((row) => row.reader === OURS && OWN_BODIES.includes(row.body));
  const typical = of("3.8k").find((row) => row.reader === OURS);
  const others = of("3.8k").filter((row) => ![OURS, EVERYTHING, NOTHING, PROTOBUF].includes(row.reader));
  const rival = others.toSorted((a, b) => a.vs_json_parse - b.vs_json_parse)[0];
  if (!typical || !rival) throw new Error("the body of 3.8 KB is missing");
  const all = of("3.8k").find((row) => row.reader === EVERYTHING);
  if (!all) throw new Error("no reader read all attributes of the body of 3.8 KB");
  const share = ours.map((row) => row.vs_json_parse);
  return (
    `edgebid reads the attributes that the example catalog asks for in ${digits(Math.min(...share))} to ${digits(Math.max(...share))} of the time of ` +
    `JSON.parse(string), depending on the body (3.8 KB: ${digits(typical.vs_json_parse)}, ${digits(typical.median_us)} µs; all attributes: ` +
    `${digits(all.vs_json_parse)}, ${digits(all.median_us)} µs); ` +
    `the fastest other reader is ${rival.reader} with ${digits(rival.vs_json_parse)}.`
  );
}
