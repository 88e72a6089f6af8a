//! Reads the lists of a catalog folder: `lists/NAME.txt`, one value a line.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../worker/src/catalog/compile.ts";

/** A list from a text file. */
interface TextList {
  /** The file's name without `.txt`. */
  id: string;
  /** The file's path within the catalog's folder. */
  name: string;
  values: string[];
  /** The line of each value, from 1. */
  lines: number[];
}

/** The lists of a folder, in the order of the files' names. Adds a finding for each file that is not
 * UTF-8, or no ordinary file: a link may lead out of the folder, and a pipe never ends. */
export function textLists(folder: string, findings: Finding[]): TextList[] {
  const lists = join(folder, "lists");
  if (!existsSync(lists)) return [];
  const files = readdirSync(lists, { withFileTypes: true }).filter((file) => file.name.endsWith(".txt"));
  files.sort((one, other) => (one.name < other.name ? -1 : 1));
  return files.flatMap((entry) => {
    const file = entry.name;
    const name = `lists/${file}`;
    if (!entry.isFile()) {
      findings.push(unreadable(name, "no ordinary file; expected a text, not a link, a pipe or a folder"));
      return [];
    }
    const list: TextList = { id: file.slice(0, -".txt".length), name, values: [], lines: [] };
    for (const [at, line] of linesOf(readFileSync(join(lists, file)), name, findings).entries()) {
      const value = line.trim();
      if (value === "" || value.startsWith("#")) continue;
      list.values.push(value);
      list.lines.push(at + 1);
    }
    return list;
  });
}

function linesOf(bytes: Uint8Array, name: string, findings: Finding[]): string[] {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
  } catch {
    findings.push(unreadable(name, "not UTF-8; expected a text with one value a line"));
    return [];
  }
}

function unreadable(path: string, message: string): Finding {
  return { path, rule: "unreadable", message, severity: "error" };
}
