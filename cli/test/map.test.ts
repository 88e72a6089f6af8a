//! The tables of `docs/code/map.md` are the files of the code, each with the first sentence of the comment at its head.
//! `UPDATE_FIXTURES=1` rewrites the tables; what a folder is for is written there by hand. The crates have the order that
//! `ARCHITECTURE.md` shows.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";

const PAGE = join(ROOT, "docs/code/map.md");

/** The folders of which each has a section: alone, with its folders within, or a section for each of these too. */
const SECTIONS = [
  ...split("worker/src"),
  ...split("shared"),
  ...foldersIn("crates").map((name) => whole(`crates/${name}/src`)),
  whole("worker/inspect"),
  ...split("cli"),
  whole("cli/test/simulate"),
  ...split("tools"),
  whole("build"),
];

interface Section {
  folder: string;
  files: string[];
}

/** A section with all files below a folder. */
function whole(folder: string): Section {
  return { folder, files: sources(readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) };
}

/** A section with the files of a folder, and one for each folder in it. */
function split(folder: string): Section[] {
  const own = { folder, files: sources(readdirSync(join(ROOT, folder))) };
  const inner = foldersIn(folder).map((name) => whole(`${folder}/${name}`));
  return [own, ...inner].filter(({ files }) => files.length > 0);
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.filter((name) => !["browser", "test"].includes(name)).sort();
}

/** The sources among these files, without tests and what is built. */
function sources(files: string[]): string[] {
  const isSource = (file: string) =>
    /\.(rs|ts|mjs)$/.test(file) && !/\.test\.ts$|(^|\/)(tests?|dist)(\/|\.rs$)/.test(file);
  return files.filter(isSource).sort();
}

/** The page with new tables. What stands before a table stays. */
function renewed(page: string): string {
  const [head = "", ...parts] = page.split(/^(?=## )/m);
  const prose = new Map(parts.map((part) => [/^## `(.*)`$/m.exec(part)?.[1], /\n\n([^|]*?)\n*(\||$)/.exec(part)?.[1]]));
  const sections = SECTIONS.map(({ folder, files }) => {
    const rows = files.map((file) => `| \`${file}\` | ${sentenceOf(join(ROOT, folder, file))} |\n`);
    const about = prose.get(folder) ?? "";
    return `## \`${folder}\`\n\n${about}${about && "\n\n"}| file | what |\n|---|---|\n${rows.join("")}`;
  });
  return `${head}${sections.join("\n")}`;
}

/** The first sentence of the comment at the head of a file, as text of a cell. */
function sentenceOf(file: string): string {
  const [, comment = ""] = /^(?:#!.*\n)?((?:\/\/!.*\n)+)/.exec(readFileSync(file, "utf8")) ?? [];
  const [paragraph = ""] = comment.replace(/^\/\/! ?/gm, "").split("\n\n");
  const text = paragraph.trim().replaceAll("\n", " ");
  const sentence = /^.*?\.(?= [A-Z`]|$)/.exec(text)?.[0] ?? text.replace(/:$/, ".");
  const links = sentence.replace(/\{@link (\w+)\}/g, "`$1`").replace(/\[([^\]]+)\](\([^)]*\))?/g, "$1");
  return links.replaceAll("|", "\\|");
}

test("docs/code/map.md has all files, and what each is for", () => {
  const page = readFileSync(PAGE, "utf8");
  if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(PAGE, renewed(page));
  expect(readFileSync(PAGE, "utf8"), "UPDATE_FIXTURES=1 rewrites the tables").toBe(renewed(page));
});

test("every folder of the map says what it is for, and every file what it does", () => {
  const page = readFileSync(PAGE, "utf8");
  const sections = page.split(/^(?=## )/m).slice(1);
  expect(sections.filter((section) => /^## .*\n\n\|/.test(section))).toEqual([]);
  expect(page.split("\n").filter((line) => /^\| `.*\| *\|$/.test(line))).toEqual([]);
});

test("a crate uses only crates of the lines above its own in ARCHITECTURE.md", () => {
  const [, shown = ""] = /^```text\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8")) ?? [];
  const lines = shown.split("\n").map((line) => /^[a-z-]+(, [a-z-]+)*/.exec(line)?.[0].split(", ") ?? []);
  const crates = foldersIn("crates").filter((name) => !["judge", "xtask"].includes(name));
  expect(lines.flat().sort()).toEqual(crates);
  const wrong = crates.flatMap((crate) => {
    const manifest = readFileSync(join(ROOT, `crates/${crate}/Cargo.toml`), "utf8");
    const table = manifest.split(/^(?=\[)/m).find((part) => part.startsWith("[dependencies]")) ?? "";
    const uses = [...table.matchAll(/^([a-z-]+)[ .=]/gm)].map(([, name = ""]) => name);
    const line = lines.findIndex((names) => names.includes(crate));
    const above = lines.slice(0, line).flat();
    const below = uses.filter((name) => crates.includes(name) && !above.includes(name));
    return below.map((name) => `${crate} uses ${name}`);
  });
  expect(wrong).toEqual([]);
});
