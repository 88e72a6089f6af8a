//! `edgebid replay`: opens catalogs and requests, runs through the requests, saves the state now and then, and prints
//! the result. Standard output depends only on requests, catalogs and options: speed goes to standard error.

import { EXIT, Failure } from "../../build/failure.mjs";
import type { StoreOptions } from "../catalog/open.ts";
import { done, print } from "../catalog/print.ts";
import { step } from "../catalog/progress.ts";
import type { Progress } from "../catalog/store.ts";
import { grouped } from "../money/table.ts";
import { openNamed, ReplayedCatalog } from "./catalog.ts";
import { type Input, inputsOf, type Mark, piecesOf, Resumed } from "./inputs.ts";
import { broken, type Limit } from "./limit.ts";
import { resultText } from "./print.ts";
import { type Result, resultOf } from "./result.ts";
import { MAX_LINE_BYTES, Run, type Settings } from "./run.ts";
import { readState, saveState } from "./state.ts";

/** Options of the command. */
export interface ReplayOptions extends StoreOptions {
  /** One or two; none: the version that is served. */
  catalog?: string[];
  ssp?: string;
  now?: number;
  examples: number;
  failIf?: Limit[];
  state?: string;
}

/** How often the state is saved. What was decided since then is decided again. */
const SAVE_MS = 2000;
/** How often the progress is shown. */
const SHOW_MS = 250;

export async function replay(paths: string[], options: ReplayOptions): Promise<void> {
  const inputs = inputsOf(paths);
  const { ssp, now, examples, failIf = [], state } = options;
  if (state !== undefined && inputs.some(({ name }) => name === "-")) {
    throw new Failure("standard input cannot be read again, so --state needs files");
  }
  const catalogs = (await openNamed(options.catalog ?? [undefined], options)).map(
    (named) => new ReplayedCatalog(named),
  );
  const given = { ...(ssp !== undefined && { ssp }), ...(now !== undefined && { now }) };
  const settings = { ...given, started: Date.now(), examples };
  const what = inputs.length === 1 ? paths.join() : `${inputs.length} files`;
  const result = await step(`replaying ${what}`, (progress) => replayed(catalogs, inputs, settings, state, progress));
  const failed = broken(result, failIf, catalogs[0]?.bidder.reasons ?? []);
  print(options.json, { ...result, failed }, resultText(result));
  for (const line of failed) process.stderr.write(`edgebid: ${line}\n`);
  if (failIf.length > 0 && failed.length === 0) process.stderr.write(`${done("every limit of --fail-if holds")}\n`);
  if (failed.length > 0) process.exitCode = EXIT.found;
}

/** Runs through the requests. With a `path`, continues from the state in this file. */
export async function replayed(
  catalogs: ReplayedCatalog[],
  inputs: Input[],
  settings: Settings,
  path?: string,
  progress: Progress = () => {},
): Promise<Result> {
  const run = new Run(catalogs, settings);
  const saved = path === undefined ? null : readState(path, run, inputs);
  // A continued run keeps its time.
  if (saved) [run.settings, run.found] = [saved.settings, saved.run];
  const marks: Mark[] = saved?.marks ?? [];
  const tell = speedometer(inputs, run, progress);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  if (path !== undefined) process.once("SIGINT", stop);
  let due = performance.now() + SAVE_MS;
  for (const [at, input] of inputs.entries()) {
    const resumed = new Resumed(input, marks[at]);
    for await (const { lines, done, problem } of piecesOf(input, MAX_LINE_BYTES)) {
      for (const line of lines) if (resumed.isNew(line)) run.take(line, input.name);
      if (!resumed.isBehind) marks[at] = resumed.mark(problem);
      tell(at, done);
      if (path === undefined || (performance.now() < due && !stopping.signal.aborted)) continue;
      saveState(path, run, inputs, marks);
      due = performance.now() + SAVE_MS;
      if (stopping.signal.aborted)
        throw new Failure("interrupted; the same command goes on where it stopped", EXIT.interrupted);
    }
    resumed.end();
  }
  process.off("SIGINT", stop);
  if (path !== undefined) saveState(path, run, inputs, marks);
  tell(inputs.length);
  const problems = marks.flatMap(({ problem, line }, at) =>
    problem === undefined ? [] : [{ file: inputs[at]?.name ?? "", line, why: problem }],
  );
  return resultOf(run, problems);
}

/** Shows the progress and the speed of a run, from time to time and after the last input. */
function speedometer(inputs: Input[], run: Run, progress: Progress): (at: number, done?: number) => void {
  const [began, before] = [performance.now(), run.found.requests];
  const sizeOf = (some: Input[]) => some.reduce((sum, { size }) => sum + size, 0);
  const whole = sizeOf(inputs);
  let shown = 0;
  return (at, done = 0) => {
    const now = performance.now();
    if (now - shown < SHOW_MS && at < inputs.length) return;
    shown = now;
    const decisions = (run.found.requests - before) * run.catalogs.length;
    const rate = grouped(Math.round((decisions * 1000) / (now - began)));
    progress(whole > 0 ? (sizeOf(inputs.slice(0, at)) + done) / whole : null, `${rate} decisions/s`);
  };
}
