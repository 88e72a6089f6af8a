//! The machine of a result, and the versions of everything that ran.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";

const root = new URL("../", import.meta.url);

export type Machine = ReturnType<typeof machine>;

/** `load`: the average of the last minute before the run, which shows what else was running. */
export function machine() {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? "unknown",
    cores: os.availableParallelism(),
    memory_gb: Math.round(os.totalmem() / 2 ** 30),
    os: `${os.type()} ${os.release()} ${os.arch()}`,
    load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
  };
}

/** Versions of Node, workerd, rustc, the given crates, and this repository. */
export function versions(crates: string[]): Record<string, string> {
  const lock = readFileSync(new URL("Cargo.lock", root), "utf8");
  const crate = (name: string) => lock.match(new RegExp(`name = "${name}"\nversion = "(.*)"`))?.[1] ?? "unknown";
  return {
    commit: output("git", ["describe", "--always", "--dirty"]),
    node: process.versions.node,
    workerd: npm("workerd"),
    miniflare: npm("miniflare"),
    rustc: output("rustc", ["--version"]).split(" ")[1] ?? "unknown",
    ...Object.fromEntries(crates.map((name) => [name, crate(name)])),
  };
}

function npm(name: string): string {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, root), "utf8")).version;
}

/** The output of a command; "unknown" if it fails, as in a copy without git. */
function output(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "unknown";
  }
}
