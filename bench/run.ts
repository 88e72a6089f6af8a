//! `npm run bench`: runs suites, prints their results and stores them.
//!
//! This file lists the suites and knows nothing about what they measure.

import { Command, InvalidArgumentError } from "commander";
import { Failure, runScript } from "../build/process.mjs";
import { ab } from "./ab.ts";
import { bars } from "./bars.ts";
import { catalog } from "./catalog/suite.ts";
import { compare } from "./compare.ts";
import { scale } from "./decide/scale.ts";
import { decide } from "./decide/suite.ts";
import { http } from "./http/suite.ts";
import { machine, versions } from "./machine.ts";
import { notices } from "./notices/suite.ts";
import { overload } from "./overload/suite.ts";
import { pacer } from "./pacer/suite.ts";
import { pacing } from "./pacing/suite.ts";
import { readers } from "./readers/suite.ts";
import { replay } from "./replay/suite.ts";
import { keep } from "./results.ts";
import { shading } from "./shading/suite.ts";
import { soak } from "./soak/suite.ts";
import type { LoadOptions, Report, Suite, SuiteOptions } from "./suite.ts";
import { asText } from "./table.ts";
import { digits } from "./units.ts";

const SUITES: Suite[] = [
  readers,
  decide,
  scale,
  http,
  overload,
  catalog,
  notices,
  pacing,
  pacer,
  shading,
  replay,
  soak,
];

interface Options extends Omit<LoadOptions, "targets" | "worlds"> {
  quick: boolean;
  json: boolean;
  keep: boolean;
  body: string[];
  target: string[];
  world: string[];
}

/** Options with which a run is stored all the same. */
const STORED = ["quick", "json"];

const program = new Command("npm run bench --")
  .usage("[options] [SUITE…]\n       npm run bench -- compare A B\n       npm run bench -- ab REF [SUITE…]")
  .description(
    "Runs suites and prints their tables and checks. A figure is a ratio within one run, or stands beside the one to " +
      "compare it with. Without a SUITE all suites but soak run, in about 30 minutes on two cores.",
  )
  .argument("[suites...]")
  .option("--quick", "few rounds: checks that all suites run and agree; writes to target/bench/quick", false)
  .option("--json", "print one line of JSON per suite instead of tables", false)
  .option("--no-keep", "do not store the results")
  .option("--body <path>", "readers: also measure this JSON file or folder of them; http: send only these", several, [])
  .option("--target <kind>", "http: drive only these: ceiling, hello, read, echo, peer, bidder", several, [])
  .option("--connections <n>", "http: keep-alive connections (10)", wholeNumber)
  .option("--rate <n>", "http: requests a second of the open loop (1000)", wholeNumber)
  .option("--duration <seconds>", "http: duration of one turn (0.8)", wholeNumber)
  .option("--delay <ms>", "http: round-trip time of the network (0)", wholeNumber)
  .option("--world <name>", 'pacing: run only these worlds, three days each; "all" writes docs/budgets.md', several, [])
  .option("--auctions <file>", "shading: recorded auctions instead of simulated ones; bench/README.md has the format")
  .option("--campaigns <n>", "pacing: campaigns of a world (1000)", wholeNumber)
  .option("--minutes <n>", "soak: how long it runs, at least 5 (30)", wholeNumber)
  .addHelpText("after", () => {
    const suites = SUITES.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`).join("\n");
    return `
Suites:
${suites}
  compare A B    the figures that changed by more than noise between two results (files or folders)
  ab REF [SUITE…] the same between the commit REF and this folder, which take turns

A full run without other options is stored as bench/results/DATE/SUITE.json. It also updates the page
target/bench/report.html, the charts and the table of docs/performance.md, and the figures of \`edgebid costs\`.
Examples and the method: bench/README.md.`;
  });

await runScript(async () => {
  const { args } = program.parse();
  const { quick, json, keep: _, body, target, world, ...more } = program.opts<Options>();
  if (args[0] === "compare") {
    process.stdout.write(compare(args.slice(1), json));
    return;
  }
  if (args[0] === "ab") {
    process.stdout.write(await ab(args.slice(1), { quick, json }));
    return;
  }
  const given = program.options.map((option) => option.attributeName());
  const isStored = given.every((name) => STORED.includes(name) || program.getOptionValueSource(name) !== "cli");
  const load = { ...more, targets: target, worlds: world };
  for (const suite of suitesNamed(args)) {
    const report = await runSuite(suite, { quick, bodies: body, load });
    process.stdout.write(json ? `${JSON.stringify(forPrograms(report))}\n` : asReport(report));
    const kept = isStored ? keep(report) : [];
    if (!json) process.stdout.write(kept.map((path) => `wrote ${path}\n`).join(""));
  }
});

async function runSuite(suite: Suite, options: SuiteOptions): Promise<Report> {
  const { name, summary, crates = [] } = suite;
  const [date, before] = [new Date().toISOString(), machine()];
  const { charts = {}, ...findings } = await suite.run(options);
  const ran = versions(crates);
  const foot = `${date.slice(0, 10)}, ${before.cpu}, load ${before.load} before, workerd ${ran["workerd"]}`;
  const pictures = Object.entries(charts).map(([file, chart]) => [file, bars(chart, foot)]);
  const head = { suite: name, summary, date, quick: options.quick, machine: before, versions: ran };
  return { ...head, ...findings, pictures: Object.fromEntries(pictures) };
}

/** The report without the tables and charts, which are for people. */
function forPrograms({ pictures, tables, ...report }: Report): object {
  return report;
}

function asReport({ suite, date, quick, machine, versions, checks, tables }: Report): string {
  const { cpu, cores, load } = machine;
  const ran = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    `${suite}, ${date}${quick ? ", quick: too few rounds for comparisons" : ""}`,
    `${cpu}, ${cores} cores, load ${load} before; ${ran.join(", ")}`,
    ...tables.flatMap((table) => ["", asText(table)]),
    "",
    ...Object.entries(checks).map(([name, value]) => `  ${name.padEnd(40)} ${digits(value)}`),
  ].join("\n")}\n`;
}

function suitesNamed(names: string[]): Suite[] {
  const suites = names.map((name) => {
    const suite = SUITES.find((suite) => suite.name === name);
    if (!suite) throw new Failure(`no suite ${name}; there are: ${SUITES.map(({ name }) => name).join(", ")}`);
    return suite;
  });
  return suites.length > 0 ? suites : SUITES.filter(({ isLong }) => !isLong);
}

function several(value: string, before: string[]): string[] {
  return [...before, value];
}

function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,6}$/.test(given)) throw new InvalidArgumentError("It takes a whole number above 0.");
  return Number(given);
}
