//! The documents' examples do what the text around them says, and their links lead somewhere.
//!
//! A `json` example names its kind: a catalog, a part of a catalog, a request, or events. An `sh` example runs; one of
//! the kind `canned` runs against a server with a made-up report. A `console` example is output of the `sh` example
//! before it. A `yaml` example with a kind is a catalog. A `csv` example is a file. A `toml` example is in wrangler.toml.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { type CannedReport, cannedReport } from "./canned-report.ts";
import {
  anchorsOf,
  CODE_PAGES,
  DECISIONS,
  DETAILS,
  type Example,
  examplesOf,
  linksOf,
  missingLine,
  missingPaths,
  PAGES,
  PARTNER_PAGES,
  pathsOf,
  textOf,
} from "./docs-pages.ts";
import { EXAMPLE_CATALOG, Shell } from "./docs-shell.ts";
import { folderFor } from "./edgebid.ts";

/** Languages of examples that are shown and not checked. */
const SHOWN = ["mermaid", "text", "yaml", "sql"];

const folder = folderFor("docs");
const shell = new Shell(folder);
let canned: CannedReport;

beforeAll(async () => {
  canned = await cannedReport();
  await shell.start();
});

afterAll(async () => {
  await canned.stop();
  await shell.stop();
});

describe.each(PAGES)("%s", (page) => {
  const text = textOf(page);
  const examples = examplesOf(text);
  let home: string;
  /** What the last shell example printed. */
  let printed = "";
  /** The last catalog that the page showed, as a file. */
  let catalog = EXAMPLE_CATALOG;

  beforeAll(() => {
    home = shell.homeOf(page);
  });

  afterAll(async () => {
    if (examples.some((example) => example.text.includes("--local"))) await shell.pushExample();
  });

  test("every fence is read", () => {
    expect(text.match(/^\s*(```|~~~)/gm) ?? []).toHaveLength(2 * examples.length);
  });

  for (const example of examples) {
    const { language, kind, line } = example;
    if (SHOWN.includes(language) && kind === "") continue;
    test(`line ${line}: ${language} ${kind}`, async () => {
      if (language === "sh")
        printed = await shell.example(example.text, home, kind === "canned" ? canned.origin : undefined);
      else if (language === "console")
        expect(missingLine(example.text, printed), `missing in:\n${printed}`).toBeUndefined();
      else if (language === "toml") expect(settings()).toEqual(expect.arrayContaining(linesOf(example.text)));
      else if (language === "csv") writeFileSync(join(home, example.file ?? ""), example.text);
      else if (language === "yaml") {
        const file = join(home, example.file ?? "");
        writeFileSync(file, example.text);
        await checkFile(file);
      } else if (language === "json") {
        const file = join(home, example.file ?? `line-${line}.json`);
        writeFileSync(file, example.text);
        if (kind === "catalog") catalog = file;
        await checkJson(example, file, catalog);
      } else throw new Error(`an example in "${language}" cannot be checked`);
    });
  }
});

test.each([...PAGES, ...CODE_PAGES, ...DETAILS, ...PARTNER_PAGES, ...DECISIONS])(
  "%s: links lead to files and headings",
  (page) => {
    const broken = linksOf(page, textOf(page)).filter(({ path, anchor }) => {
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== "" && !anchorsOf(textOf(path)).includes(anchor);
    });
    expect(broken).toEqual([]);
  },
);

test.each([...CODE_PAGES, ...DETAILS])("%s names files that exist", (page) => {
  const paths = pathsOf(textOf(page));
  expect(paths.length).toBeGreaterThan(2);
  expect(missingPaths(paths)).toEqual([]);
});

test("ARCHITECTURE.md is short, and lists what must stay true in the words of its page", () => {
  const text = textOf("ARCHITECTURE.md");
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(1500);
  const [, listed = ""] = text.split("\n## What must stay true\n");
  const sentences = [...textOf("docs/code/invariants.md").matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, one = ""]) => one);
  const wanted = sentences.map((one) => one.replaceAll(/\s+/g, " "));
  const found = [...listed.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, one = ""]) => one.replaceAll(/\s+/g, " "));
  expect(found).toEqual(wanted);
});

test("the README is one page, and the first catalog has 30 lines at most", () => {
  expect(linesOf(textOf("README.md")).length).toBeLessThanOrEqual(150);
  expect(linesOf(minimal()).length).toBeLessThanOrEqual(30);
});

test("every attribute of a catalog is described", () => {
  const described = ["campaigns", "ssp", "people", "supply"].map((page) => textOf(`docs/${page}.md`)).join();
  const schema = readFileSync(join(ROOT, "fixtures/catalog.schema.json"), "utf8");
  const isDescribed = (name: string) =>
    [`"${name}"`, `\`${name}\``, `.${name}\``].some((spelling) => described.includes(spelling));
  expect(attributesIn(JSON.parse(schema)).filter((name) => !isDescribed(name))).toEqual([]);
});

test.each([
  ["README.md", [...PAGES, ...CODE_PAGES, ...PARTNER_PAGES]],
  ["ARCHITECTURE.md", DETAILS],
  ["docs/decisions/README.md", DECISIONS],
])("%s links to every page", (page, pages) => {
  const linked = linksOf(page, textOf(page)).map(({ path }) => path);
  expect(linked).toEqual(expect.arrayContaining(pages.filter((other) => other !== page)));
});

/** Checks a JSON example according to its kind. */
async function checkJson({ kind, text }: Example, file: string, catalog: string): Promise<void> {
  if (kind === "event") {
    const schema = JSON.parse(readFileSync(join(ROOT, "shared/events/event.schema.json"), "utf8"));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    for (const line of linesOf(text)) expect(validate(JSON.parse(line)), JSON.stringify(validate.errors)).toBe(true);
    return;
  }
  if (kind === "request") {
    const [code, findings] = await shell.edgebid("validate", "--strict", file);
    expect(code, findings).toBe(0);
    const [ssp] = JSON.parse(readFileSync(catalog, "utf8")).ssps;
    const [, stdout] = await shell.edgebid("explain", file, "--catalog", catalog, "--ssp", ssp.id, "--json");
    expect(JSON.parse(stdout).outcome, stdout).toBe("bid");
    return;
  }
  if (kind !== "catalog") writeFileSync(file, JSON.stringify(completed(kind, JSON.parse(text))));
  await checkFile(file);
}

/** A catalog on a page has no errors and no notes, except that the days of its examples pass. */
async function checkFile(file: string): Promise<void> {
  const [, stdout] = await shell.edgebid("catalog", "validate", file, "--json");
  const { findings }: { findings: { rule: string }[] } = JSON.parse(stdout);
  expect(
    findings.filter(({ rule }) => rule !== "ended"),
    stdout,
  ).toEqual([]);
}

/** The smallest catalog of the documents, with the given part of a catalog put in. */
function completed(kind: string, part: Record<string, unknown>): unknown {
  // The campaign of an example may be for any country.
  const base = { privacy: { bid_unregistered: false }, ...JSON.parse(minimal()) };
  const [[campaign], [creative]] = [base.campaigns, base.creatives];
  const of = (own: object, more: object = {}) => ({ ...base, ...more, campaigns: [{ ...campaign, ...own }] });
  const shown = ([part["creatives"] ?? []].flat() as { crid?: string }[]).map(({ crid = creative.crid }) => crid);
  const creatives = [...new Set([creative.crid, ...shown])].map((crid) => ({ ...creative, crid }));
  const parts: Record<string, () => unknown> = {
    settings: () => ({ ...base, ...part }),
    ssp: () => of({ ssps: [part["id"]] }, { ssps: [part] }),
    campaign: () => of(part, { creatives }),
    order: () => of({ budget_of: part["id"] }, { orders: [part] }),
    target: () => of({ target: part }),
    list: () => of({ target: { domain: { exclude_lists: [part["id"]] } } }, { lists: [part] }),
    ranges: () => of({ target: { ip: { exclude_lists: [part["id"]] } } }, { lists: [part] }),
    creative: () => of({ creatives: [part["crid"]] }, { creatives: [part] }),
  };
  const whole = parts[kind];
  if (whole === undefined) throw new Error(`JSON of the kind "${kind}" cannot be checked`);
  return whole();
}

/** The text of the catalog that the documents begin with. */
function minimal(): string {
  const page = "docs/campaigns.md";
  const first = examplesOf(textOf(page)).find(({ kind }) => kind === "catalog");
  if (!first) throw new Error(`${page} shows no catalog`);
  return first.text;
}

/** The lines of wrangler.toml, also those that are commented out. */
function settings(): string[] {
  return linesOf(readFileSync(join(ROOT, "wrangler.toml"), "utf8")).map((line) => line.replace(/^# ?/, ""));
}

/** The names of all properties in a JSON Schema. */
function attributesIn(schema: Record<string, unknown>): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (typeof value !== "object" || value === null) return [];
    const own = key === "properties" ? Object.keys(value) : [];
    return [...own, ...attributesIn(value as Record<string, unknown>)];
  });
}

function linesOf(text: string): string[] {
  return text.trimEnd().split("\n");
}
