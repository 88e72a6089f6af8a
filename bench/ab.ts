//! `npm run bench -- ab REF [SUITE…]`: compares this folder, as it is, with another commit. The suites run on both in
//! turns, so a slow hour of the machine hits both. `compare.ts` says which figures changed.
//!
//! The other commit gets a work tree in `target/bench/ab`, which stays, so that its next build is short.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure, step } from "../build/process.mjs";
import { ROOT } from "../build/tools.mjs";
import { comparison } from "./compare.ts";
import { checkTable } from "./goals.ts";
import { median } from "./statistics.ts";
import type { Report } from "./suite.ts";
import { asText } from "./table.ts";
import { takeTurns } from "./turns.ts";

const OTHER = join(ROOT, "target/bench/ab");
const TURNS = 3;

export async function ab(args: string[], { quick, json }: { quick: boolean; json: boolean }): Promise<string> {
  const [ref, ...suites] = args;
  if (ref === undefined) throw new Failure("ab takes a commit, and suites: npm run bench -- ab HEAD~1 decide");
  checkOut(ref);
  const before = { name: ref, folder: OTHER, reports: [] as Report[] };
  const after = { name: "this folder", folder: ROOT, reports: [] as Report[] };
  for (const { name, folder } of [before, after]) {
    await step(`building ${name}`, process.execPath, ["build/setup.mjs"], { cwd: folder });
  }
  const options = ["--json", ...(quick ? ["--quick"] : [])];
  await takeTurns(`${ref} and this folder`, TURNS, [before, after], async ({ name, folder, reports }) => {
    // The other commit may not know `--no-keep`, and what it keeps is in its own work tree.
    const own = folder === ROOT ? [...options, "--no-keep"] : options;
    const lines = await step(`measuring ${name}`, process.execPath, ["bench/run.ts", ...own, ...suites], {
      cwd: folder,
    });
    reports.push(
      ...lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  });
  const [a, b] = [joined(before.reports), joined(after.reports)];
  return json ? comparison(a, b, json) : `${asText(checkTable(a, b))}\n\n${comparison(a, b, json)}`;
}

function checkOut(ref: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    const commit = git("rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`);
    if (existsSync(OTHER)) git("-C", OTHER, "checkout", "--quiet", "--force", "--detach", commit);
    else git("worktree", "add", "--quiet", "--force", "--detach", OTHER, commit);
  } catch (error) {
    throw new Failure(`cannot check out ${ref}: ${(error as { stderr?: string }).stderr?.trim()}`);
  }
}

/** One report for each suite, with the rounds of all turns, and the median of each check. */
export function joined(reports: Report[]): Report[] {
  return [...Map.groupBy(reports, ({ suite }) => suite).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const figures = first.figures.map((figure) => {
      const same = others.flatMap(({ figures }) =>
        figures.filter(({ name, unit }) => name === figure.name && unit === figure.unit),
      );
      return { ...figure, rounds: [figure, ...same].flatMap(({ rounds }) => rounds) };
    });
    const checks = Object.keys(first.checks).map((name): [string, number] => [
      name,
      median([first, ...others].map(({ checks }) => checks[name] ?? Number.NaN)),
    ]);
    return [{ ...first, figures, checks: Object.fromEntries(checks) }];
  });
}
