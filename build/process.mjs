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
 * The steps that run now. `last` is the last line that the step's program has printed.
 *
 * @type {Set<{ name: string, began: number, last: string }>}
 */
const steps = new Set();
/** @type {NodeJS.Timeout | undefined} */
let ticker;

/**
 * Runs a program to its end as a named step. Shows that it runs, its time at the end, and its output only if it fails.
 * Steps may run beside each other. Resolves to the program's standard output.
 *
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>}
 */
export async function step(name, command, args, options) {
  const own = { name, began: Date.now(), last: "" };
  let output = "";
  let stdout = "";
  steps.add(own);
  const terminal = process.stderr.isTTY;
  if (terminal) show();
  else process.stderr.write(`… ${name}\n`);
  ticker ??= setInterval(show, terminal ? TICK_MS : LOG_TICK_MS);

  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  /** @param {string} text */
  const heard = (text) => {
    output += text;
    own.last = text.trimEnd().split("\n").at(-1)?.trim() || own.last;
  };
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    heard(text);
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", heard);
  const failure = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? "" : `exit ${code ?? signal}`));
  });

  steps.delete(own);
  if (steps.size === 0) {
    clearInterval(ticker);
    ticker = undefined;
  }
  if (terminal) process.stderr.write("\r\x1b[K");
  if (failure) {
    if (stopping) throw new Failure(`${name} was stopped`, EXIT.interrupted);
    process.stderr.write(`${output.trimEnd()}\n`);
    throw new Failure(`${name} failed: ${[command, ...args].join(" ")} (${failure})`, EXIT.found);
  }
  process.stderr.write(`✓ ${name}, ${seconds(own)}\n`);
  return stdout;
}

/** Shows the steps that run, in a terminal in place of the line before. */
function show() {
  const [first, ...others] = [...steps].map((one) => `${one.name}, ${seconds(one)}  ${one.last}`.trimEnd());
  const line = [`… ${first}`, ...others].join(" | ").slice(0, (process.stderr.columns || 160) - 1);
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
}

/** @param {{ began: number }} step */
function seconds({ began }) {
  return `${((Date.now() - began) / 1000).toFixed(1)} s`;
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
