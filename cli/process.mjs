//! Runs other programs, and makes sure that none of them outlives this process. Each program gets its own process
//! group. Before this process ends (by Ctrl-C, a signal, or the end of the npm that started it), it ends all groups.
//!
//! Plain Node 20 without dependencies, because it runs before anything is installed.

import { spawn } from "node:child_process";
import process from "node:process";
import { EXIT, Failure } from "./failure.mjs";

export { EXIT, Failure };

const GRACE_MS = 10_000;
const PARENT_POLL_MS = 500;
const TICK_MS = 1_000;
/** Milliseconds between lines without a terminal, where a line cannot be replaced. */
const LOG_TICK_MS = 15_000;
const EXIT_CODES = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 };

/** @type {Set<import("node:child_process").ChildProcess>} */
const children = new Set();
let stopping = false;

/**
 * Starts a program that ends when this process ends.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  children.add(child);
  child.on("exit", () => {
    children.delete(child);
    killGroup(child);
  });
  child.on("error", () => children.delete(child));
  return child;
}

/**
 * Runs a program to its end as a named step. Shows that it runs, its time at the end, and its output only if it fails.
 * Resolves to the program's standard output.
 *
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>}
 */
export async function step(name, command, args, options) {
  const began = Date.now();
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  const terminal = process.stderr.isTTY;
  let output = "";
  let stdout = "";

  const tick = () => {
    const last = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
    const line = `… ${name}, ${seconds()}  ${last}`;
    const short = line.slice(0, (process.stderr.columns || 80) - 1);
    process.stderr.write(terminal ? `\r\x1b[K${short}` : `${short}\n`);
  };
  process.stderr.write(terminal ? `… ${name}` : `… ${name}\n`);
  const ticker = setInterval(tick, terminal ? TICK_MS : LOG_TICK_MS);

  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    output += text;
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const failure = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? "" : `exit ${code ?? signal}`));
  });

  clearInterval(ticker);
  if (terminal) process.stderr.write("\r\x1b[K");
  if (failure) {
    if (stopping) throw new Failure(`${name} was stopped`, EXIT.interrupted);
    process.stderr.write(`${output.trimEnd()}\n`);
    throw new Failure(`${name} failed: ${[command, ...args].join(" ")} (${failure})`, EXIT.found);
  }
  process.stderr.write(`✓ ${name}, ${seconds()}\n`);
  return stdout;
}

/**
 * Ends all programs that are still running, then this process.
 *
 * @param {number} code
 */
export async function stop(code) {
  if (stopping) return;
  stopping = true;
  await Promise.all([...children].map(end));
  process.exit(code);
}

/**
 * Runs the main function of a script. A signal stops all programs first. A `Failure` is shown as one line, and has
 * the exit status.
 *
 * @param {() => Promise<void>} main
 */
export async function runScript(main) {
  for (const [signal, code] of Object.entries(EXIT_CODES)) process.on(signal, () => stop(code));
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) stop(EXIT_CODES.SIGHUP);
  }, PARENT_POLL_MS);
  watch.unref();

  try {
    await main();
  } catch (error) {
    if (stopping) return;
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`edgebid: ${error.message}\n`);
    await stop(error.status);
  }
}

/**
 * Ends only the program itself, not its group, because the program ends its own children in the right order.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
function end(child) {
  return new Promise((resolve) => {
    const force = setTimeout(() => killGroup(child), GRACE_MS);
    child.on("exit", () => {
      clearTimeout(force);
      resolve(undefined);
    });
    child.kill("SIGTERM");
  });
}

/** @param {import("node:child_process").ChildProcess} child */
function killGroup(child) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The process group has ended already.
  }
}
