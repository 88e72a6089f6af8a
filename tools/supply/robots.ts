//! What a robots.txt allows (RFC 9309). It is a stranger's text, so reading it takes time in proportion to its length.

/** The most bytes of a robots.txt that count. RFC 9309 asks for 500 KiB at least. */
export const MAX_ROBOTS_BYTES = 500 << 10;

/** The longest rule that fits the path: its length, and whether it allows. */
interface Best {
  length: number;
  isAllowed: boolean;
}

/** Whether the robot with this name may get the path. Without a rule that fits, it may. */
export function allows(robots: string, name: string, path: string): boolean {
  const best = new Map<string, Best>();
  /** Which of the robot's name and `*` the group names; its first rule ends the list of names. */
  let [names, isNaming] = [[] as string[], false];
  for (const line of robots.split(/[\r\n]+/)) {
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? [];
    const kind = key.toLowerCase();
    if (kind === "user-agent") {
      const [agent = ""] = value.trim().toLowerCase().split("/", 1);
      if (!isNaming) names = [];
      isNaming = true;
      if ((agent === name || agent === "*") && !names.includes(agent)) names.push(agent);
    } else if (kind === "allow" || kind === "disallow") {
      isNaming = false;
      for (const agent of names) better(best, agent, value.trim(), kind === "allow", path);
    }
  }
  return (best.get(name) ?? best.get("*"))?.isAllowed ?? true;
}

/** Takes a rule for the robot if it fits the path and is longer, or as long and an `allow`. An empty rule fits nothing. */
function better(best: Map<string, Best>, agent: string, pattern: string, isAllowed: boolean, path: string): void {
  const known = best.get(agent) ?? { length: 0, isAllowed: true };
  const { length } = pattern;
  const isLonger = length > known.length || (length === known.length && isAllowed);
  best.set(agent, isLonger && fits(pattern, path) ? { length, isAllowed } : known);
}

/** Whether the path begins with the pattern, where `*` stands for any text and `$` at the end for the path's end. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || (others.length === 0 ? at === path.length : path.endsWith(others.at(-1) ?? ""));
}
