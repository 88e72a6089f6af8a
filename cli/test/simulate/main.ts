//! `npm run simulate`: runs simulated worlds, and prints each world that breaks a rule, with the rule.
//!
//!     npm run simulate -- --seed 7              one world
//!     npm run simulate -- --seeds 1..200        many, on all cores
//!     npm run simulate -- --mutants             plants defects, and tells which seed finds each

import { availableParallelism } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { Failure, runScript } from "../../../build/process.mjs";
import { step } from "../../catalog/progress.ts";
import { Broken } from "./broken.ts";
import { many, type Result } from "./many.ts";
import { MUTANTS } from "./mutants.ts";
import { programs } from "./platform/program.ts";
import { ALL, type Fault, faultsIn } from "./platform/rates.ts";
import { type Outcome, run, type Settings } from "./run.ts";
import { shrunk } from "./shrink.ts";

interface Options {
  seed?: number;
  seeds: [first: number, last: number];
  hours: number;
  jobs: number;
  faults?: Fault[];
  trace?: true;
  beside?: string;
  mutants?: true | string;
}

/** Lines of the story of a broken rule: the first and the last about its bid or object, and those before its end. */
const FIRST_LINES = 20;
const ABOUT_LINES = 40;
const LAST_LINES = 15;

const program = new Command("npm run simulate --")
  .description("Runs the Worker's code in a world where time, order and every fault come from a seed.")
  .option("--seed <n>", "the seed of the only world", whole)
  .option("--seeds <first..last>", "the seeds of many worlds", range, [1, 50])
  .option("--jobs <n>", "how many of them run at once", positive, availableParallelism())
  .option("--hours <n>", "hours in which things fail", positive, 1)
  .option("--faults <names>", "only these of the faults that the seed draws, with commas; none: none", faults)
  .option("--beside <folder>", "begin with this older checkout with built modules; objects get this build one by one")
  .option("--trace", "print all that happened in the world of --seed")
  .option(
    "--mutants [words]",
    "plant defects, or those with these words, one at a time, and tell which of the seeds finds each",
  );

await runScript(async () => {
  const options = program.parse().opts<Options>();
  if (options.mutants) return judgeMutants(options);
  if (options.seed === undefined) return judgeMany(options);
  const { seed, beside, ...others } = options;
  const builds = { programs: await programs(), ...(beside && { beside: await programs(beside) }) };
  const settings = { ...others, ...builds, seed, trace: true as const };
  const outcome = await run(settings);
  if (options.trace) console.log(outcome.trace.join("\n"));
  console.log(lineOf(outcome));
  if (outcome.broken) await explain(outcome, settings, options);
});

/** Runs many worlds, and throws if some break a rule. */
async function judgeMany({ seeds: [first, last], hours, jobs, faults, beside }: Options): Promise<void> {
  const count = last - first + 1;
  const began = performance.now();
  const worlds = { first, last, hours, ...(faults && { faults }), ...(beside && { beside }) };
  const results = await step(`simulating the seeds ${first} to ${last}`, (progress) =>
    many(worlds, jobs, (done) => progress(done / count, `${done} of ${count} worlds`)),
  );
  const seconds = (performance.now() - began) / 1000;
  console.log(`${sumsOf(results)}\n${((count * hours * 3600) / seconds).toFixed(0)} times as fast as time`);
  const broken = results.filter((result) => result.broken !== undefined);
  if (broken.length === 0) return console.log(`all ${count} worlds hold`);
  const lines = broken.map(({ seed, broken }) => {
    return `seed ${seed} BROKEN: ${broken}\n  ${again(seed, hours, faults, beside)}`;
  });
  throw new Failure(`${broken.length} of ${count} worlds break a rule:\n${lines.join("\n")}`);
}

/** How to run a world again. */
function again(seed: number, hours: number, faults: Fault[] | undefined, beside: string | undefined): string {
  const more = [faults && `--faults ${faults.join(",") || "none"}`, beside && `--beside ${beside}`].filter(Boolean);
  return ["again: npm run simulate --", `--seed ${seed}`, `--hours ${hours}`, ...more].join(" ");
}

/** Bids, bills, and the worlds with each fault. */
function sumsOf(results: Result[]): string {
  const sum = (of: (result: Result) => number) => results.reduce((all, result) => all + of(result), 0);
  const faults = ALL.map((name) => `${name} ${sum((result) => Number(result.faults.includes(name)))}`);
  return `${sum(({ bids }) => bids)} bids, ${sum(({ bills }) => bills)} bills; worlds with: ${faults.join(", ")}`;
}

/** One line for a world. */
function lineOf({ seed, rates, bids, bills, spends, broken }: Outcome): string {
  const spent = [...spends].map(([budget, part]) => `${budget} ${part} %`).join(", ");
  const what = broken ? "BROKEN" : "holds";
  return `seed ${seed} ${what}: ${bids} bids, ${bills} bills; ${faultsIn(rates).join(" ") || "no faults"}; ${spent}`;
}

/** Tells why a world breaks a rule, and makes it smaller. Throws. */
async function explain(outcome: Outcome, settings: Settings, { beside }: Options): Promise<never> {
  const { broken } = outcome;
  console.log(`${broken instanceof Broken ? broken.message : broken?.stack}\nmaking the world smaller:`);
  const small = await shrunk(settings, outcome, (line) => console.log(`  ${line}`));
  const { trace, broken: last } = small.outcome;
  const about = last instanceof Broken ? last.about : [];
  const all = trace.filter((line) => about.some((text) => line.includes(text)));
  const lines = all.filter((_, at) => at < FIRST_LINES || at >= all.length - ABOUT_LINES);
  console.log([`the story of ${about.join(", ")}:`, ...lines, "the end:", ...trace.slice(-LAST_LINES)].join("\n"));
  throw new Failure(
    `${last?.message}\n${again(small.settings.seed, small.settings.hours, small.settings.faults, beside)}`,
  );
}

/** Throws if a defect is not found. */
async function judgeMutants({ seeds: [first, last], hours, mutants }: Options): Promise<void> {
  const missed: string[] = [];
  const planted = MUTANTS.filter(({ name }) => mutants === true || name.includes(mutants ?? ""));
  for (const mutant of planted) {
    const code = await programs(undefined, mutant);
    let found: string | undefined;
    for (let seed = first; seed <= last && found === undefined; seed++) {
      const { broken } = await run({ seed, hours, programs: code });
      if (broken) found = `seed ${seed}, ${broken.message}`;
    }
    console.log(`${mutant.name}: ${found ?? "NOT FOUND"}`);
    if (found === undefined) missed.push(mutant.name);
  }
  console.log(`${planted.length - missed.length} of ${planted.length} defects are found`);
  if (missed.length > 0) throw new Failure(`seeds ${first} to ${last} do not find: ${missed.join("; ")}`);
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("expected a whole number");
  return Number(text);
}

function positive(text: string): number {
  if (!(Number(text) > 0)) throw new InvalidArgumentError("expected a number above 0");
  return Number(text);
}

function range(text: string): [number, number] {
  const [, first, last] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? [];
  if (first === undefined || last === undefined) throw new InvalidArgumentError("expected two seeds, such as 1..50");
  return [Number(first), Number(last)];
}

function faults(text: string): Fault[] {
  const named = text === "none" ? [] : text.split(",");
  const unknown = named.find((name) => !ALL.some((one) => one === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is none of ${ALL.join(", ")}`);
  return named as Fault[];
}
