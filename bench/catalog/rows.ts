//! Turns the measurements of `catalog` into rows, checks, figures, a table and a sentence.

import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios } from "../turns.ts";

/** All measurements of one catalog, in the order in which they were made. */
export interface Measured {
  campaigns: number;
  document_bytes: number;
  snapshot_bytes: number;
  compile_ms: number[];
  load_us: number[];
  parse_us: number[];
}

export interface Row {
  campaigns: number;
  document_bytes: number;
  snapshot_bytes: number;
  /** Time to validate and compile the document, in Node. */
  compile_ms: number;
  /** Time from the snapshot's bytes to a bidder that can serve. */
  load_ms: number;
  /** Time of `JSON.parse` on the document's text. */
  parse_ms: number;
  /** Each turn gives the ratio of the two times; this is the median of the ratios. */
  load_vs_json_parse: number;
  turns: Pick<Measured, "compile_ms" | "load_us" | "parse_us">;
}

export function rows(measured: Measured[]): Row[] {
  return measured.map(({ campaigns, document_bytes, snapshot_bytes, ...turns }) => ({
    campaigns,
    document_bytes,
    snapshot_bytes,
    compile_ms: median(turns.compile_ms),
    load_ms: median(turns.load_us) / 1000,
    parse_ms: median(turns.parse_us) / 1000,
    load_vs_json_parse: median(ratios(turns.load_us, turns.parse_us)),
    turns,
  }));
}

export function checks(rows: Row[]): Record<string, number> {
  const of = (count: number) => rows.find(({ campaigns }) => campaigns === count);
  return {
    "catalog.load_vs_json_parse_10000": of(10_000)?.load_vs_json_parse ?? Number.NaN,
    "catalog.compile_ms_10000": of(10_000)?.compile_ms ?? Number.NaN,
    "catalog.snapshot_vs_document_10000": (of(10_000)?.snapshot_bytes ?? 0) / (of(10_000)?.document_bytes ?? 0),
  };
}

export function analysis(rows: Row[]): string {
  const { compile_ms, load_ms, load_vs_json_parse } = rows.find(({ campaigns }) => campaigns === 10_000) as Row;
  return (
    `validating and compiling 10,000 campaigns takes ${digits(compile_ms / 1000)} s before a push; loading them to serve takes ` +
    `${digits(load_ms)} ms, ${digits(load_vs_json_parse)} of the time of JSON.parse of the same catalog.`
  );
}

export function figures(rows: Row[]): Figure[] {
  return rows.map(({ campaigns, turns }) => ({
    name: `load / JSON.parse, ${campaigns} campaigns`,
    unit: "",
    better: "less",
    rounds: ratios(turns.load_us, turns.parse_us),
  }));
}

export function catalogTable(rows: Row[]): Table {
  const megabytes = (bytes: number) => `${digits(bytes / 1e6)} MB`;
  const time = (ms: number) => `${digits(ms)} ms`;
  return {
    title: "catalogs, from the document to a bidder",
    columns: ["campaigns", "document", "snapshot", "compile", "load", "JSON.parse", "load / parse"],
    rows: rows.map((row) => [
      row.campaigns.toLocaleString("en"),
      megabytes(row.document_bytes),
      megabytes(row.snapshot_bytes),
      time(row.compile_ms),
      time(row.load_ms),
      time(row.parse_ms),
      digits(row.load_vs_json_parse),
    ]),
  };
}
