//! `npm run bench -- SUITE`: runs a suite and shows or keeps what it found.
//!
//! Knows the suites by name and nothing of what they measure.

import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Failure, runScript } from "../cli/process.mjs";
import { cold } from "./cold/suite.ts";
import { scale } from "./decide/scale.ts";
import { decide } from "./decide/suite.ts";
import { http } from "./http/suite.ts";
import { readers } from "./readers/suite.ts";
import { digits } from "./statistics.ts";
import type { Outcome, Report, Suite } from "./suite.ts";

const SUITES: Suite[] = [readers, decide, scale, http, cold];

const HELP = `usage: npm run bench -- [options] SUITE…

Measures, and prints a table with one sentence on what it shows. Every figure is a ratio within one
run, or stands beside what it is to be compared with. Without a SUITE all of them run.

${SUITES.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`).join("\n")}

  --quick        3 rounds: shows that everything runs and agrees, keeps no result
  --json         print one JSON object a suite, each on one line, instead of a table
  --bodies PATH  readers: measure these bodies too, a JSON file or a folder of them; keeps no result
  --target KIND  http: drive these alone: ceiling, hello, read, echo, twin, bidder; keeps no result
  --connections N, --rate N, --duration SECONDS
                 http: keep-alive connections (10), requests a second of the open loop (1000), length of
                 one turn (2); keep no result
  --help         print this

A full run is kept as bench/results/DATE/SUITE.json, its picture as bench/results/SUITE.svg. How
it is measured, and what it does not show: bench/README.md.

examples:
  npm run bench -- readers
  npm run bench -- --quick --bodies ../captured-requests readers
  npm run -s bench -- readers --json | jq .checks
  npm run bench -- http --target read --target bidder --rate 3000`;

await runScript(async () => {
  const { options, suites } = readArguments();
  if (options.help) {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  const { quick, json, bodies } = options;
  const load = {
    targets: options.target,
    connections: whole(options, "connections"),
    rate: whole(options, "rate"),
    duration: whole(options, "duration"),
  };
  const isUsual = bodies.length + load.targets.length === 0 && !(load.connections || load.rate || load.duration);
  for (const suite of suites) {
    const outcome = await suite.run({ quick, bodies, load });
    const kept = quick || !isUsual ? [] : keep(outcome);
    process.stdout.write(json ? `${JSON.stringify(outcome.report)}\n` : text(outcome, kept));
  }
});

function text({ report, table }: Outcome, kept: string[]): string {
  const { cpu, cores, load } = report.machine;
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`);
  const checks = Object.entries(report.checks).map(([name, value]) => `  ${name.padEnd(40)} ${digits(value)}`);
  return `${[
    `${report.suite}, ${report.date}${report.quick ? ", quick: too few rounds to compare" : ""}`,
    `${cpu}, ${cores} cores, load ${load} before; ${versions.join(", ")}`,
    "",
    table,
    "",
    ...checks,
    "",
    report.analysis,
    ...kept.map((path) => `kept: ${path}`),
  ].join("\n")}\n`;
}

/** Writes a full run's results and returns their paths. */
function keep({ report, pictures }: Outcome): string[] {
  const files = {
    [`${report.date.slice(0, 10)}/${report.suite}.json`]: json(report),
    ...pictures,
  };
  return Object.entries(files).map(([name, content]) => {
    const url = new URL(`results/${name}`, import.meta.url);
    mkdirSync(new URL(".", url), { recursive: true });
    writeFileSync(url, content);
    return `bench/results/${name}`;
  });
}

/** Indented, with lists of numbers on one line. */
function json(report: Report): string {
  return `${JSON.stringify(report, null, 2).replace(/\[\s+([^[\]{}"]+?)\s+\]/g, (_, items) => `[${items.replace(/\s+/g, " ")}]`)}\n`;
}

function readArguments() {
  const { values, positionals } = parse();
  const suites = positionals.map((name) => {
    const suite = SUITES.find((suite) => suite.name === name);
    if (!suite) throw new Failure(`no suite ${name}; there are: ${SUITES.map(({ name }) => name).join(", ")}`);
    return suite;
  });
  return { options: values, suites: suites.length > 0 ? suites : SUITES };
}

/** An option's value as a whole number above 0; undefined without it. */
function whole<Name extends string>(options: Partial<Record<Name, string>>, name: Name): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(given)) throw new Failure(`--${name} takes a whole number above 0, not ${given}`);
  return Number(given);
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        bodies: { type: "string", multiple: true, default: [] },
        target: { type: "string", multiple: true, default: [] },
        connections: { type: "string" },
        rate: { type: "string" },
        duration: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}
