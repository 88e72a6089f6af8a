//! Turns the rounds of `cold` into rows, checks, figures, a table and a sentence.

import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";

/** One round with one catalog. Times are in milliseconds, memory is in bytes. */
export interface Round {
  /** V8 compiles the module in a new Node process. By default, V8 compiles each function when it is first called. */
  compile_ms: number;
  /** Making the first instance of the isolate. */
  instantiate_ms: number;
  load_ms: number;
  /** The first decision of the isolate: V8 compiles the functions it calls. */
  first_ms: number;
  second_ms: number;
  /** Bytes alive while a second version is loaded: both memories and the bytes of the second snapshot. */
  swap_bytes: number;
  /** The deployed Worker: time from its start until it listens. */
  start_ms: number;
  /** The deployed Worker: time until it has read its catalog from KV and can bid. */
  ready_ms: number;
}

/** Medians of the rounds with one catalog. */
export interface Row extends Round {
  campaigns: number;
  snapshot_bytes: number;
  rounds: Round[];
}

export interface Catalog {
  campaigns: number;
  snapshot: Uint8Array<ArrayBuffer>;
  rounds: Round[];
}

export function rows(catalogs: Catalog[]): Row[] {
  return catalogs.map(({ campaigns, snapshot, rounds }) => {
    const middle = (name: keyof Round) => median(rounds.map((round) => round[name]));
    return {
      campaigns,
      snapshot_bytes: snapshot.byteLength,
      compile_ms: middle("compile_ms"),
      instantiate_ms: middle("instantiate_ms"),
      load_ms: middle("load_ms"),
      first_ms: middle("first_ms"),
      second_ms: middle("second_ms"),
      swap_bytes: middle("swap_bytes"),
      start_ms: middle("start_ms"),
      ready_ms: middle("ready_ms"),
      rounds,
    };
  });
}

/**
 * `cold.first_decision_ms_N`: the part of a cold start that edgebid controls, with N campaigns. `cold.swap_bytes_N`:
 * see {@link Round}.
 */
export function checks(rows: Row[]): Record<string, number> {
  return Object.fromEntries(
    rows.flatMap((row) => [
      [`cold.first_decision_ms_${row.campaigns}`, ours(row)],
      [`cold.swap_bytes_${row.campaigns}`, row.swap_bytes],
    ]),
  );
}

/** The figures are times, not ratios, because the suite measures no other program to compare with. */
export function figures(rows: Row[]): Figure[] {
  return rows.flatMap(({ campaigns, rounds }) => [
    {
      name: `to the first decision, ${campaigns} campaigns`,
      unit: "ms",
      better: "less" as const,
      rounds: rounds.map(ours),
    },
    ...(["compile_ms", "load_ms", "first_ms", "second_ms", "start_ms", "ready_ms"] as const).map((name) => ({
      name: `${name.slice(0, -"_ms".length)}, ${campaigns} campaigns`,
      unit: "ms",
      better: "less" as const,
      rounds: rounds.map((round) => round[name]),
    })),
  ]);
}

export function coldTable(rows: Row[]): Table {
  const columns =
    "campaigns,compile,instance,load,first decision,second,whole,snapshot,at a swap,start,with catalog".split(",");
  const ms = (value: number) => `${digits(value)} ms`;
  const megabytes = (bytes: number) => `${digits(bytes / 2 ** 20)} MB`;
  return {
    title: "a new isolate",
    columns,
    rows: rows.map((row) => [
      row.campaigns.toLocaleString("en"),
      ...[row.compile_ms, row.instantiate_ms, row.load_ms, row.first_ms, row.second_ms, ours(row)].map(ms),
      ...[row.snapshot_bytes, row.swap_bytes].map(megabytes),
      ...[row.start_ms, row.ready_ms].map(ms),
    ]),
  };
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[]): string {
  const times = rows.map((row) => `${digits(ours(row))} ms with ${row.campaigns.toLocaleString("en")} campaigns`);
  const usual = rows.find(({ campaigns }) => campaigns === 1000) ?? rows[0];
  if (!usual) throw new Error("no catalog was measured");
  return (
    `from the module's bytes to the first decision a new isolate takes ${times.join(", ")}. With 1,000 campaigns V8 compiles the module ` +
    `in ${digits(usual.compile_ms)} ms, and the first decision takes ${digits(usual.first_ms)} ms, the second ${digits(usual.second_ms)} ms. ` +
    `Reading the catalog from KV comes on top.`
  );
}

function ours({ compile_ms, instantiate_ms, load_ms, first_ms }: Round): number {
  return compile_ms + instantiate_ms + load_ms + first_ms;
}
