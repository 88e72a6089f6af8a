//! Bundles the inspector's page, `worker/inspect`, into the folder that the Worker's assets binding serves, with all
//! fixtures of bids and no-bids and the meanings of no-bid reasons as one file of JSON.
//!
//! A file is only written if it has changed, so that `wrangler dev` does not restart without need.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SELF = fileURLToPath(import.meta.url);
const ROOT = dirname(dirname(SELF));
const PAGE = join(ROOT, "worker/inspect");
const FIXTURES = join(ROOT, "fixtures");
const OUT = join(PAGE, "dist/inspect");

/** Media types in the order in which they are listed for a fixture. */
const MEDIA = ["video", "audio", "native", "banner"];

/** Builds the page. Throws if a source has an error. */
export async function buildInspector() {
  const { outputFiles } = await build({
    entryPoints: { main: join(PAGE, "main.ts"), frame: join(PAGE, "frame/frame.ts"), style: join(PAGE, "style.css") },
    bundle: true,
    format: "esm",
    target: "es2023",
    outdir: OUT,
    write: false,
    logLevel: "silent",
  });
  mkdirSync(OUT, { recursive: true });
  for (const { path, text } of outputFiles) update(path, text);
  for (const name of ["index.html", "frame/frame.html"]) {
    update(join(OUT, name.replace(/.*\//, "")), readFileSync(join(PAGE, name), "utf8"));
  }
  update(join(OUT, "fixtures.json"), JSON.stringify({ examples: examples(), reasons: reasons() }));
}

/**
 * @param {string} path
 * @param {string} text
 */
function update(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  writeFileSync(path, text);
}

/**
 * What each no-bid reason means, by its name, from the table of the glossary. A row for a range of reasons is left out.
 *
 * @returns {Record<string, string>}
 */
function reasons() {
  const glossary = readFileSync(join(ROOT, "docs/glossary.md"), "utf8");
  const [, table = ""] = glossary.split("\n## No-bid reasons\n");
  const cells = [...table.matchAll(/^\| (`[^|]*`) \| ([^|]*) \|$/gm)].filter(([, names = ""]) => !names.includes("…"));
  return Object.fromEntries(
    cells.flatMap(([, names = "", meaning = ""]) => {
      const text = meaning.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
      const all = [...names.matchAll(/`([^`]*)`/g)].map(([, name = ""]) => name);
      // If a row has one text for each of its reasons, they are in the same order.
      const parts = text.split("; ");
      return all.map((name, n) => [name, parts.length === all.length ? (parts[n] ?? text) : text]);
    }),
  );
}

/** The fixtures in the order of `fixtures/fixtures.tsv`, each as an `Example` of the view of requests. */
function examples() {
  const rules = new Map(rows("rules.tsv").map(([number = "", , rule = ""]) => [number, rule.replaceAll("`", "")]));
  return rows("fixtures.tsv")
    .filter(([path = ""]) => !path.startsWith("malformed/"))
    .map(([path = "", shows = "", catalog = "", campaign = ""]) => {
      const body = readFileSync(join(FIXTURES, `${path}.json`), "utf8").trimEnd();
      return {
        path,
        media: mediaOf(JSON.parse(body)),
        // A fixture can also add members to a campaign. Then no file holds its whole catalog.
        catalog: campaign ? null : `fixtures/${catalog ? `catalogs/${catalog}` : "catalog"}.json`,
        rules: shows.split(" ").flatMap((number) => rules.get(number) ?? []),
        body,
      };
    });
}

/**
 * What a request offers: its media types, and `deal` if it has deals.
 *
 * @param {{ imp?: Record<string, unknown>[] }} request
 */
function mediaOf({ imp }) {
  const imps = Array.isArray(imp) ? imp : [];
  const has = (/** @type {string} */ name) => imps.some((one) => one?.[name] !== undefined && one[name] !== null);
  return [...MEDIA.filter(has), ...(has("pmp") ? ["deal"] : [])];
}

/**
 * The rows of a table of the fixtures, each as its cells.
 *
 * @param {string} name
 */
function rows(name) {
  const lines = readFileSync(join(FIXTURES, name), "utf8").trimEnd().split("\n");
  return lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));
}

if (process.argv[1] === SELF) await buildInspector();
