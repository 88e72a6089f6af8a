//! Starts scripts in workerd processes, and finds facts about the processes in /proc, which exists on Linux only.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type RunningScript, startScript } from "../cli/workerd.ts";

/** Fields of /proc/PID/stat, counted from the first one after the name. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
/** Linux counts ticks of 10 ms on every processor that workerd supports. */
const MS_A_TICK = 10;
const KB = 1024;
/** Written to /proc/PID/clear_refs, this resets the peak. */
const RESET_PEAK = "5";

/** A script in a workerd of its own. */
export interface Process {
  script: RunningScript;
  /** Undefined if /proc has no data. */
  pid: number | undefined;
}

/** {@link startScript}, and the process that it started. */
export async function startProcess(...args: Parameters<typeof startScript>): Promise<Process> {
  const others = new Set(workerds());
  const script = await startScript(...args);
  return { script, pid: workerds().find((pid) => !others.has(pid)) };
}

/** The workerd processes that this process started; empty without /proc. */
function workerds(): number[] {
  if (!existsSync("/proc/self/task")) return [];
  const threads = readdirSync("/proc/self/task");
  const children = threads.flatMap((thread) => text(`/proc/self/task/${thread}/children`).trim().split(" "));
  return children.filter((pid) => text(`/proc/${pid}/comm`) === "workerd\n").map(Number);
}

/** Processor time so far in milliseconds; null if /proc has no data. */
export function cpuMs(pid: number | undefined): number | null {
  const fields = text(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  return Number.isFinite(ticks) ? ticks * MS_A_TICK : null;
}

/** Resident memory in bytes; null if /proc has no data. */
export function workingSet(pid: number | undefined): number | null {
  return memoryOf("VmRSS", pid);
}

/** Maximum of {@link workingSet} since {@link resetPeak}; null if /proc has no data. */
export function peakSet(pid: number | undefined): number | null {
  return memoryOf("VmHWM", pid);
}

function memoryOf(name: string, pid: number | undefined): number | null {
  const size = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text(`/proc/${pid}/status`))?.[1];
  return size === undefined ? null : Number(size) * KB;
}

/** Restarts the maximum of {@link peakSet}. */
export function resetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
  } catch {
    // Without /proc, `peakSet` returns null.
  }
}

/** Empty if the process has ended or the system has no /proc. */
function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
