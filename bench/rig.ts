//! Runs the ways of a suite in one isolate of workerd and in one native program, which take turns.
//!
//! A round is some turns directly one after the other; a turn runs one batch of each way. The result of a batch is the
//! mean time of its calls. `isolate.ts` is the other side of the isolate, `measured/src/partner.rs` of the program.

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Failure, start } from "../build/process.mjs";
import { type Bindings, json } from "../cli/workerd.ts";
import { buildModule, buildProgram } from "./build.ts";
import { type Process, startProcess } from "./processes.ts";
import { TURNS_A_ROUND } from "./ratios.ts";
import { push, type Row } from "./rows.ts";
import { show, takeTurns } from "./turns.ts";

/** A row to measure: a way with an input. */
export interface Job {
  row: Row;
  way: string;
  input: string;
  /** Whether the native program has nothing to compare, although it knows the way. */
  isWasmOnly?: boolean;
}

/** What `bench-measured` is started with: `measured/src/native.rs`. */
interface NativeSide {
  suite: string;
  files: string[];
  /** The names of its inputs, in its order. */
  inputs: string[];
}

type Native = Awaited<ReturnType<typeof startNative>>;

/** The two sides while they run. */
export interface Rig extends Process {
  /** The answer of a route of the Worker. */
  ask<T>(route: string, query?: Record<string, string>, body?: BodyInit): Promise<T>;
  /**
   * Warms everything up, then measures the rows: the turns `us` in workerd and `native_us` natively, in microseconds.
   */
  measure(jobs: readonly Job[], rounds: number, turns?: number): Promise<Row[]>;
}

/**
 * Starts a Worker that is made with `isolate` of `isolate.ts`, and the native program if there is one, and stops them
 * after `run`. With a native side, the Worker may use the module of the benchmarks.
 */
export async function withRig<T>(
  { worker, native, bindings }: { worker: URL; native?: NativeSide; bindings?: Bindings },
  run: (rig: Rig) => Promise<T>,
): Promise<T> {
  if (native) await buildModule();
  const partner = native && (await startNative(native));
  const isolate = await startProcess(worker, {}, bindings);
  const ask: Rig["ask"] = (route, query = {}, body = "") =>
    json(isolate.script, `/${route}?${new URLSearchParams(query)}`, { method: "POST", body });
  const measure: Rig["measure"] = (jobs, rounds, turns = TURNS_A_ROUND) => measured(jobs, ask, partner, rounds, turns);
  try {
    return await run({ ...isolate, ask, measure });
  } finally {
    partner?.stop();
    await isolate.script.stop();
  }
}

async function measured(
  jobs: readonly Job[],
  ask: Rig["ask"],
  native: Native | undefined,
  rounds: number,
  turns: number,
): Promise<Row[]> {
  const partnerOf = ({ way, isWasmOnly = false }: Job) => (native?.knows(way) && !isWasmOnly ? native : undefined);
  for (const job of jobs) {
    const { way, input } = job;
    show(`warming up: ${way}, ${input}`);
    await ask("warm", { way, input });
    await partnerOf(job)?.ask("warm", way, input);
  }
  const groups = Map.groupBy(jobs, ({ row }) => row.group);
  for (let round = 0; round < rounds; round++) {
    for (const [group, some] of groups) {
      await takeTurns(`round ${round + 1} of ${rounds}, ${group}`, turns, some, async (job) => {
        const { row, way, input } = job;
        push(row, "us", await ask<number>("measure", { way, input }));
        const partner = partnerOf(job);
        if (partner) push(row, "native_us", Number(await partner.ask("measure", way, input)));
      });
    }
  }
  return jobs.map(({ row }) => row);
}

async function startNative({ suite, files, inputs }: NativeSide) {
  const child = start(await buildProgram("bench-measured"), [suite, ...files], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Failure("the native program ended early");
    return value;
  };
  // The protocol uses the positions in this list.
  const names: string[] = [];
  for (let name = await next(); name !== ""; name = await next()) names.push(name);
  return {
    knows: (way: string) => names.includes(way),
    ask(command: "warm" | "measure", way: string, input: string): Promise<string> {
      child.stdin?.write(`${command} ${names.indexOf(way)} ${inputs.indexOf(input)}\n`);
      return next();
    },
    stop: () => child.stdin?.end(),
  };
}
