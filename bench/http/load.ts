//! Runs the load generator (`bench/load`) in its own process, and returns its results: for the suites `http`,
//! `overload` and `soak`.

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure, start } from "../../build/process.mjs";
import { LATE_MS } from "../../shared/limits.ts";
import { buildProgram, save } from "../build.ts";
import { cpuMs } from "../processes.ts";
import { figures } from "../ratios.ts";
import type { Table } from "../rows.ts";
import { at, type Column, middle, push, type Row, table, total } from "../rows.ts";
import type { Figure } from "../suite.ts";
import { takeTurns } from "../turns.ts";
import { digits, usAsMs, whole } from "../units.ts";

/** A server under load with its requests. */
export interface Target {
  row: Row;
  /** HTTP origin of the server. */
  origin: string;
  /** Undefined if /proc cannot tell. */
  pid: number | undefined;
  /** Path of the prepared requests. */
  file: string;
  /** Requests per second of the open loop; null: the closed loop. */
  rate: number | null;
  /** Milliseconds after which the exchange gives a request up. Default: never. */
  patience?: number;
  /** The problem of one of the bad responses in all turns. */
  complaint: string | null;
}

export interface Settings {
  connections: number;
  /** Duration of a turn in seconds. */
  duration: number;
  /** Round-trip time of the network in milliseconds. */
  delay: number;
}

/** A request and the response to expect. */
interface Exchange {
  /** Method and path. */
  line: string;
  headers: string[];
  body?: Buffer;
  status: number;
  /** Whether the response must be compressed. */
  gzip: boolean;
  /** How its content must begin. */
  begin: string | Uint8Array;
}

/** Writes the generator's file, and returns its path. See `Request` in `load/src/play.rs`. */
export function requestFile(name: string, exchanges: Exchange[]): string {
  const lines = exchanges.map(({ line, headers, body, status, gzip, begin }) => {
    const head = [`${line} HTTP/1.1`, "Host: bidder.example", ...headers];
    if (body) head.push(`Content-Length: ${body.byteLength}`);
    const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body ?? Buffer.alloc(0)]);
    return JSON.stringify({ bytes: [...bytes], status, gzip, begin: [...Buffer.from(begin as string)] });
  });
  return save(`${name.replaceAll(/\W+/g, "-")}.requests`, lines.join("\n"));
}

/** Warms all servers up with their requests, then drives the targets in turns. */
export async function drive(
  targets: readonly Target[],
  settings: Settings & { rounds: number; warmMs: number },
): Promise<void> {
  const closed = Map.groupBy(targets, ({ file }) => file);
  for (const [first] of closed.values()) {
    if (first) await play({ ...first, rate: null }, { ...settings, duration: settings.warmMs / 1000 });
  }
  await takeTurns("load", settings.rounds, targets, (target) => playTurn(target, settings));
}

/** Drives a target for one turn, and adds the results to its row: see `Tally::json` in `load/src/tally.rs`. */
export async function playTurn(target: Target, settings: Settings): Promise<Record<string, number>> {
  const { row, pid } = target;
  const [cpu, began] = [cpuMs(pid) ?? Number.NaN, performance.now()];
  const { complaint, found } = await play(target, settings);
  const wall = performance.now() - began;
  const spent = (cpuMs(pid) ?? Number.NaN) - cpu;
  const { requests = 0, bytes = 0, sent = 0, seconds = 0 } = found;
  const derived = {
    per_second: requests / seconds,
    bytes_per_second: bytes / seconds,
    cpu_us: (1000 * spent) / sent,
    cores: spent / wall,
  };
  for (const [name, value] of Object.entries({ ...found, ...derived })) push(row, name, value);
  target.complaint ??= complaint;
  if (complaint !== null) console.error(`${row.group} ${row.name}: ${complaint}`);
  return found;
}

async function play({ origin, file, rate, patience }: Target, { connections, duration, delay }: Settings) {
  const ms = Math.round(1000 * duration);
  const address = new URL(origin).host;
  const plan = JSON.stringify({ address, file, connections, ms, rate, delay, patience, wait: LATE_MS });
  const { stdout } = await generator("play", plan);
  const output = await text(stdout as Readable);
  if (output === "") throw new Failure(`the load generator failed: ${plan}`);
  const { complaint, ...found } = JSON.parse(output);
  return { complaint: complaint as string | null, found: found as Record<string, number> };
}

/** The generator's own server, which answers 204 at once: the limit of generator and sockets. */
export async function ceiling(): Promise<{ origin: string; pid: number | undefined; stop(): void }> {
  const child = await generator("serve");
  const { value } = await createInterface({ input: child.stdout as Readable })
    [Symbol.asyncIterator]()
    .next();
  if (!value) throw new Failure("the generator's own server did not start");
  return { origin: `http://${value}`, pid: child.pid, stop: () => child.stdin?.end() };
}

let program: Promise<string> | undefined;

async function generator(...args: string[]) {
  program ??= buildProgram("bench-load");
  return start(await program, args, { stdio: ["pipe", "pipe", "inherit"] });
}

/** The requested names, in the order of `all`; all names, if none was requested. */
export function chosen<Name extends string>(what: string, asked: string[], all: readonly Name[]): readonly Name[] {
  const unknown = asked.find((name) => !all.some((one) => one === name));
  if (unknown !== undefined) throw new Failure(`no ${what} ${unknown}; there are: ${all.join(", ")}`);
  return asked.length === 0 ? all : all.filter((name) => asked.includes(name));
}

/** Bad responses at any rate. */
export function badOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + (total("bad")(row) ?? 0) + (row.facts["bad"] ?? 0), 0);
}

/** The speed and the work of each row, compared with the row `base`. */
export function loadFigures(rows: readonly Row[], base: string): Figure[] {
  return [
    ...figures(rows, "per_second", { unit: "requests/s", better: "more", base }),
    ...figures(rows, "cpu_us", { unit: "µs", better: "less", base }),
  ];
}

/** A turn without responses has no times. */
const time = (us: number) => (us > 0 ? usAsMs(us) : "–");

/** The results of the generator, with times in ms, and with the problems of bad responses first. */
export function loadTable(title: string, targets: readonly Target[], more: readonly Column[] = []): Table {
  const rows = targets.map(({ row }) => row);
  const found = table(title, rows, [
    ["bad", total("bad"), whole],
    ["early", total("early"), whole],
    ["unsent", total("unsent"), whole],
    ["requests", total("requests"), whole],
    ["/s", middle("per_second"), whole],
    ["max /s", at(1, "per_second"), whole],
    ["MB/s", middle("bytes_per_second", 1e-6)],
    ["mean", middle("mean_us"), time],
    ["p50", middle("p50_us"), time],
    ["p90", middle("p90_us"), time],
    ["p99", middle("p99_us"), time],
    ["p99.9", middle("p999_us"), time],
    ["max", at(1, "max_us"), time],
    ["stops", total("stops"), whole],
    ["stopped", total("stopped_ms"), digits],
    ["cores", middle("cores")],
    ["CPU µs", middle("cpu_us")],
    ...more,
  ]);
  const complaints = targets.flatMap(({ row, complaint }) => (complaint === null ? [] : [`${row.name}: ${complaint}`]));
  return { ...found, rows: [...complaints, ...found.rows] };
}
