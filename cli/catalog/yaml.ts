//! Reads catalog documents in YAML: the document as JSON, and the line of each attribute.
//!
//! Accepts only values that JSON has. Refuses mistakes that YAML allows silently: numbers that lose digits, such as the
//! price `2.50` or the postal code `01067`, duplicate names, attributes without a value, and aliases.

import { type Document, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { Finding } from "../../shared/catalog/compile.ts";

/** A document in YAML. */
export interface Yaml {
  /** The document as `JSON.parse` would return it. */
  value: unknown;
  /**
   * The line, from 1, of the attribute at a finding's path; if it is missing, the line of the nearest object around it.
   */
  lineOf: (path: string) => number;
}

/** Whether a file is YAML, by its name. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** Reads a text. Returns findings, whose paths are `line N`, if it cannot be used. */
export function readYaml(text: string): Yaml | Finding[] {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: "1.2",
    schema: "core",
    // The library compares each key with every other: two minutes for 40,000 keys.
    uniqueKeys: false,
  });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const finding = (offset: number | undefined, rule: string, message: string) =>
    errorAt(`line ${lineAt(offset ?? 0)}`, rule, message);
  const findings = [...document.errors, ...document.warnings].map(({ pos, message }) =>
    finding(pos[0], "not-yaml", `not YAML that a catalog can have: ${message}`),
  );
  visit(document, {
    Alias: (_, node) => {
      const message = `the alias *${node.source}; expected a template, or the values themselves`;
      findings.push(finding(node.range?.[0], "out-of-range", message));
    },
    Map: (_, { items }) => {
      const known = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (known.has(name))
          findings.push(finding(key.range?.[0], "duplicate-key", "given more than once; expected once"));
        known.add(name);
      }
    },
    Scalar: (at, node) => {
      // `budget:` alone is hardly meant to lift the budget.
      if (at !== "key" && node.value === null && !node.source)
        findings.push(finding(node.range?.[0], "out-of-range", "empty; expected a value, or null if none is meant"));
      if (typeof node.value !== "number" || isExact(node.source)) return;
      const message = `the number ${node.source}; expected it in quotes: "${node.source}"`;
      findings.push(finding(node.range?.[0], "out-of-range", message));
    },
  });
  if (findings.length > 0) return findings;
  return { value: document.toJS(), lineOf: (path) => lineAt(offsetOf(document, path)) };
}

/** Whether the document as JSON has the same digits for a number. */
function isExact(source: string | undefined): boolean {
  return source !== undefined && JSON.stringify(Number(source)) === source;
}

/** The finding of an error at a path. */
export function errorAt(path: string, rule: string, message: string): Finding {
  return { path, rule, message, severity: "error" };
}

/** Where the attribute at a path begins, or the nearest object around it. */
function offsetOf(document: Document, path: string): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    const found = isSeq(node)
      ? { key: node.items[Number(step)], value: node.items[Number(step)] }
      : isMap(node)
        ? node.items.find((pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === step)
        : undefined;
    if (!found) break;
    offset = (found.key as Node | undefined)?.range?.[0] ?? offset;
    node = found.value;
  }
  return offset;
}
