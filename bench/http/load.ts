//! Runs the load generator (`bench/load`) in a process of its own.

import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Failure, start } from "../../cli/process.mjs";

/** The result of one run of the generator. Times are in microseconds and count only responses that were as expected. */
export interface Load {
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
  mean_us: number;
  p50_us: number;
  p75_us: number;
  p90_us: number;
  p95_us: number;
  p99_us: number;
  p999_us: number;
  max_us: number;
  /** How often no connection got a response for 20 ms or more, and for how long in total. */
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
  /** Requests per second of the open loop; null: the closed loop. */
  rate: number | null;
  /** Round-trip time of the network in milliseconds. */
  delay: number;
}

/** Drives a server for `ms` milliseconds. */
export async function drive(program: string, { origin, file, connections, ms, rate, delay }: Drive): Promise<Load> {
  const args = ["play", new URL(origin).host, file, ...[connections, ms, rate ?? 0, delay].map(String)];
  const child = start(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  if (!child.stdout) throw new Failure(`${program} has no output`);
  const output = await text(child.stdout);
  if (output === "") throw new Failure(`the load generator failed: ${args.join(" ")}`);
  return JSON.parse(output);
}

/** The generator's own server, which answers 204 at once: the limit of generator and sockets. */
export async function ceiling(program: string): Promise<{ origin: string; pid: number | undefined; stop(): void }> {
  const child = start(program, ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
  if (!child.stdout) throw new Failure(`${program} has no output`);
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (!value) throw new Failure("the generator's own server did not start");
  return { origin: `http://${value}`, pid: child.pid, stop: () => child.stdin?.end() };
}
