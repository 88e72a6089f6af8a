//! A catalog as it lies on disk: one document, or a folder of them that are put together.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CatalogRefused, compile, type Finding } from "../../worker/src/catalog/compile.ts";
import { isFolder, readInput } from "../input.ts";
import { compiler } from "../module.ts";
import { CatalogFailure } from "./store.ts";

/** What is compiled and pushed. */
export interface Source {
  /** Where it lies, as it was named. */
  path: string;
  document: Uint8Array<ArrayBuffer>;
  /** The finding as whoever wrote the files reads it. */
  told: (finding: Finding) => Finding;
}

type Document = Record<string, unknown>;

/** The lists of a document, which may be in several files. */
const LISTS = ["rates", "ssps", "creatives", "campaigns"];

/** Attributes of which every file may have its own. */
const OF_EACH = ["$schema", "format"];

/**
 * `-` is standard input. Throws {@link CatalogRefused} for files that do not go together, {@link CatalogFailure} where there is
 * none.
 */
export function sourceOf(path: string): Source {
  if (path !== "-" && isFolder(path)) return merged(path);
  return { path, document: readInput(path), told: (finding) => finding };
}

/** All of a folder's documents as one: lists one behind the other, in the order of the files' names. */
function merged(folder: string): Source {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort();
  if (names.length === 0) throw new CatalogFailure(`${folder} holds no *.json`);
  const whole: Document = {};
  const lists = new Map(LISTS.map((list) => [list, [] as { name: string; entries: unknown[] }[]]));
  const setIn = new Map<string, string>();
  const findings: Finding[] = [];
  for (const name of names) {
    const document = parsed(folder, name, findings);
    for (const [key, value] of Object.entries(document)) {
      const list = lists.get(key);
      if (list && Array.isArray(value)) list.push({ name, entries: value });
      else if (key === "$schema") continue;
      else if (setIn.has(key) && !OF_EACH.includes(key)) {
        const message = `is in ${setIn.get(key)} too; expected in one file only`;
        findings.push({ path: `${name}: ${key}`, rule: "duplicate-key", message, severity: "error" });
      } else {
        if (setIn.has(key) && value !== whole[key]) {
          const message = `${JSON.stringify(value)}, and ${JSON.stringify(whole[key])} in ${setIn.get(key)}`;
          const finding = {
            rule: "out-of-range",
            message: `${message}; expected the same`,
            severity: "error" as const,
          };
          findings.push({ path: `${name}: ${key}`, ...finding });
        }
        whole[key] = value;
        setIn.set(key, name);
      }
    }
  }
  if (findings.length > 0) throw new CatalogRefused(findings);
  for (const [list, pieces] of lists) {
    if (pieces.length > 0) whole[list] = pieces.flatMap(({ entries }) => entries);
  }
  /** `campaigns[12]` as `eu.json: campaigns[2]`. */
  const located = (text: string, inFront: (name: string) => string) =>
    text.replace(/(?<![.\w])(rates|ssps|creatives|campaigns)\[(\d+)\]/g, (_, list: string, number: string) => {
      let place = Number(number);
      for (const { name, entries } of lists.get(list) ?? []) {
        if (place < entries.length) return `${inFront(name)}${list}[${place}]`;
        place -= entries.length;
      }
      return `${list}[${number}]`;
    });
  const told = ({ path, message, ...rest }: Finding): Finding => {
    const [key = ""] = path.split(".");
    const where = setIn.has(key) ? `${setIn.get(key)}: ${path}` : path;
    return { path: located(where, (name) => `${name}: `), message: located(message, (name) => `${name} `), ...rest };
  };
  return {
    path: folder,
    document: new Uint8Array(new TextEncoder().encode(`${JSON.stringify(whole, null, 2)}\n`)),
    told,
  };
}

function parsed(folder: string, name: string, findings: Finding[]): Document {
  const bytes = readFileSync(join(folder, name));
  const unreadable = unreadableIn(bytes);
  findings.push(
    ...unreadable.map((finding) => ({ ...finding, path: [name, finding.path].filter(Boolean).join(": ") })),
  );
  if (unreadable.some(({ rule }) => rule === "not-json")) return {};
  const value: unknown = JSON.parse(bytes.toString("utf8"));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Document;
  const message = "no object; expected a catalog document";
  findings.push({ path: name, rule: "wrong-type", message, severity: "error" });
  return {};
}

/** Why a file is no JSON, and what it gives more than once: `JSON.parse` drops that silently, so that the whole would not show it. */
function unreadableIn(document: Uint8Array): Finding[] {
  try {
    compile(document, compiler);
    return [];
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    return error.findings.filter(({ rule }) => rule === "duplicate-key" || rule === "not-json");
  }
}
