//! What the rounds of `cold` come to: medians, checks, a table, a sentence.

import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";

/** One round with one catalog; times in milliseconds, memory in bytes. */
export interface Round {
  /** The module, by V8 in a new process of Node; lazily, as V8 does by itself. */
  compile_ms: number;
  /** The first instance of the isolate. */
  instantiate_ms: number;
  load_ms: number;
  /** The first decision of the isolate, when V8 compiles what it needs. */
  first_ms: number;
  second_ms: number;
  /** A second version loaded beside it: both memories and the bytes that the second came in. */
  swap_bytes: number;
  /** Of the deployed Worker: until it listens. */
  start_ms: number;
  /** Until it has fetched its catalog from KV and can bid. */
  ready_ms: number;
}

/** Medians over the rounds. */
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

/** `cold.first_decision_ms_N`: all that is ours of a cold start with N campaigns; `cold.swap_bytes_N`: see {@link Round}. */
export function checks(rows: Row[]): Record<string, number> {
  return Object.fromEntries(
    rows.flatMap((row) => [
      [`cold.first_decision_ms_${row.campaigns}`, ours(row)],
      [`cold.swap_bytes_${row.campaigns}`, row.swap_bytes],
    ]),
  );
}

/** Times of ours: there is nothing to relate them to. */
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

/** One sentence, made of this run's figures. */
export function analysis(rows: Row[]): string {
  const said = rows.map((row) => `${digits(ours(row))} ms with ${row.campaigns.toLocaleString("en")} campaigns`);
  const usual = rows.find(({ campaigns }) => campaigns === 1000) ?? rows[0];
  if (!usual) throw new Error("no catalog was measured");
  return (
    `from the module's bytes to the first decision a new isolate takes ${said.join(", ")}, of which ${digits(usual.compile_ms)} ms are V8 ` +
    `compiling the module and ${digits(usual.first_ms)} ms that decision with 1,000 (the second takes ${digits(usual.second_ms)} ms); ` +
    `fetching the catalog from KV comes on top.`
  );
}

function ours({ compile_ms, instantiate_ms, load_ms, first_ms }: Round): number {
  return compile_ms + instantiate_ms + load_ms + first_ms;
}
