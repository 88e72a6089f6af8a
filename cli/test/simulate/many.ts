//! Runs many worlds on several cores. Each thread runs this file, and every n-th of the seeds.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { programs } from "./platform/program.ts";
import { type Fault, faultsIn } from "./platform/rates.ts";
import { run } from "./run.ts";

/** Many worlds. They differ in their seeds only. */
export interface Worlds {
  first: number;
  last: number;
  hours: number;
  faults?: Fault[];
  /** The checkout of an older build, with which they begin. */
  beside?: string;
}

/** Room for new objects: with less, most of a turn's objects look as if they would stay. */
const ROOM = { maxYoungGenerationSizeMb: 96 };

/** What a thread tells about a world. */
export interface Result {
  seed: number;
  faults: Fault[];
  /** The broken rule; undefined if all hold. */
  broken?: string;
  bids: number;
  bills: number;
}

/** The part of a thread: the seeds from `first` on, `step` apart. */
type Part = Worlds & { step: number };

/**
 * Runs the worlds in `jobs` threads. Their results in the order of the seeds. `onDone` is called with the number of
 * worlds that have ended.
 */
export async function many(worlds: Worlds, jobs: number, onDone: (done: number) => void): Promise<Result[]> {
  const results: Result[] = [];
  const count = Math.min(jobs, worlds.last - worlds.first + 1);
  const parts = Array.from({ length: count }, (_, n): Part => ({ ...worlds, first: worlds.first + n, step: count }));
  const ended = parts.map(async (part) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: part, resourceLimits: ROOM });
    thread.on("message", (result: Result) => onDone(results.push(result)));
    await new Promise((done, fail) => thread.on("exit", done).on("error", fail));
  });
  await Promise.all(ended);
  return results.sort((a, b) => a.seed - b.seed);
}

async function runPart(
  { first, last, step, beside, ...settings }: Part,
  tell: (result: Result) => void,
): Promise<void> {
  const builds = { programs: await programs(), ...(beside && { beside: await programs(beside) }) };
  for (let seed = first; seed <= last; seed += step) {
    const { rates, broken, bids, bills } = await run({ ...settings, ...builds, seed });
    tell({ seed, faults: faultsIn(rates), bids, bills, ...(broken && { broken: broken.message }) });
  }
}

const port = isMainThread ? null : parentPort;
if (port !== null) await runPart(workerData, (result) => port.postMessage(result));
