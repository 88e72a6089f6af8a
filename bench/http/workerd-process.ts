//! What the system knows of a workerd that this process has started. From /proc: on Linux alone.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Fields of /proc/PID/stat, counted from the one behind the name. */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const KB = 1024;
/** What /proc/PID/clear_refs takes to begin the peak anew. */
const RESET_PEAK = "5";

/** The processes of workerd that this process has started; empty where that cannot be told. */
export function workerds(): number[] {
  return entries("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const { name, fields } = stat(pid);
      return name === "workerd" && Number(fields[PARENT]) === process.pid;
    });
}

/** Milliseconds of processor time so far; null where that cannot be told. */
export function cpuMs(pid: number | undefined): number | null {
  const { fields } = stat(pid);
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  return Number.isFinite(ticks) ? (ticks * 1000) / ticksPerSecond() : null;
}

/** Bytes of memory in use; null where that cannot be told. */
export function workingSet(pid: number | undefined): number | null {
  const size = /^VmRSS:\s+(\d+) kB$/m.exec(text(`/proc/${pid}/status`))?.[1];
  return size === undefined ? null : Number(size) * KB;
}

/** The most of {@link workingSet} since {@link resetPeak}; null where that cannot be told. */
export function peakSet(pid: number | undefined): number | null {
  const size = /^VmHWM:\s+(\d+) kB$/m.exec(text(`/proc/${pid}/status`))?.[1];
  return size === undefined ? null : Number(size) * KB;
}

/** From now on {@link peakSet} tells the most. */
export function resetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
  } catch {
    // Then the peak cannot be told either.
  }
}

function stat(pid: number | undefined): { name: string; fields: string[] } {
  const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(text(`/proc/${pid}/stat`)) ?? [];
  return { name, fields: rest.split(" ") };
}

let ticks: number | undefined;

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}

/** Empty for a process that has ended, and where there is no /proc. */
function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
