//! `npm run bench -- pacing --world NAME`: three days in which something is late, wrong or away.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, step } from "../../cli/process.mjs";
import { ROOT, TOOL_ENV } from "../../cli/tools.mjs";
import { machine } from "../machine.ts";
import { withMeasured } from "../report/performance.ts";
import type { Findings, Table } from "../suite.ts";
import type { Day, Simulated } from "./rows.ts";

const PAGE = join(ROOT, "docs/budgets.md");
const SEED = 1;

/** What budgets of one size did on a day, in parts of the budget; `under` is delivery. */
interface Size {
  over: number;
  under: number;
  mean: number;
}

interface World {
  world: string;
  campaigns: number;
  /** By day: budgets of at least $100, and smaller ones beyond two impressions. */
  days: { large: Size; small: Size }[];
}

/** The worlds, as the program names them. */
export function worldNames(): string[] {
  const source = readFileSync(join(ROOT, "bench/pacing/src/worlds.rs"), "utf8");
  return Array.from(source.matchAll(/^ {4}\("([a-z0-9-]+)", /gm), ([, name = ""]) => name);
}

export async function runWorlds(program: string, wanted: string[], campaigns: number): Promise<Findings> {
  const all = worldNames();
  const unknown = wanted.find((name) => name !== "all" && !all.includes(name));
  if (unknown !== undefined) throw new Failure(`no world ${unknown}; there are: all, ${all.join(", ")}`);
  const names = wanted.includes("all") ? all : all.filter((name) => wanted.includes(name));
  const worlds: World[] = [];
  for (const world of names) {
    const options = { cwd: ROOT, env: TOOL_ENV };
    const run: Simulated = JSON.parse(
      await step(`world ${world}`, program, [`${campaigns}`, `${SEED}`, world], options),
    );
    worlds.push({ world, campaigns, days: run.days.map((day) => dayOf(day.campaigns)) });
  }
  const table: Table = { title: "worlds", columns: COLUMNS, rows: worlds.map(rowOf) };
  if (names.length === all.length) keep(table, campaigns);
  return { checks: {}, analysis: "", figures: [], tables: [table], rows: worlds, worlds: names };
}

function dayOf(campaigns: Day[]): World["days"][number] {
  const size = (of: Day[], free: number): Size => {
    const delivered = of.map(({ delivery }) => Math.min(1, delivery));
    return {
      over: Math.max(0, ...of.map(({ spent, impression, budget }) => (spent - free * impression) / budget - 1)),
      under: Math.min(...delivered),
      mean: delivered.reduce((sum, part) => sum + part, 0) / delivered.length,
    };
  };
  const [large, small] = [
    campaigns.filter(({ budget }) => budget >= 100),
    campaigns.filter(({ budget }) => budget < 100),
  ];
  return { large: size(large, 0), small: size(small, 2) };
}

/** Writes the table into docs/budgets.md. */
function keep({ columns, rows }: Table, campaigns: number): void {
  const lines = [columns, columns.map((_, at) => (at === 0 ? "---" : "---:")), ...rows].map(
    (row) => `| ${[row].flat().join(" | ")} |\n`,
  );
  const { cpu, cores } = machine();
  const day = new Date().toISOString().slice(0, 10);
  const how = `\n${campaigns} campaigns, seed ${SEED}, ${day}, ${cores} shared cores of ${cpu}.\n`;
  writeFileSync(PAGE, withMeasured(readFileSync(PAGE, "utf8"), lines.join("") + how));
}

const COLUMNS = [
  "world",
  "over, day 1",
  "over, day 3",
  "under $100: over, day 1",
  "day 3",
  "delivery, day 1: least, mean",
  "day 3: least, mean",
  "under $100: delivery, day 3",
];

function rowOf({ world, days }: World): string[] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [world];
  const percent = (part: number) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
  const both = ({ under, mean }: Size) => `${percent(under)}, ${percent(mean)}`;
  return [
    world,
    ...[first.large, last.large, first.small, last.small].map(({ over }) => percent(over)),
    ...[first.large, last.large, last.small].map(both),
  ];
}
