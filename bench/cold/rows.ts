//! What the rounds of `cold` come to: medians, checks, a table, a sentence.

import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";

/** One round with one catalog; times in milliseconds, memory in bytes. */
export interface Round {
  /** The module, by V8 in a new process of Node; lazily, as V8 does by itself. */
  compile_ms: number;
  /** Its first instance there. */
  node_instantiate_ms: number;
  /** A request that does nothing; what the next ones take is beyond that. */
  nothing_ms: number;
  /** The first instance of the isolate. */
  instantiate_ms: number;
  load_ms: number;
  /** The first decision of the isolate, when V8 compiles what it needs. */
  first_ms: number;
  second_ms: number;
  /** Of the instance with its catalog. */
  memory_bytes: number;
  /** Of workerd behind it all; null where that cannot be told. */
  working_set: number | null;
  /** By how much that is more than before the instance; null where that cannot be told. */
  grown: number | null;
  /** A second version loaded beside it: both memories and the bytes that the second came in. */
  swap_bytes: number;
  /** By how much workerd's working set is then more than before any snapshot came; null where that cannot be told. */
  swap_grown: number | null;
  /** Of the deployed Worker: until it listens. */
  start_ms: number;
  /** Until it has fetched its catalog from KV and can bid. */
  ready_ms: number;
  /** A request to it when it is warm, there and back. */
  warm_ms: number;
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
    const middle = (name: keyof Round) => median(rounds.map((round) => round[name] ?? Number.NaN));
    const told = (name: keyof Round) => (Number.isFinite(middle(name)) ? middle(name) : null);
    return {
      campaigns,
      snapshot_bytes: snapshot.byteLength,
      compile_ms: middle("compile_ms"),
      node_instantiate_ms: middle("node_instantiate_ms"),
      nothing_ms: middle("nothing_ms"),
      instantiate_ms: middle("instantiate_ms"),
      load_ms: middle("load_ms"),
      first_ms: middle("first_ms"),
      second_ms: middle("second_ms"),
      memory_bytes: middle("memory_bytes"),
      working_set: told("working_set"),
      grown: told("grown"),
      swap_bytes: middle("swap_bytes"),
      swap_grown: told("swap_grown"),
      start_ms: middle("start_ms"),
      ready_ms: middle("ready_ms"),
      warm_ms: middle("warm_ms"),
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
    "campaigns,compile,instance,load,first decision,second,whole,snapshot,Wasm memory,workerd grew,to,at a swap,grew,start,with catalog,warm request".split(
      ",",
    );
  const ms = (value: number) => `${digits(value)} ms`;
  const megabytes = (bytes: number | null) => (bytes === null ? "–" : `${digits(bytes / 2 ** 20)} MB`);
  return {
    title: "a new isolate",
    columns,
    rows: rows.map((row) => [
      row.campaigns.toLocaleString("en"),
      ...[row.compile_ms, row.instantiate_ms, row.load_ms, row.first_ms, row.second_ms, ours(row)].map(ms),
      ...[row.snapshot_bytes, row.memory_bytes, row.grown, row.working_set, row.swap_bytes, row.swap_grown].map(
        megabytes,
      ),
      ...[row.start_ms, row.ready_ms, row.warm_ms].map(ms),
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
