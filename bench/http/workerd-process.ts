//! Facts about the workerd processes that this process started. They come from /proc, which exists on Linux only.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Fields of /proc/PID/stat, counted from the first one after the name. */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const KB = 1024;
/** Written to /proc/PID/clear_refs, this resets the peak. */
const RESET_PEAK = "5";

/** The workerd processes that this process started; empty without /proc. */
export function workerds(): number[] {
  return entries("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const { name, fields } = stat(pid);
      return name === "workerd" && Number(fields[PARENT]) === process.pid;
    });
}

/** Processor time so far in milliseconds; null if /proc cannot tell. */
export function cpuMs(pid: number | undefined): number | null {
  const { fields } = stat(pid);
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  return Number.isFinite(ticks) ? (ticks * 1000) / ticksPerSecond() : null;
}

/** Resident memory in bytes; null if /proc cannot tell. */
export function workingSet(pid: number | undefined): number | null {
  const size = /^VmRSS:\s+(\d+) kB$/m.exec(text(`/proc/${pid}/status`))?.[1];
  return size === undefined ? null : Number(size) * KB;
}

/** Maximum of {@link workingSet} since {@link resetPeak}; null if /proc cannot tell. */
export function peakSet(pid: number | undefined): number | null {
  const size = /^VmHWM:\s+(\d+) kB$/m.exec(text(`/proc/${pid}/status`))?.[1];
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

function stat(pid: number | undefined): { name: string; fields: string[] } {
  const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(text(`/proc/${pid}/stat`)) ?? [];
  return { name, fields: rest.split(" ") };
}

let ticks: number | undefined;

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}

/** Empty if the process has ended or the system has no /proc. */
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
