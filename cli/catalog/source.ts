//! Reads a catalog from disk: one document, or a folder of documents that are merged. A document is JSON or YAML. A
//! folder may also have lists as texts: `lists/NAME.txt`, one value a line.

import { readdirSync } from "node:fs";
import { relative } from "node:path";
import { Failure } from "../../build/failure.mjs";
import { CatalogRefused, type Finding, outcomeOf } from "../../shared/catalog/compile.ts";
import { isFolder, isObject, readInput, readInside } from "../input.ts";
import { compiler } from "../module.ts";
import { idOf, listsIn, valuesOf } from "./list-text.ts";
import { bytesOf } from "./store.ts";
import { errorAt, isYaml, readYaml } from "./yaml.ts";

/** A document to compile and push. */
export interface Source {
  /** The path as written in the command. */
  path: string;
  /** The document as JSON. */
  document: Uint8Array<ArrayBuffer>;
  /** Changes a finding's path and message so that they name the file, and the line in YAML. */
  located: (finding: Finding) => Finding;
  /** The file and line of the attribute at a path of the document; null if its file is in JSON. */
  locationOf: (path: string) => string | null;
}

type Document = Record<string, unknown>;

/** The lists of a document. In a folder, several files may have entries of one list. */
const LISTS = ["rates", "ssps", "templates", "lists", "orders", "creatives", "campaigns", "approvals"];

/** An entry of a list in a message, such as `campaigns[12]`. */
const ENTRY = new RegExp(`(?<![.\\w])(${LISTS.join("|")})\\[\\d+\\]`, "g");

/** A file of a folder. */
interface File {
  /** Its path within the folder. */
  name: string;
  /** Empty, with findings, if the file cannot be read. */
  document: Document;
  /** The line of the attribute at a path; absent in JSON. */
  lineOf?: (path: string) => number | undefined;
  /** Whether it is the text of a list. There, the line is enough to find the mistake. */
  isText?: boolean;
}

/** A file of a catalog as it would be: the catalog itself, or a file of its folder. */
export interface Draft {
  file: string;
  text: string;
}

/**
 * Reads a file, a folder, or standard input (`-`), which is JSON; with drafts in place of their files. Throws
 * {@link CatalogRefused} for files that cannot be read or contradict each other, and {@link Failure} if there is no file.
 */
export function sourceOf(path: string, ...drafts: Draft[]): Source {
  if (path !== "-" && isFolder(path)) return merged(path, drafts);
  const [draft] = drafts;
  const bytes = draft ? bytesOf(draft.text) : readInput(path);
  if (!isYaml(path)) return sourceOfBytes(path, bytes);
  const findings: Finding[] = [];
  const { value, lineOf } = parsedYaml(path, bytes, findings);
  if (findings.length > 0 || !lineOf) throw new CatalogRefused(findings);
  const locationOf = (at: string) => `${path}:${lineOf(at)}`;
  const located = (finding: Finding) =>
    finding.path === "" ? finding : { ...finding, path: `${locationOf(finding.path)}: ${finding.path}` };
  return { path, document: jsonOf(value), located, locationOf };
}

/** A document in JSON that is not on disk. */
export function sourceOfBytes(path: string, document: Uint8Array<ArrayBuffer>): Source {
  return { path, document, located: (finding) => finding, locationOf: () => null };
}

/** Merges the documents of a folder. Lists are joined in the order of the files' names. */
function merged(folder: string, drafts: Draft[]): Source {
  const findings: Finding[] = [];
  const whole: Document = {};
  const lists = new Map(LISTS.map((list) => [list, [] as { file: File; entries: unknown[] }[]]));
  const setIn = new Map<string, File>();
  for (const file of filesIn(folder, findings, drafts)) {
    for (const [key, value] of Object.entries(file.document)) {
      const list = lists.get(key);
      const first = setIn.get(key)?.name;
      const at = `${file.name}: ${key}`;
      if (key === "$schema") continue;
      if (list && Array.isArray(value)) list.push({ file, entries: value });
      // Another file may have the list, which would replace this value.
      else if (list && value !== null)
        findings.push(errorAt(at, "wrong-type", "not a list; expected an array, in YAML a - before each entry"));
      else if (first !== undefined && key !== "format")
        findings.push(errorAt(at, "duplicate-key", `is in ${first} too; expected in one file only`));
      else {
        const texts = [value, whole[key]].map((one) => JSON.stringify(one));
        if (first !== undefined && value !== whole[key])
          findings.push(errorAt(at, "out-of-range", `${texts.join(", and ")} in ${first}; expected the same`));
        whole[key] = value;
        setIn.set(key, file);
      }
    }
  }
  if (findings.length > 0) throw new CatalogRefused(findings);
  for (const [list, pieces] of lists) {
    if (pieces.length > 0) whole[list] = pieces.flatMap(({ entries }) => entries);
  }
  /** The file with the attribute at a path, and its path there. */
  const inFile = (path: string): { file: File | undefined; path: string } => {
    const [, list = "", number = "", rest = ""] = /^(\w+)\[(\d+)\](.*)$/s.exec(path) ?? [];
    let position = Number(number);
    for (const { file, entries } of lists.get(list) ?? []) {
      if (position < entries.length) return { file, path: `${list}[${position}]${rest}` };
      position -= entries.length;
    }
    return { file: setIn.get(path.split(".")[0] ?? ""), path };
  };
  return { path: folder, document: jsonOf(whole), ...locationsIn(inFile) };
}

