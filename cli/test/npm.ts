//! Runs npm for tests as a shell does.

import { type ChildProcess, spawn } from "node:child_process";
import { expect } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { processes } from "./processes.ts";

/** A running npm in its own process group, as a shell starts it. */
export class Npm {
  output = "";
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: string[], cwd = ROOT, env: NodeJS.ProcessEnv = process.env) {
    const child = spawn("npm", args, {
      ...{ cwd, env, detached: true },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    this.ended = new Promise((resolve) => child.on("close", resolve));
    this.#child = child;
  }

  async prints(text: string): Promise<void> {
    const early = this.ended.then((code) => {
      throw new Error(`npm ended with ${code}:\n${this.output}`);
    });
    const printed = expect.poll(() => this.output, { timeout: 150_000 }).toContain(text);
    await Promise.race([printed, early]);
  }

  /** Does the same as Ctrl-C in a terminal, which sends the signal to the whole group. */
  async interrupt(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, "SIGINT");
    await this.ended;
  }

  descendants(): number[] {
    const found = [this.#child.pid];
    const all = processes();
    for (const parent of found) {
      found.push(...all.filter(({ ppid }) => ppid === parent).map(({ pid }) => pid));
    }
    return found.filter((pid) => pid !== undefined);
  }
}
