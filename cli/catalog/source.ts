//! Reads a catalog from disk: one document, or a folder of documents that are merged. A document is JSON or YAML.
//! `lists.ts` reads the text files of its lists.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CatalogRefused, compile, type Finding } from "../../worker/src/catalog/compile.ts";
import { Failure } from "../failure.mjs";
import { isFolder, readInput } from "../input.ts";
import { compiler } from "../module.ts";
import { textLists } from "./lists.ts";
import { isYaml, readYaml } from "./yaml.ts";

/** A document to compile and push. */
export interface Source {
  /** The path as written in the command. */
  path: string;
  /** The document as JSON. */
  document: Uint8Array<ArrayBuffer>;
  /** Changes a finding's path and message so that they name the file, and the line in YAML. */
  located: (finding: Finding) => Finding;
  /** The file and line of the attribute at a path of the document; null if a document in JSON has it. */
  placeOf: (path: string) => string | null;
}

type Document = Record<string, unknown>;

/** The lists of a document. In a folder, several files may have entries of one list. */
const LISTS = ["rates", "ssps", "templates", "lists", "orders", "creatives", "campaigns"];

/** An entry of a list in a message, such as `campaigns[12]`. */
const ENTRY = new RegExp(`(?<![.\\w])(${LISTS.join("|")})\\[\\d+\\]`, "g");

/** Attributes that every file may have. */
const OF_EACH = ["$schema", "format"];

/** The entries of a list that one file has. */
interface Piece {
  /** The file's name. */
  name: string;
  entries: unknown[];
}

/**
 * Reads a file, a folder, or standard input (`-`), which is JSON. Throws {@link CatalogRefused} for files that cannot be
 * read or contradict each other, and {@link Failure} if there is no file.
 */
export function sourceOf(path: string): Source {
  if (path !== "-" && isFolder(path)) return merged(path);
  if (!isYaml(path)) return sourceOfBytes(path, readInput(path));
  const findings: Finding[] = [];
  const { value, lineOf } = parsedYaml(path, readInput(path), findings);
  if (findings.length > 0 || !lineOf) throw new CatalogRefused(findings);
  const placeOf = (place: string) => `${path}:${lineOf(place)}`;
  const located = (finding: Finding) => ({ ...finding, path: `${placeOf(finding.path)}: ${finding.path}` });
  return { path, document: bytesOf(value), located, placeOf };
}

/** A document in JSON that is not on disk. */
export function sourceOfBytes(path: string, document: Uint8Array<ArrayBuffer>): Source {
  return { path, document, located: (finding) => finding, placeOf: () => null };
}

/** Merges the documents of a folder. Lists are joined in the order of the files' names. */
function merged(folder: string): Source {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".json") || isYaml(name))
    .sort();
  if (names.length === 0) throw new Failure(`${folder} has no *.json or *.yaml files`);
  const whole: Document = {};
  const lists = new Map(LISTS.map((list) => [list, [] as Piece[]]));
  const setIn = new Map<string, string>();
  const lines = new Map<string, Lines>();
  const findings: Finding[] = [];
  for (const name of names) {
    const { document, lineOf } = parsed(folder, name, findings);
    if (lineOf) lines.set(name, lineOf);
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
  const texts = new Set<string>();
  for (const { id, name, values, lines: ofValues } of textLists(folder, findings)) {
    lists.get("lists")?.push({ name, entries: [{ id, values }] });
    texts.add(name);
    lines.set(name, (path) => ofValues[Number(/\.values\[(\d+)\]/.exec(path)?.[1])]);
  }
  if (findings.length > 0) throw new CatalogRefused(findings);
  for (const [list, pieces] of lists) {
    if (pieces.length > 0) whole[list] = pieces.flatMap(({ entries }) => entries);
  }
  /** The file with the attribute at a path, and its path there. */
  const inFile = (path: string): { name: string | undefined; path: string } => {
    const [, list = "", number = "", rest = ""] = /^(\w+)\[(\d+)\](.*)$/s.exec(path) ?? [];
    let place = Number(number);
    for (const { name, entries } of lists.get(list) ?? []) {
      if (place < entries.length) return { name, path: `${list}[${place}]${rest}` };
      place -= entries.length;
    }
    return { name: setIn.get(path.split(".")[0] ?? ""), path };
  };
  /** `eu.json`, or `eu.yaml:12`. */
  const fileOf = ({ name = "", path }: ReturnType<typeof inFile>) => {
    const line = lines.get(name)?.(path);
    return line === undefined ? name : `${name}:${line}`;
  };
  const located = ({ path, message, ...rest }: Finding): Finding => {
    const found = inFile(path);
    // In a text file, the line says where it is.
    const isText = texts.has(found.name ?? "");
    const where = found.name === undefined ? path : isText ? fileOf(found) : `${fileOf(found)}: ${found.path}`;
    const named = message.replace(ENTRY, (entry) => {
      const other = inFile(entry);
      return other.name === undefined ? entry : `${other.name} ${other.path}`;
    });
    return { path: where, message: named, ...rest };
  };
  const placeOf = (path: string) => {
    const found = inFile(path);
    return found.name !== undefined && lines.has(found.name) ? fileOf(found) : null;
  };
  return { path: folder, document: bytesOf(whole), located, placeOf };
}

/** The line of the attribute at a path; undefined if it has none. */
type Lines = (path: string) => number | undefined;

/** An object of a folder's file, and its lines if it is in YAML. It is empty, with findings, if it cannot be read. */
function parsed(folder: string, name: string, findings: Finding[]): { document: Document; lineOf?: Lines } {
  const bytes = readInput(join(folder, name));
  const { value, lineOf } = isYaml(name) ? parsedYaml(name, bytes, findings) : parsedJson(name, bytes, findings);
  if (value === undefined) return { document: {} };
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { document: value as Document, ...(lineOf && { lineOf }) };
  const message = "not an object; expected a catalog document";
  findings.push({ path: name, rule: "wrong-type", message, severity: "error" });
  return { document: {} };
}

function parsedYaml(name: string, bytes: Uint8Array, findings: Finding[]): { value?: unknown; lineOf?: Lines } {
  const read = readYaml(new TextDecoder().decode(bytes));
  if (!Array.isArray(read)) return read;
  findings.push(...read.map((finding) => ({ ...finding, path: `${name}:${finding.path.replace("line ", "")}` })));
  return {};
}

function parsedJson(name: string, bytes: Uint8Array, findings: Finding[]): { value?: unknown; lineOf?: Lines } {
  const unreadable = unreadableIn(bytes);
  findings.push(
    ...unreadable.map((finding) => ({ ...finding, path: [name, finding.path].filter(Boolean).join(": ") })),
  );
  if (unreadable.some(({ rule }) => rule === "not-json")) return {};
  return { value: JSON.parse(new TextDecoder().decode(bytes)) };
}

/**
 * Findings of a file that merging would hide: it is not JSON, it has an attribute twice, of which `JSON.parse` keeps
 * only the last, or it has a number with a fraction, such as 5000.0, of which `JSON.parse` keeps only the integer.
 */
function unreadableIn(document: Uint8Array): Finding[] {
  try {
    compile(document, compiler);
    return [];
  } catch (error) {
    if (!(error instanceof CatalogRefused)) throw error;
    return error.findings.filter(
      ({ rule, message }) =>
        rule === "duplicate-key" || rule === "not-json" || /^the number [-0-9]+[.eE]/.test(message),
    );
  }
}

function bytesOf(document: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`));
}
