//! Runs the `edgebid` program for tests: in this process, where it need not start and load the modules again, or as a
//! process of its own. Also folders for its files.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeEach } from "vitest";
import { ROOT, TOOL_ENV } from "../../build/tools.mjs";
import { CatalogRefused, type Finding } from "../../shared/catalog/compile.ts";
import { compiledAside } from "../catalog/compiling.ts";
import { sourceOf } from "../catalog/source.ts";
import { edgebid as program } from "../program.ts";
import { shown } from "../terminal.ts";

/** How a program has ended. */
export type Ended = [code: number, stdout: string, stderr: string];

/** A folder that is there until the tests of the file have ended. */
export function folderFor(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `edgebid-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Gives each test a new folder. Returns what names the folder of the test that runs. */
export function eachInFolder(name: string): () => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), `edgebid-${name}-`));
    return () => rmSync(folder, { recursive: true, force: true });
  });
  return () => folder;
}

/** The findings on a catalog in a file or a folder: its mistakes, or if it has none, the notes. Paths have no folder. */
export async function findingsOn(catalog: string): Promise<string[]> {
  const text = ({ path, message }: Finding) => `${path.replace(/^\/.*\//, "")}: ${message}`;
  try {
    return (await compiledAside(sourceOf(catalog))).notes.map(text);
  } catch (error) {
    if (error instanceof CatalogRefused) return error.findings.map(text);
    throw error;
  }
}

/** The command of a folder, with these variables in its environment. */
export function edgebidIn(folder: string, env: Record<string, string> = {}): (...args: string[]) => Promise<Ended> {
  return (...args) => {
    const ended = last.then(() => inThisProcess(args, folder, env));
    last = ended.catch(() => {});
    return ended;
  };
}

/** Runs a command with `--json` in a folder. Returns its exit status as `code`, and the members of what it printed. */
export async function toldBy(folder: string, ...args: string[]) {
  const [code, stdout] = await edgebidIn(folder)(...args, "--json");
  return { code, ...JSON.parse(stdout) };
}

/** The command that runs now. They share the working folder, the environment and the streams of this process. */
let last: Promise<unknown> = Promise.resolve();

async function inThisProcess(args: string[], folder: string, more: Record<string, string>): Promise<Ended> {
  const { stdout, stderr, exitCode } = process;
  const [home, env, writes] = [process.cwd(), process.env, [stdout.write, stderr.write] as const];
  const printed = ["", ""];
  for (const [at, stream] of [stdout, stderr].entries()) {
    stream.write = (chunk: string | Uint8Array) => {
      printed[at] += typeof chunk === "string" ? shown(chunk) : Buffer.from(chunk).toString("utf8");
      return true;
    };
  }
  process.chdir(folder);
  process.env = { ...env, ...more };
  process.exitCode = 0;
  try {
    await program(args);
    const [out = "", err = ""] = printed.map(stripVTControlCharacters);
    return [Number(process.exitCode), out, err];
  } finally {
    process.chdir(home);
    process.env = env;
    process.exitCode = exitCode;
    [stdout.write, stderr.write] = writes;
  }
}

/** Runs a program to its end. */
export function ranToEnd(command: string[], cwd: string, env: Record<string, string> = {}): Promise<Ended> {
  const [file = "", ...args] = command;
  const options = { cwd, env: { ...TOOL_ENV, NO_COLOR: "1", ...env }, maxBuffer: 1 << 26 };
  return new Promise((done) => {
    const child = execFile(file, args, options, (error, stdout, stderr) =>
      done([Number(error?.code ?? (error ? 1 : 0)), stdout, stderr]),
    );
    child.stdin?.end();
  });
}

/** Runs the command as a process of its own. `root`: a copy of the project. */
export function edgebidProcess(folder: string, args: string[], root = ROOT): Promise<Ended> {
  return ranToEnd([process.execPath, join(root, "cli/edgebid.ts"), ...args], folder);
}
