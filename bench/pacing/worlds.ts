//! `npm run bench -- pacing --world NAME`: three days in which something is late, wrong or away.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, step } from "../../cli/process.mjs";
import { ROOT, TOOL_ENV } from "../../cli/tools.mjs";
import type { Findings, Table } from "../suite.ts";
import type { Day, Simulated } from "./rows.ts";

const RESULTS = join(ROOT, "bench/results");
const FILE = "pacing-worlds.json";
const SEED = 1;

/** What budgets of one size did on a day, in parts of the budget; `under` is delivery. */
interface Size {
  over: number;
  under: number;
  mean: number;
}

export interface World {
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
  if (names.length === all.length) keep(worlds);
  const table: Table = { title: "worlds", columns: COLUMNS, rows: worlds.map(rowOf) };
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

function keep(worlds: World[]): void {
  const folder = join(RESULTS, new Date().toISOString().slice(0, 10));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILE), `${JSON.stringify(worlds, null, 1)}\n`);
}

/** The newest stored table, and its date. */
export function newestWorlds(): { date: string; worlds: World[] } {
  const folders = readdirSync(RESULTS).sort().reverse();
  for (const date of folders) {
    try {
      return { date, worlds: JSON.parse(readFileSync(join(RESULTS, date, FILE), "utf8")) };
    } catch {}
  }
  throw new Failure(`no ${FILE} in ${RESULTS}`);
}

export const COLUMNS = [
  "world",
  "over, day 1",
  "over, day 3",
  "under $100: over, day 1",
  "day 3",
  "delivery, day 1: least, mean",
  "day 3: least, mean",
  "under $100: delivery, day 3",
];

/** The row of a world: what docs/budgets.md shows. */
export function rowOf({ world, days }: World): string[] {
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
