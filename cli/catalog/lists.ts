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

/** The lists of a folder, in the order of the files' names. Adds a finding for each file that is not UTF-8. */
export function textLists(folder: string, findings: Finding[]): TextList[] {
  const lists = join(folder, "lists");
  if (!existsSync(lists)) return [];
  const files = readdirSync(lists).filter((file) => file.endsWith(".txt"));
  return files.sort().map((file) => {
    const name = `lists/${file}`;
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
    const message = "not UTF-8; expected a text with one value a line";
    findings.push({ path: name, rule: "unreadable", message, severity: "error" });
    return [];
  }
}
