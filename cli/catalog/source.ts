//! Reads a catalog from disk: one document, or a folder of documents that are merged.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CatalogRefused, compile, type Finding } from "../../worker/src/catalog/compile.ts";
import { isFolder, readInput } from "../input.ts";
import { compiler } from "../module.ts";
import { CatalogFailure } from "./store.ts";

/** A document to compile and push. */
export interface Source {
  /** The path as written in the command. */
  path: string;
  document: Uint8Array<ArrayBuffer>;
  /** Changes a finding's path and message so that they name the file. */
  located: (finding: Finding) => Finding;
}

type Document = Record<string, unknown>;

/** The lists of a document. In a folder, several files may have entries of one list. */
const LISTS = ["rates", "ssps", "templates", "creatives", "campaigns"];

/** Attributes that every file may have. */
const OF_EACH = ["$schema", "format"];

/**
 * Reads a file, a folder, or standard input (`-`). Throws {@link CatalogRefused} for files that contradict each other,
 * and {@link CatalogFailure} if there is no file.
 */
export function sourceOf(path: string): Source {
  if (path !== "-" && isFolder(path)) return merged(path);
  return { path, document: readInput(path), located: (finding) => finding };
}

/** Merges the documents of a folder. Lists are joined in the order of the files' names. */
function merged(folder: string): Source {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort();
  if (names.length === 0) throw new CatalogFailure(`${folder} has no *.json files`);
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
  const renamed = (text: string, prefix: (name: string) => string) =>
    text.replace(
      /(?<![.\w])(rates|ssps|templates|creatives|campaigns)\[(\d+)\]/g,
      (_, list: string, number: string) => {
        let place = Number(number);
        for (const { name, entries } of lists.get(list) ?? []) {
          if (place < entries.length) return `${prefix(name)}${list}[${place}]`;
          place -= entries.length;
        }
        return `${list}[${number}]`;
      },
    );
  const located = ({ path, message, ...rest }: Finding): Finding => {
    const [key = ""] = path.split(".");
    const where = setIn.has(key) ? `${setIn.get(key)}: ${path}` : path;
    return { path: renamed(where, (name) => `${name}: `), message: renamed(message, (name) => `${name} `), ...rest };
  };
  return {
    path: folder,
    document: new Uint8Array(new TextEncoder().encode(`${JSON.stringify(whole, null, 2)}\n`)),
    located,
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
  const message = "not an object; expected a catalog document";
  findings.push({ path: name, rule: "wrong-type", message, severity: "error" });
  return {};
}

/**
 * Findings of a file that merging would hide: it is not JSON, or it has an attribute twice, of which `JSON.parse` keeps
 * only the last.
 */
function unreadableIn(document: Uint8Array): Finding[] {
  try {
    compile(document, compiler);
    return [];
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    return error.findings.filter(({ rule }) => rule === "duplicate-key" || rule === "not-json");
  }
}
