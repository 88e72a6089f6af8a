//! The load generator (`bench/load`): one run of it, in a process of its own.

import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Failure, start } from "../../cli/process.mjs";

/** What one run of the generator found; times in microseconds, of responses that were as expected. */
export interface Load {
  /** Responses that were not as expected, or did not come. */
  bad: number;
  /** Requests of the open loop that fell due and were never sent, since all connections were waiting. */
  unsent: number;
  /** What was wrong with one of the bad ones. */
  complaint: string | null;
  requests: number;
  /** With those before the measurement began. */
  sent: number;
  seconds: number;
  /** Of the responses. */
  bytes: number;
  mean_us: number;
  p50_us: number;
  p75_us: number;
  p90_us: number;
  p95_us: number;
  p99_us: number;
  p999_us: number;
  max_us: number;
  /** How often no connection got a response for 20 ms or more, and for how long in all. */
  stops: number;
  stopped_ms: number;
}

export interface Drive {
  /** HTTP origin of the server. */
  origin: string;
  /** Path of the prepared requests. */
  file: string;
  connections: number;
  ms: number;
  /** Requests a second; null: as many as are answered. */
  rate: number | null;
  /** Milliseconds of the network, there and back. */
  delay: number;
}

/** Drives a server for a while. */
export async function drive(program: string, { origin, file, connections, ms, rate, delay }: Drive): Promise<Load> {
  const args = ["play", new URL(origin).host, file, ...[connections, ms, rate ?? 0, delay].map(String)];
  const child = start(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  if (!child.stdout) throw new Failure(`${program} has no output`);
  const output = await text(child.stdout);
  if (output === "") throw new Failure(`the load generator failed: ${args.join(" ")}`);
  return JSON.parse(output);
}

/** A server of the generator's own that answers 204 at once: what generator and sockets take. */
export async function ceiling(program: string): Promise<{ origin: string; pid: number | undefined; stop(): void }> {
  const child = start(program, ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
  if (!child.stdout) throw new Failure(`${program} has no output`);
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (!value) throw new Failure("the generator's own server did not start");
  return { origin: `http://${value}`, pid: child.pid, stop: () => child.stdin?.end() };
}
