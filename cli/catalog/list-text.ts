//! The texts of lists in a catalog's folder, `lists/NAME.txt`: one value a line. Their first comments may say where the
//! values come from.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../shared/time/days.ts";

/** How old the values of a list may be that says when they were fetched, in days. */
const MAX_AGE_DAYS = 14;

/** The names of the texts of lists in a catalog's folder, in their order, such as `lists/brand-safety.txt`. */
export function listsIn(folder: string): string[] {
  const lists = join(folder, "lists");
  if (!existsSync(lists)) return [];
  const files = readdirSync(lists).filter((file) => file.endsWith(".txt"));
  return files.sort().map((file) => `lists/${file}`);
}

/** The id of the list with a text. */
export function idOf(name: string): string {
  return name.slice("lists/".length, -".txt".length);
}

/** The comments before the first value of a text. */
export function headLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const end = lines.findIndex((line) => !line.startsWith("#"));
  return lines.slice(0, end < 0 ? undefined : end);
}

/** What a comment of the head says: `# url: https://lists.example/a.txt` has the name `url`; null if it is for people. */
export function saidBy(line: string): [name: string, value: string] | null {
  const [, name, value] = /^# ?([a-z0-9]+): *(.*?) *$/.exec(line) ?? [];
  return name === undefined || value === undefined ? null : [name, value];
}

/** What the head of a text says, by name. */
export function headOf(text: string): Map<string, string> {
  return new Map(
    headLines(text)
      .map(saidBy)
      .filter((said) => said !== null),
  );
}

/** The values of a text, each with its line, counted from 1. Blank lines and comments are none. */
export function valuesOf(text: string): { value: string; number: number }[] {
  const lines = text.split("\n").map((line, at) => ({ value: line.trim(), number: at + 1 }));
  return lines.filter(({ value }) => value !== "" && !value.startsWith("#"));
}

/** From when on the values of a text are too old, in milliseconds since the epoch; never if it does not say its day. */
export function oldFrom(text: string): number {
  const fetched = Date.parse(headOf(text).get("fetched") ?? "");
  return Number.isNaN(fetched) ? Number.POSITIVE_INFINITY : fetched + MAX_AGE_DAYS * DAY_MS;
}
