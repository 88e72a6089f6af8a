//! Runs the ways of a suite in one isolate of workerd and in one native program, which take turns.
//!
//! A round is some turns directly one after the other; a turn runs one batch of each way. The result of a batch is the
//! mean time of its calls. `isolate.ts` is the other side of the isolate, `measure/src/partner.rs` of the program.

import { type Bindings, json, type RunningScript, startScript } from "../cli/workerd.ts";
import { workerds } from "./http/workerd-process.ts";
import type { Native } from "./native.ts";
import { Progress } from "./progress.ts";
import { push, type Row } from "./rows.ts";
import { takeTurns } from "./turns.ts";

/** Turns of a round, if a suite does not say otherwise. */
export const TURNS_A_ROUND = 5;

/** A row to measure: a way with an input. */
export interface Job {
  row: Row;
  way: string;
  input: string;
  /** Whether the native program has nothing to compare, although it knows the way. */
  isWasmOnly?: boolean;
}

/** A Worker that is made with `isolate` of `isolate.ts`. */
export class Isolate {
  readonly script: RunningScript;
  /** Undefined if /proc cannot tell. */
  readonly pid: number | undefined;

  private constructor(script: RunningScript, pid: number | undefined) {
    this.script = script;
    this.pid = pid;
  }

  static async start(entry: URL, bindings: Bindings = {}): Promise<Isolate> {
    const others = new Set(workerds());
    const script = await startScript(entry, {}, bindings);
    return new Isolate(
      script,
      workerds().find((pid) => !others.has(pid)),
    );
  }

  /** The answer of a route of the Worker. */
  ask<T>(route: string, query: Record<string, string> = {}, body: BodyInit = ""): Promise<T> {
    return json<T>(this.script, `/${route}?${new URLSearchParams(query)}`, { method: "POST", body });
  }

  stop(): Promise<void> {
    return this.script.stop();
  }
}

/** Warms everything up, then measures: the turns `us` in workerd and `native_us` natively, in microseconds. */
export async function measure(
  jobs: readonly Job[],
  isolate: Isolate,
  native: Native | null,
  rounds: number,
  turns = TURNS_A_ROUND,
): Promise<void> {
  const partnerOf = ({ way, isWasmOnly = false }: Job) => (native?.names.includes(way) && !isWasmOnly ? native : null);
  const progress = new Progress();
  for (const [at, job] of jobs.entries()) {
    progress.show(at, jobs.length, `warming up: ${job.way}, ${job.input}`);
    await isolate.ask("warm", { way: job.way, input: job.input });
    await partnerOf(job)?.warm(job.way, job.input);
  }
  progress.end();
  const groups = Map.groupBy(jobs, ({ row }) => row.group);
  for (let round = 0; round < rounds; round++) {
    for (const [group, some] of groups) {
      await takeTurns(`round ${round + 1} of ${rounds}, ${group}`, turns, some, async (job) => {
        const { row, way, input } = job;
        push(row, "us", await isolate.ask<number>("measure", { way, input }));
        const partner = partnerOf(job);
        if (partner !== null) push(row, "native_us", await partner.measure(way, input));
      });
    }
  }
}
