//! The folders of `worker/src` stay small, and their imports form no circle. Runs in Node, which can read the sources.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../src");
const MAX_FILES = 9;

const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** The folder of `worker/src` that holds a file. A file at the top stands for itself. */
function folderOf(file: string): string {
  return relative(SOURCES, file).split(sep)[0] ?? "";
}

/** The files of `worker/src` that a file imports. Fails for an import that leads nowhere. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\(?) ?"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  const found = paths.map((path) => join(dirname(file), path));
  const sources = found.filter((path) => !relative(SOURCES, path).startsWith(".."));
  for (const path of sources) expect(existsSync(path), `${file} imports ${path}`).toBe(true);
  return sources;
}

/** For each folder, the other folders that it imports from. */
function folderImports(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const from = folderOf(file);
    const to = importsOf(file).map(folderOf);
    imports.set(from, new Set([...(imports.get(from) ?? []), ...to.filter((folder) => folder !== from)]));
  }
  return imports;
}

/**
 * The folders on a circle of imports. Removes folders without importers or without imports until no such folder is
 * left; returns the rest.
 */
function circular(imports: Map<string, Set<string>>): string[] {
  let left = [...imports.keys()];
  for (;;) {
    const imported = new Set(left.flatMap((folder) => [...(imports.get(folder) ?? [])]));
    const kept = left.filter((folder) => imported.has(folder) && left.some((to) => imports.get(folder)?.has(to)));
    if (kept.length === left.length) return left;
    left = kept;
  }
}

test("no two folders import from each other, not even through others", () => {
  const imports = folderImports();
  expect(circular(imports)).toEqual([]);
  // The routes import from everything below them, so one import back to them makes a circle.
  expect(circular(imports.set("telemetry", new Set(["routes"])))).toEqual(
    expect.arrayContaining(["routes", "catalog", "wasm", "telemetry"]),
  );
});

test("no folder holds more than nine files", () => {
  const folders = Map.groupBy(files, dirname);
  expect(folders.size).toBeGreaterThan(5);
  const large = [...folders].filter(([, held]) => held.length > MAX_FILES).map(([folder]) => relative(SOURCES, folder));
  expect(large).toEqual([]);
});
