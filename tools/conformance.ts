//! `npm run conformance -- DIR`: posts every file of a folder to the built Worker, and prints the rules that its
//! answers break. The rules are in `conformance/cases.ts`.

import { readFileSync } from "node:fs";
import { parseArgs, styleText } from "node:util";
import { parsedJson } from "../cli/input.ts";
import { guard } from "../cli/terminal.ts";
import { startWorker } from "../cli/workerd.ts";
import { type Answer, bids, broken, type Case, casesOf, splice } from "./conformance/cases.ts";

const HELP = `usage: npm run conformance -- [options] DIR…

Posts every .json and .txt file below DIR to the built Worker. Prints for each file the status, the
bids or the no-bid reason, and the rules that the answer breaks. Exits with 1 if an answer breaks a
rule, or if there is no file.

  --catalog FILE  the catalog to bid with (default: fixtures/catalog.json)
  --ssp ID        the SSP to post as (default: demo)
  --failures      print only files whose answers break a rule
  --json          print one JSON object instead of a table
  --help          print this help

Files named y_*, n_* or i_* in a folder test_parsing are values of JSONTestSuite. Each is posted
unchanged, and again inside ext of a request that gets a bid.

examples:
  npm run conformance -- fixtures
  npm run conformance -- --failures ../captured-requests`;

interface Row {
  file: string;
  status: number;
  outcome: string;
  ms: number;
  broken: string[];
}

const { values: options, positionals: folders } = readArguments();
guard(process.stdout);
const worker = await startWorker(new Uint8Array(readFileSync(options.catalog)));
try {
  const plain = await post(splice(new TextEncoder().encode("null")));
  const rows: Row[] = [];
  for (const one of folders.flatMap(casesOf)) {
    const row = await run(one, plain);
    rows.push(row);
    if (!options.json && (row.broken.length > 0 || !options.failures)) print(row);
  }
  summarise(rows);
} finally {
  await worker.stop();
}

async function run(one: Case, plain: Answer): Promise<Row> {
  const before = await counters();
  const start = performance.now();
  const answer = await post(one.body);
  const ms = performance.now() - start;
  const after = await counters();
  const found = rulesBroken(one, answer, plain);
  const counted = Object.keys(after).find((name) => after[name] !== before[name]) ?? "";
  if (["trap", "unsound", "failure"].includes(counted)) found.push(`counted as ${counted}`);
  const outcome = answer.status === 200 ? priceList(answer.body) : counted;
  return { file: one.name, status: answer.status, outcome, ms, broken: found };
}

/** The rules that an answer breaks: rules for every answer, and rules for this kind of case. */
function rulesBroken(one: Case, answer: Answer, plain: Answer): string[] {
  if (one.verdict === "i" && [200, 204, 400].includes(answer.status)) return [];
  const found = broken(one.body, answer);
  if (one.kind === "suite" && one.verdict === "n" && answer.status !== 400) {
    found.push("the body is not JSON, expected 400");
  }
  if (one.kind === "spliced" && one.verdict === "y" && decision(answer) !== decision(plain)) {
    found.push("the value in ext changed the decision");
  }
  return found;
}

/** An answer without the ids of bids, which differ from request to request. */
function decision({ status, body }: Answer): string {
  return status + new TextDecoder().decode(body).replace(/"(?:id|bidid)":"[0-9a-f]{16,18}"/g, "");
}

function priceList(body: Uint8Array): string {
  const response = parsedJson(body) as { cur?: string };
  const prices = bids(response).map(({ impid, price }) => `${impid}: ${price}`);
  return prices.length === 0 ? "nbr" : `${prices.join(", ")} ${response.cur}`;
}

async function post(body: Uint8Array): Promise<Answer> {
  const response = await fetch(`${worker.origin}/bid/${options.ssp}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Uint8Array(body),
  });
  return { status: response.status, headers: response.headers, body: await response.bytes() };
}

async function counters(): Promise<Record<string, number>> {
  const health = (await (await fetch(`${worker.origin}/healthz`)).json()) as { counters: Record<string, number> };
  return health.counters;
}

function print({ file, status, outcome, ms, broken }: Row): void {
  const mark = broken.length > 0 ? styleText("red", "✗") : " ";
  write(`${mark} ${status} ${ms.toFixed(1).padStart(6)} ms  ${file.padEnd(56)} ${outcome}`);
  for (const rule of broken) write(`    ${styleText("red", rule)}`);
}

function summarise(rows: Row[]): void {
  const count = (status: number) => rows.filter((row) => row.status === status).length;
  const failing = rows.filter((row) => row.broken.length > 0).length;
  if (options.json) {
    write(JSON.stringify({ files: rows.length, failing, rows }, null, 2));
  } else {
    const statuses = [200, 204, 400].map((status) => `${count(status)} × ${status}`).join(", ");
    write(`${rows.length} posted: ${statuses}; ${failing} of the answers break a rule`);
  }
  process.exitCode = failing > 0 || rows.length === 0 ? 1 : 0;
}

function readArguments() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        catalog: { type: "string", default: new URL("../fixtures/catalog.json", import.meta.url).pathname },
        ssp: { type: "string", default: "demo" },
        failures: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (parsed.values.help) {
      write(HELP);
      process.exit(0);
    }
    if (parsed.positionals.length === 0) throw new Error("which folder? (see --help)");
    return parsed;
  } catch (error) {
    process.stderr.write(`conformance: ${error instanceof Error ? error.message : error}\n`);
    process.exit(2);
  }
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