/**
 * The names of locations in a merged document. `inFile` finds the file with the attribute at a path, and its path there.
 */
function locationsIn(inFile: (path: string) => { file: File | undefined; path: string }) {
  /** `eu.json`, or `eu.yaml:12`. */
  const lineText = ({ name, lineOf }: File, path: string) => {
    const line = lineOf?.(path);
    return line === undefined ? name : `${name}:${line}`;
  };
  const locationText = (at: string) => {
    const { file, path } = inFile(at);
    if (!file) return path;
    return file.isText ? lineText(file, path) : `${lineText(file, path)}: ${path}`;
  };
  const entryText = (entry: string) => {
    const { file, path } = inFile(entry);
    return file ? `${file.name} ${path}` : entry;
  };
  return {
    located: ({ path, message, ...rest }: Finding): Finding => {
      return { path: locationText(path), message: message.replace(ENTRY, entryText), ...rest };
    },
    locationOf: (at: string) => {
      const { file, path } = inFile(at);
      return file?.lineOf ? lineText(file, path) : null;
    },
  };
}

/** The documents of a folder in the order of their names, and then its lists that are texts. */
function* filesIn(folder: string, findings: Finding[], drafts: Draft[]): Generator<File> {
  const texts = new Map(drafts.map(({ file, text }) => [relative(folder, file), text]));
  const all = new Set([...readdirSync(folder), ...[...texts.keys()].filter((name) => !name.includes("/"))]);
  const names = [...all].filter((name) => name.endsWith(".json") || isYaml(name));
  if (names.length === 0) throw new Failure(`${folder} has no *.json or *.yaml files`);
  for (const name of names.sort()) {
    const bytes = fileIn(folder, name, findings, texts);
    if (bytes === null) continue;
    const { value, lineOf } = isYaml(name) ? parsedYaml(name, bytes, findings) : parsedJson(name, bytes, findings);
    if (value !== undefined && !isObject(value))
      findings.push(errorAt(name, "wrong-type", "not an object; expected a catalog document"));
    yield { name, document: isObject(value) ? value : {}, ...(lineOf && { lineOf }) };
  }
  yield* textLists(folder, findings, texts);
}

/**
 * The bytes of a draft or a file in the folder; null, with a finding, if it is no file or leads out of the folder.
 * `texts`: the drafts by name.
 */
function fileIn(
  folder: string,
  name: string,
  findings: Finding[],
  texts: Map<string, string>,
): Uint8Array<ArrayBuffer> | null {
  const draft = texts.get(name);
  const bytes = draft === undefined ? readInside(folder, name) : bytesOf(draft);
  if (typeof bytes !== "string") return bytes;
  findings.push(errorAt(name, "unreadable", bytes));
  return null;
}

/** The lists of a folder that are texts, in the order of their names. Refuses text that is not UTF-8. */
function textLists(folder: string, findings: Finding[], texts: Map<string, string>): File[] {
  return listsIn(folder).flatMap((name): File[] => {
    const bytes = fileIn(folder, name, findings, texts);
    if (bytes === null) return [];
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      findings.push(errorAt(name, "unreadable", "not UTF-8; expected a text with one value a line"));
      return [];
    }
    const filled = valuesOf(text);
    const values = filled.map(({ value }) => value);
    return [
      {
        ...{ name, isText: true, document: { lists: [{ id: idOf(name), values }] } },
        lineOf: (path) => filled[Number(/\.values\[(\d+)\]/.exec(path)?.[1])]?.number,
      },
    ];
  });
}

function parsedYaml(
  name: string,
  bytes: Uint8Array,
  findings: Finding[],
): { value?: unknown; lineOf?: (path: string) => number } {
  const read = readYaml(new TextDecoder().decode(bytes));
  if (!Array.isArray(read)) return read;
  findings.push(...read.map((finding) => ({ ...finding, path: `${name}:${finding.path.replace("line ", "")}` })));
  return {};
}

/**
 * Reads JSON, and finds mistakes that `JSON.parse` would hide: a duplicate attribute, of which it keeps only the last
 * value, and a number with a fraction, such as 5000.0, of which it keeps only the integer.
 */
function parsedJson(name: string, bytes: Uint8Array, findings: Finding[]): { value?: unknown; lineOf?: undefined } {
  const hidden = (outcomeOf(bytes, compiler).findings ?? []).filter(
    ({ rule, message }) => rule === "duplicate-key" || rule === "not-json" || /^the number [-0-9]+[.eE]/.test(message),
  );
  findings.push(...hidden.map((finding) => ({ ...finding, path: [name, finding.path].filter(Boolean).join(": ") })));
  if (hidden.some(({ rule }) => rule === "not-json")) return {};
  return { value: JSON.parse(new TextDecoder().decode(bytes)) };
}

function jsonOf(document: unknown): Uint8Array<ArrayBuffer> {
  return bytesOf(`${JSON.stringify(document, null, 2)}\n`);
}
