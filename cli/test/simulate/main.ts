//! `npm run simulate`: runs simulated worlds, and prints each world that breaks a rule, with the rule.
//!
//!     npm run simulate -- --seed 7              one world
//!     npm run simulate -- --seeds 1..200        many
//!     npm run simulate -- --mutants             plants defects, and tells which seed finds each

import { Command, InvalidArgumentError } from "commander";
import { Failure, runScript } from "../../process.mjs";
import { Broken } from "./broken.ts";
import { MUTANTS } from "./mutants.ts";
import { type Programs, programs } from "./platform/program.ts";
import { ALL, type Fault, faultsIn } from "./platform/rates.ts";
import { type Outcome, run } from "./run.ts";
import { shrunk } from "./shrink.ts";

interface Options {
  seed?: number;
  seeds: [first: number, last: number];
  hours: number;
  faults?: Fault[];
  trace?: true;
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
  .option("--hours <n>", "hours in which things fail", positive, 1)
  .option("--faults <names>", "only these of the faults that the seed draws, with commas; none: none", faults)
  .option("--trace", "print all that happened in the world of --seed")
  .option(
    "--mutants [words]",
    "plant defects, or those with these words, one at a time, and tell which of the seeds finds each",
  );

await runScript(async () => {
  const options = program.parse().opts<Options>();
  if (options.mutants) return judgeMutants(options);
  const { seed, seeds } = options;
  const [first, last] = seed === undefined ? seeds : [seed, seed];
  const code = await programs();
  const began = performance.now();
  for (let seed = first; seed <= last; seed++) {
    const outcome = await run({ ...options, seed, programs: code });
    if (options.trace) console.log(outcome.trace.join("\n"));
    console.log(lineOf(outcome));
    if (outcome.broken) await explain(outcome, options, code);
  }
  const seconds = (performance.now() - began) / 1000;
  const worlds = last - first + 1;
  console.log(`${worlds} worlds hold, ${((worlds * options.hours * 3600) / seconds).toFixed(0)} times as fast as time`);
});

/** One line for each world. */
function lineOf({ seed, rates, bids, bills, spends, broken }: Outcome): string {
  const spent = [...spends].map(([budget, part]) => `${budget} ${part} %`).join(", ");
  const what = broken ? "BROKEN" : "holds";
  return `seed ${seed} ${what}: ${bids} bids, ${bills} bills; ${faultsIn(rates).join(" ") || "no faults"}; ${spent}`;
}

/** Tells why a world breaks a rule, and makes it smaller. Throws. */
async function explain(outcome: Outcome, { hours }: Options, programs: Programs): Promise<never> {
  const { seed, broken } = outcome;
  console.log(`${broken instanceof Broken ? broken.message : broken?.stack}\nmaking the world smaller:`);
  const small = await shrunk({ seed, hours, programs }, outcome, (line) => console.log(`  ${line}`));
  const { trace, broken: last } = small.outcome;
  const about = last instanceof Broken ? last.about : [];
  const all = trace.filter((line) => about.some((text) => line.includes(text)));
  const lines = all.filter((_, at) => at < FIRST_LINES || at >= all.length - ABOUT_LINES);
  console.log([`the story of ${about.join(", ")}:`, ...lines, "the end:", ...trace.slice(-LAST_LINES)].join("\n"));
  const faults = small.settings.faults?.join(",") || "none";
  throw new Failure(
    `${last?.message}\nagain: npm run simulate -- --seed ${seed} --hours ${small.settings.hours} --faults ${faults}`,
  );
}

/** Throws if a defect is not found. */
async function judgeMutants({ seeds: [first, last], hours, mutants }: Options): Promise<void> {
  const missed: string[] = [];
  const planted = MUTANTS.filter(({ name }) => mutants === true || name.includes(mutants ?? ""));
  for (const mutant of planted) {
    const code = await programs(mutant);
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
