//! `npm run bench`: runs suites, prints their results and stores them.
//!
//! This file lists the suites and knows nothing about what they measure.

import { parseArgs } from "node:util";
import { Failure, runScript } from "../cli/process.mjs";
import { bars } from "./bars.ts";
import { catalog } from "./catalog/suite.ts";
import { cold } from "./cold/suite.ts";
import { compare } from "./compare.ts";
import { cookie } from "./cookie/suite.ts";
import { scale } from "./decide/scale.ts";
import { decide } from "./decide/suite.ts";
import { http } from "./http/suite.ts";
import { machine, versions } from "./machine.ts";
import { notices } from "./notices/suite.ts";
import { pacing } from "./pacing/suite.ts";
import { post } from "./post/suite.ts";
import { pushes } from "./pushes/suite.ts";
import { readers } from "./readers/suite.ts";
import { replay } from "./replay/suite.ts";
import { report } from "./report-load/suite.ts";
import { keep } from "./results.ts";
import { digits } from "./statistics.ts";
import type { Report, Suite, SuiteOptions } from "./suite.ts";
import { asText } from "./table.ts";
import { writers } from "./writers/suite.ts";

const SUITES: Suite[] = [
  readers,
  writers,
  decide,
  scale,
  http,
  cold,
  catalog,
  pushes,
  cookie,
  post,
  notices,
  pacing,
  replay,
  report,
];

const HELP = `usage: npm run bench -- [options] [SUITE…]
       npm run bench -- compare A B

Runs suites and prints their tables and checks. A figure is a ratio within one run, or stands beside the one to compare it
with. Without a SUITE all suites run, in about 30 minutes on two cores.

${SUITES.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`).join("\n")}
  ${"compare A B".padEnd(14)} the figures that changed by more than noise between two results (files or folders)

  --quick        few rounds: checks that all suites run and agree; writes to target/bench/quick
  --json         print one line of JSON per suite instead of tables
  --body PATH    a JSON file or a folder of them. readers: also measure these bodies; http: send only these
  --target KIND  http: drive only these: ceiling, hello, read, echo, peer, bidder
  --connections N, --rate N, --duration SECONDS, --delay MS
                 http: keep-alive connections (10), requests per second of the open loop (1000; pushes: 500),
                 duration of one turn (0.8), round-trip time of the network (0)
                 report: connections (10), requests per second (none: a closed loop), duration of one turn (1),
                 time that the ledger takes to answer (0)
  --writer NAME  report: drive only these: json, csv, protobuf, stringify
  --entries N    report: totals that the ledger answers with (5000)
  --gzip         report: clients accept gzip
  --world NAME   pacing: run only these of its worlds, three days each; "all" runs every one and writes docs/budgets.md
  --campaigns N  pacing: campaigns of a world (1000)
  --help         print this

A full run without other options is stored as bench/results/DATE/SUITE.json. It also updates the page of the day,
bench/results/DATE/report.html, the charts and the table of docs/performance.md, and the figures of \`edgebid costs\`.
Examples and the method: bench/README.md.`;

/** Options of the load that are whole numbers. */
const NUMBERS = ["connections", "rate", "duration", "delay", "entries", "campaigns"] as const;

await runScript(async () => {
  const { options, positionals } = readArguments();
  if (options.help) {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  const { quick, json } = options;
  if (positionals[0] === "compare") {
    process.stdout.write(compare(positionals.slice(1), json));
    return;
  }
  const suites = suitesNamed(positionals);
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, wholeNumber(options, name)]));
  const load = {
    ...numbers,
    targets: options.target,
    writers: options.writer,
    worlds: options.world,
    gzip: options.gzip,
  };
  const named = [...options.body, ...load.targets, ...load.writers, ...load.worlds];
  const isDefault = named.length === 0 && !load.gzip && !Object.values(load).some(Number.isInteger);
  for (const suite of suites) {
    const report = await runSuite(suite, { quick, bodies: options.body, load });
    process.stdout.write(json ? `${JSON.stringify(forPrograms(report))}\n` : asReport(report));
    const kept = isDefault ? keep(report) : [];
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
  return suites.length > 0 ? suites : SUITES;
}

/** The value of an option as a whole number above 0; undefined without the option. */
function wholeNumber<Name extends string>(options: Partial<Record<Name, string>>, name: Name): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(given)) throw new Failure(`--${name} takes a whole number above 0, not ${given}`);
  return Number(given);
}

function readArguments() {
  const [text, list, flag] = [
    { type: "string" as const },
    { type: "string" as const, multiple: true as const, default: [] as string[] },
    { type: "boolean" as const, default: false },
  ];
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        ...{ quick: flag, json: flag, gzip: flag, help: flag },
        ...{ body: list, target: list, writer: list, world: list },
        ...{ connections: text, rate: text, duration: text, delay: text, entries: text, campaigns: text },
      },
    });
    return { options: values, positionals };
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}
