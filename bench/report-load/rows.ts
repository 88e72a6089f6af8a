//! Turns the measurements of `report` into rows, checks, figures, tables and a sentence. Each round gives one ratio.

import type { Turn } from "../http/rows.ts";
import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { ratios } from "../turns.ts";
import { BASE, type Writer } from "./writers.ts";

/** Facts about a writer's server besides its speed. Null if /proc cannot tell. */
interface Facts {
  writer: Writer;
  start_ms: number;
  /** Time of the first report. */
  first_ms: number;
  /** Memory in use before the first report and after all load. */
  idle_bytes: number | null;
  after_bytes: number | null;
  /** Size of an answer's body as sent. */
  answer_bytes: number;
}

type Time = "mean_us" | "p50_us" | "p75_us" | "p90_us" | "p99_us";
const TIMES: Time[] = ["mean_us", "p50_us", "p75_us", "p90_us", "p99_us"];

/** Medians over the rounds; counts are sums, and `max_us` is a maximum. */
export interface Row extends Facts, Record<Time, number> {
  bad: number;
  unsent: number;
  /** The problem of one bad response. */
  complaint: string | null;
  requests: number;
  per_second: number;
  bytes_per_second: number;
  max_us: number;
  /** The server's processor time per request, in microseconds, and the cores that it used. NaN without /proc. */
  cpu_us: number;
  cores: number;
  turns: Turn[];
}

/** The settings of the load. */
export interface Load {
  entries: number;
  connections: number;
  /** Requests per second of the open loop; null: the closed loop. */
  rate: number | null;
  delay: number;
  gzip: boolean;
}

export function rowOf(facts: Facts, turns: Turn[]): Row {
  const middle = (of: (turn: Turn) => number) => median(turns.map(of));
  const total = (of: (turn: Turn) => number) => turns.reduce((sum, turn) => sum + of(turn), 0);
  const times = Object.fromEntries(TIMES.map((name) => [name, middle((turn) => turn[name])]));
  return {
    ...facts,
    ...(times as Record<Time, number>),
    bad: total(({ bad }) => bad),
    unsent: total(({ unsent }) => unsent),
    complaint: turns.find(({ complaint }) => complaint !== null)?.complaint ?? null,
    requests: total(({ requests }) => requests),
    per_second: middle(perSecond),
    bytes_per_second: middle(({ bytes, seconds }) => bytes / seconds),
    max_us: Math.max(...turns.map(({ max_us }) => max_us)),
    cpu_us: middle(cpuPerRequest),
    cores: middle(({ cpu_ms, wall_ms }) => (cpu_ms ?? Number.NaN) / wall_ms),
    turns,
  };
}

/** The checks; those that compare need the base. Offered rates are no speeds, so the open loop compares only work. */
export function checks(rows: Row[], isOpen: boolean): Record<string, number> {
  const compared = rows.flatMap((row): [string, number][] => {
    const base = baseOf(rows, row);
    if (base === undefined) return [];
    const { writer } = row;
    const ratio = (of: (turn: Turn) => number) => median(ratios(row.turns.map(of), base.turns.map(of)));
    return [
      ...(isOpen ? [] : [[`report.${writer}_vs_stringify`, ratio(perSecond)] satisfies [string, number]]),
      [`report.cpu_${writer}_vs_stringify`, ratio(cpuPerRequest)],
      [`report.bytes_${writer}_vs_stringify`, row.answer_bytes / base.answer_bytes],
    ];
  });
  return { "report.bad": rows.reduce((sum, { bad }) => sum + bad, 0), ...Object.fromEntries(compared) };
}

export function figures(rows: Row[]): Figure[] {
  return rows.flatMap((row): Figure[] => {
    const base = baseOf(rows, row);
    if (base === undefined) return [];
    const over = (of: (turn: Turn) => number) => ratios(row.turns.map(of), base.turns.map(of));
    return [
      { name: `${row.writer}, requests/s`, unit: `/ ${BASE}`, better: "more", rounds: over(perSecond) },
      { name: `${row.writer}, CPU of a request`, unit: `/ ${BASE}`, better: "less", rounds: over(cpuPerRequest) },
    ];
  });
}

