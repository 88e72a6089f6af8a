//! Runs the load generator (`bench/load`) in a process of its own, and says what it found: for the suites `http` and
//! `report`.

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure, start } from "../../cli/process.mjs";
import { buildProgram, save } from "../build.ts";
import { cpuMs } from "../processes.ts";
import { at, type Column, middle, push, type Row, table, total } from "../rows.ts";
import type { Table } from "../suite.ts";
import { digits, usAsMs, whole } from "../units.ts";

/** The result of one run of the generator. Times are in microseconds and count only responses that were as expected. */
interface Load {
  /** Responses that were wrong or did not come. */
  bad: number;
  /** Requests of the open loop that were due but never sent, because all connections were waiting. */
  unsent: number;
  /** The problem of one bad response. */
  complaint: string | null;
  requests: number;
  /** All requests sent, including the requests of the warm-up. */
  sent: number;
  seconds: number;
  /** Size of the responses. */
  bytes: number;
  p99_us: number;
  /** `mean_us`, percentiles, `max_us`, and for how long no connection got a response for 20 ms or more. */
  [time: string]: unknown;
}

/** A server under load with its requests. */
export interface Target {
  row: Row;
  /** HTTP origin of the server. */
  origin: string;
  /** Undefined if /proc cannot tell. */
  pid: number | undefined;
  /** Path of the prepared requests. */
  file: string;
  /** The problem of one bad response, of all turns. */
  complaint: string | null;
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

export interface Settings {
  connections: number;
  /** Requests per second of the open loop; null: the closed loop. */
  rate: number | null;
  ms: number;
  /** Round-trip time of the network in milliseconds. */
  delay: number;
}

/** What a row keeps of a turn as it is. */
const TIMES = ["mean_us", "p50_us", "p90_us", "p99_us", "p999_us", "max_us"];
const KEPT = ["bad", "unsent", "requests", ...TIMES, "stops", "stopped_ms"];

/** Drives a target for one turn, and notes in its row what was found. */
export async function playTurn(target: Target, settings: Settings): Promise<Load> {
  const { row, pid } = target;
  const [cpu, began] = [cpuMs(pid) ?? Number.NaN, performance.now()];
  const load = await play(target, settings);
  const wall = performance.now() - began;
  const spent = (cpuMs(pid) ?? Number.NaN) - cpu;
  for (const name of KEPT) push(row, name, Number(load[name]));
  push(row, "per_second", load.requests / load.seconds);
  push(row, "bytes_per_second", load.bytes / load.seconds);
  push(row, "cpu_us", (1000 * spent) / load.sent);
  push(row, "cores", spent / wall);
  target.complaint ??= load.complaint;
  return load;
}

/** Drives a target without noting anything. */
export async function play({ origin, file }: Target, settings: Settings): Promise<Load> {
  const plan = JSON.stringify({ address: new URL(origin).host, file, ...settings, ms: Math.round(settings.ms) });
  const output = await text(await generator("play", plan).then(({ stdout }) => stdout as Readable));
  if (output === "") throw new Failure(`the load generator failed: ${plan}`);
  return JSON.parse(output);
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

/** A turn without responses has no times. */
const time = (us: number) => (us > 0 ? usAsMs(us) : "–");

/** What the generator found, times in ms, with the problems of bad responses first. */
export function loadTable(title: string, targets: readonly Target[], more: readonly Column[] = []): Table {
  const rows = targets.map(({ row }) => row);
  const found = table(title, rows, [
    ["bad", total("bad"), whole],
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
