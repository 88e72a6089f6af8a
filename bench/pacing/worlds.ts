//! `npm run bench -- pacing --world NAME`: three days in which something is late, wrong or missing.

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Failure } from "../../build/process.mjs";
import { ROOT } from "../../build/tools.mjs";
import { machine } from "../machine.ts";
import { withMeasured } from "../report/performance.ts";
import type { Table } from "../rows.ts";
import { type Column, fact, newRow, type Row, table } from "../rows.ts";
import type { Findings } from "../suite.ts";
import { type Day, LARGE, overspend, simulate } from "./simulation.ts";

const PAGE = join(ROOT, "docs/budgets.md");

/** Each world is simulated with each: what is told is the worst of all budgets, and their mean. */
const SEEDS = [1, 2, 3];

/** The worlds, as the program names them. */
function worldNames(): string[] {
  const source = readFileSync(join(ROOT, "bench/pacing/src/worlds.rs"), "utf8");
  return Array.from(source.matchAll(/^ {4}\("([a-z0-9-]+)", /gm), ([, name = ""]) => name);
}

const percent = (part: number) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;

const COLUMNS: Column[] = [
  ["over, day 1", fact("first_large_over"), percent],
  ["over, day 3", fact("last_large_over"), percent],
  ["under $100: over, day 1", fact("first_small_over"), percent],
  ["day 3", fact("last_small_over"), percent],
  ["least delivery, day 1", fact("first_large_least"), percent],
  ["mean", fact("first_large_mean"), percent],
  ["day 3", fact("last_large_least"), percent],
  ["mean", fact("last_large_mean"), percent],
  ["under $100: least delivery, day 3", fact("last_small_least"), percent],
  ["mean", fact("last_small_mean"), percent],
];

export async function runWorlds(program: string, wanted: string[], campaigns: number): Promise<Findings> {
  const all = worldNames();
  const unknown = wanted.find((name) => name !== "all" && !all.includes(name));
  if (unknown !== undefined) throw new Failure(`no world ${unknown}; there are: all, ${all.join(", ")}`);
  const names = wanted.includes("all") ? all : all.filter((name) => wanted.includes(name));
  const rows: Row[] = [];
  const left = names.entries();
  const runLeft = async () => {
    for (const [at, world] of left) {
      const first: Day[] = [];
      const last: Day[] = [];
      for (const seed of SEEDS) {
        const { days } = await simulate(program, campaigns, world, seed);
        first.push(...(days[0]?.campaigns ?? []));
        last.push(...(days.at(-1)?.campaigns ?? []));
      }
      const facts = { ...factsOf("first", first), ...factsOf("last", last) };
      rows[at] = newRow(world, "", facts);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runLeft));
  const worlds = table("worlds", rows, COLUMNS, "world");
  if (names.length === all.length) keep(worlds, campaigns);
  return { checks: {}, figures: [], tables: [worlds], rows };
}

/**
 * The results of budgets on a day: of those of at least $100, and of smaller ones, for which two impressions of
 * overspend do not count.
 */
function factsOf(day: string, campaigns: Day[]): Row["facts"] {
  const sizes = [
    { name: "large", free: 0, of: campaigns.filter(({ budget }) => budget >= LARGE) },
    { name: "small", free: 2, of: campaigns.filter(({ budget }) => budget < LARGE) },
  ];
  return Object.fromEntries(
    sizes.flatMap(({ name, free, of }) => {
      const delivered = of.map(({ delivery }) => Math.min(1, delivery));
      return [
        [`${day}_${name}_over`, overspend(of, free)],
        [`${day}_${name}_least`, Math.min(...delivered)],
        [`${day}_${name}_mean`, delivered.reduce((sum, part) => sum + part, 0) / delivered.length],
      ];
    }),
  );
}

/** Writes the table into docs/budgets.md. */
function keep({ columns, rows }: Table, campaigns: number): void {
  const lines = [columns, columns.map((_, at) => (at === 0 ? "---" : "---:")), ...rows].map(
    (row) => `| ${[row].flat().join(" | ")} |\n`,
  );
  const { cpu, cores } = machine();
  const day = new Date().toISOString().slice(0, 10);
  const how = `\n${campaigns} campaigns, seeds ${SEEDS.join(", ")}, ${day}, ${cores} shared cores of ${cpu}.\n`;
  writeFileSync(PAGE, withMeasured(readFileSync(PAGE, "utf8"), lines.join("") + how));
}