export function applicationTable(rows: Row[]): Table {
  return transposed("applications, each writer in its own workerd", rows, [
    ["CPU of a request", ({ cpu_us }) => ms(cpu_us)],
    ["cores", ({ cores }) => digits(cores)],
    ["memory", ({ idle_bytes }) => megabytes(idle_bytes)],
    ["after load", ({ after_bytes }) => megabytes(after_bytes)],
    ["start", ({ start_ms }) => `${digits(start_ms)} ms`],
    ["first report", ({ first_ms }) => `${digits(first_ms)} ms`],
    ["size of an answer", ({ answer_bytes }) => `${digits(answer_bytes / 1024)} KB`],
  ]);
}

export function loadTable(rows: Row[], { entries, connections, rate, delay, gzip }: Load): Table {
  const loop = rate === null ? "closed loop" : `open loop with ${rate} requests/s`;
  const settings = `${entries.toLocaleString("en")} totals, ${gzip ? "gzip" : "no gzip"}, the ledger takes ${delay} ms`;
  const table = transposed(`${loop}, ${connections} connections; ${settings}`, rows, [
    ["bad responses", ({ bad }) => String(bad)],
    ...(rate === null ? [] : [["unsent", ({ unsent }: Row) => String(unsent)] satisfies Line]),
    ["requests", ({ requests }) => requests.toLocaleString("en")],
    ["requests/s", ({ per_second }) => digits(per_second)],
    ["mean", ({ mean_us }) => ms(mean_us)],
    ["p50", ({ p50_us }) => ms(p50_us)],
    ["p75", ({ p75_us }) => ms(p75_us)],
    ["p90", ({ p90_us }) => ms(p90_us)],
    ["p99", ({ p99_us }) => ms(p99_us)],
    ["max", ({ max_us }) => ms(max_us)],
    ["MB/s", ({ bytes_per_second }) => digits(bytes_per_second / 1e6)],
  ]);
  const complaints = rows.flatMap(({ writer, bad, complaint }) =>
    bad > 0 ? [`${writer}: ${bad} bad responses, for example: ${complaint}`] : [],
  );
  return { ...table, rows: [...complaints, ...table.rows] };
}

/** One sentence with the figures of this run. */
export function analysis(rows: Row[], { entries, rate }: Load): string {
  const told = rows.map((row) => {
    const speed = rate === null ? `${digits(row.per_second)} requests/s, ` : "";
    return `${row.writer} ${speed}${ms(row.cpu_us)} of processor time and ${digits(row.answer_bytes / 1024)} KB a report`;
  });
  const bad = rows.reduce((sum, row) => sum + row.bad, 0);
  return `${bad} bad responses; with ${entries.toLocaleString("en")} totals: ${told.join("; ")}.`;
}

type Line = [name: string, cell: (row: Row) => string];

/** A table with a column for each writer. */
function transposed(title: string, rows: Row[], lines: Line[]): Table {
  return {
    title,
    columns: ["", ...rows.map(({ writer }) => writer)],
    rows: lines.map(([name, cell]) => [name, ...rows.map(cell)]),
  };
}

/** The row that this one is compared with; undefined for the base itself, and if the base was not driven. */
function baseOf(rows: Row[], row: Row): Row | undefined {
  return rows.find(({ writer }) => writer === BASE && row.writer !== BASE);
}

function perSecond({ requests, seconds }: Turn): number {
  return requests / seconds;
}

function cpuPerRequest({ cpu_ms, sent }: Turn): number {
  return ((cpu_ms ?? Number.NaN) * 1000) / sent;
}

/** A turn without responses has no times. */
function ms(us: number): string {
  return us > 0 ? `${digits(us / 1000)} ms` : "–";
}

function megabytes(bytes: number | null): string {
  return bytes === null ? "–" : `${digits(bytes / 2 ** 20)} MB`;
}
