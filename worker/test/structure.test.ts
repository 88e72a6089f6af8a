//! The folders of `worker/src` and `shared` stay small, and imports form no circle: not among their folders, not among the
//! files of the Worker, the inspector, the commands and the benches, and not among the modules of a crate. Tests read no
//! clock but their own. Runs in Node, which can read the sources.

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { importsOfCrate } from "./support/rust-modules.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAX_FILES = 9;

const folder = mkdtempSync(join(tmpdir(), "edgebid-structure-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The source files below a folder, without tests and what is built. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => /\.(ts|mjs)$/.test(file) && !/\/(test|browser|dist|node_modules)\//.test(file));
}

/** The files that a file imports. Fails for an import that leads nowhere. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\(?) ?"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  const found = paths.map((path) => join(dirname(file), path)).filter((path) => !path.includes("/pkg/"));
  for (const path of found) expect(existsSync(path), `${file} imports ${path}`).toBe(true);
  return found;
}

/** What each part imports from other parts. `partOf`: the part that a file belongs to. */
function importsBy(files: string[], partOf: (file: string) => string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const [from, to] = [partOf(file), importsOf(file).map(partOf)];
    imports.set(from, new Set([...(imports.get(from) ?? []), ...to.filter((part) => part !== from)]));
  }
  return imports;
}

/**
 * The parts on a circle of imports. Removes parts without importers or without imports until no such part is left;
 * returns the rest.
 */
function circular(imports: Map<string, Set<string>>): string[] {
  let left = [...imports.keys()];
  for (;;) {
    const imported = new Set(left.flatMap((part) => [...(imports.get(part) ?? [])]));
    const kept = left.filter((part) => imported.has(part) && left.some((to) => imports.get(part)?.has(to)));
    if (kept.length === left.length) return left;
    left = kept;
  }
}

/** The folder of the Worker, or of what it shares, that holds a file. A file at the top stands for itself. */
const folderOf = (file: string) => relative(ROOT, file).replace(/^((?:worker.src|shared).[^/\\]+).*/, "$1");

test("no two folders of the Worker import from each other, not even through others", () => {
  const imports = importsBy(["worker/src", "shared"].flatMap(filesIn), folderOf);
  expect(circular(imports)).toEqual([]);
  // The routes import from everything below them, so one import back to them makes a circle.
  expect(circular(imports.set("shared/telemetry", new Set(["worker/src/routes"])))).toEqual(
    expect.arrayContaining(["worker/src/routes", "worker/src/catalog", "shared/wasm", "shared/telemetry"]),
  );
});

test("what is shared imports nothing from the Worker or a command", () => {
  const files = filesIn("shared");
  const imported = files.flatMap(importsOf).map((file) => relative(ROOT, file).split(sep)[0]);
  expect(files.length).toBeGreaterThan(40);
  expect([...new Set(imported)]).toEqual(["shared"]);
});

test("no two files import from each other, not even through others", () => {
  const files = ["worker/src", "worker/inspect", "shared", "build", "cli", "tools", "bench"].flatMap(filesIn);
  expect(files.length).toBeGreaterThan(300);
  expect(circular(importsBy(files, (file) => relative(ROOT, file)))).toEqual([]);
});

test.each([
  "worker/src/routes/bid.ts",
  "worker/src/routes/notice.ts",
  "crates/bidder-wasm/src/lib.rs",
  "crates/auction/src/lib.rs",
  "crates/auction/src/decide.rs",
])("%s names no option: options attach at seams", (file) => {
  const names = /skadn|shading|frequency|\bcaps?\b|experiment|protobuf|\btap\b/gi;
  expect(readFileSync(join(ROOT, file), "utf8").match(names)).toBeNull();
});

const SOURCES_OF_CRATES = ["crates", "bench"].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name, "src")),
);

test.each(SOURCES_OF_CRATES.filter((folder) => existsSync(join(ROOT, folder))))(
  "no two modules of %s import from each other, not even through others",
  (folder) => {
    expect(circular(importsOfCrate(join(ROOT, folder)))).toEqual([]);
  },
);

/** Writes the files of a crate, and returns the modules on a circle. */
function circularIn(files: Record<string, string>): string[] {
  const src = mkdtempSync(join(folder, "crate-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(src, dirname(name)), { recursive: true });
    writeFileSync(join(src, name), text);
  }
  return circular(importsOfCrate(src));
}

test.each([
  ["a name", "use crate::a::A;", ["a", "b"]],
  ["a path in code", "fn f() -> crate::a::A {}", ["a", "b"]],
  ["a name in braces", "use super::{a::{A as Other}};", ["a", "b"]],
  ["a name that the top passes on", "use crate::{A};", ["a", "b"]],
  ["a glob", "use super::*; struct S(A);", ["", "a", "b"].slice(1)],
  [
    "a comment, a text, a test",
    'fn f() { "crate::a::A"; } // crate::a::A\n#[cfg(test)]\nmod tests { use crate::a::A; }',
    [],
  ],
  ["another crate", "use other::a::A;", []],
])("a circle of modules by %s", (_, b, expected) => {
  expect(
    circularIn({
      "lib.rs": "mod a; mod b; pub use a::A;",
      "a.rs": "use super::b; struct A(b::B);",
      "b.rs": `struct B; ${b}`,
    }),
  ).toEqual(expected);
});

test("no folder holds more than nine files", () => {
  const folders = Map.groupBy(["worker/src", "shared"].flatMap(filesIn), dirname);
  expect(folders.size).toBeGreaterThan(5);
  const large = [...folders].filter(([, held]) => held.length > MAX_FILES).map(([folder]) => relative(ROOT, folder));
  expect(large).toEqual([]);
});

const CLOCK_LINT = "worker/test/support/clock.grit";
/** What the lint refuses, and what it allows. */
const READS = [
  ...["new Date()", "new Date", "Date()", "Date.now()", "[0].map(Date.now)", 'Date["now"]()', "const D = Date"],
  ...['vi.spyOn(Date, "now")', "globalThis.Date.now()", "performance.timeOrigin", "Temporal.Now.instant()"],
];
const OTHERS = ["new Date(0)", 'Date.parse("2094-03-14")', "Date.UTC(2094, 2)", '"new Date()"', "performance.now()"];

test("the lints refuse a test that reads the machine's clock", () => {
  const tests = ["bench/test/a.test.ts", "cli/browser/b.test.ts", "cli/test/c.ts", "worker/test/d/e.test.ts"];
  for (const path of [...tests, "worker/test/support/clock.ts", "worker/src/f.ts"]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), [...READS, ...OTHERS].join(";\n"));
  }
  for (const path of ["biome.json", CLOCK_LINT]) copyFileSync(join(ROOT, path), join(folder, path));
  const args = [
    join(ROOT, "node_modules/@biomejs/biome/bin/biome"),
    "lint",
    "--vcs-enabled=false",
    "--reporter=github",
  ];
  const { stdout } = spawnSync(process.execPath, [...args, "--max-diagnostics=none"], {
    cwd: folder,
    encoding: "utf8",
  });
  const refused = [...stdout.matchAll(/title=plugin,file=(.*?),line=(\d+)/g)].map(([, file = "", line]) => {
    return `${relative(folder, file)} ${READS[Number(line) - 1]}`;
  });
  expect(refused.sort()).toEqual(tests.flatMap((path) => READS.map((read) => `${path} ${read}`)).sort());
});
