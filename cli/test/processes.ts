//! The processes of this machine, so that tests can find those that they started.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** One process. `name` is the name of its program without the folder. */
export interface Process {
  pid: number;
  ppid: number;
  name: string;
}

/** All living processes of this machine, from /proc if there is one, otherwise from `ps`. */
export function processes(): Process[] {
  if (!existsSync("/proc/self/stat")) {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
    return lines.map((line) => {
      const [, pid, ppid, path = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return { pid: Number(pid), ppid: Number(ppid), name: basename(path) };
    });
  }
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        // pid (name) state ppid …, and the name may hold spaces and brackets.
        const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
        const [, name = "", state, ppid] = /^\d+ \((.*)\) (\S) (\d+) /s.exec(stat) ?? [];
        // A zombie has ended, but in some containers nothing collects it.
        return state === "Z" ? [] : [{ pid: Number(entry), ppid: Number(ppid), name }];
      } catch {
        return []; // The process has ended meanwhile.
      }
    });
}
