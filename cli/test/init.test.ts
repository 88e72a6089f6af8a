//! `edgebid init` writes files that work without a change, and overwrites none.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { answersTo } from "../ask.ts";
import { readYaml } from "../catalog/yaml.ts";
import { QUESTIONS } from "../first-catalog.ts";
import { examplesOf, textOf } from "./docs-pages.ts";
import { eachInFolder, edgebidIn } from "./edgebid.ts";

const folder = eachInFolder("init");

/** Runs the program in the folder. Returns its exit status, and what it printed, or its failure. */
async function edgebid(...args: string[]): Promise<[code: number, printed: string]> {
  const [code, stdout, stderr] = await edgebidIn(folder())(...args);
  return [code, code ? stderr : stdout];
}

test("the catalog is valid without a note, and bids on the request", async () => {
  const [, printed] = await edgebid("init");
  const commands = printed.match(/npx edgebid (?:catalog validate|explain) .*/g) ?? [];
  expect(commands).toHaveLength(2);
  const [validate, explain] = await Promise.all(commands.map((line) => edgebid(...line.split(" ").slice(2))));
  expect(validate).toEqual([0, expect.stringMatching(/^✓ catalog\.json is valid: 1 campaign.*\n$/)]);
  expect(explain).toEqual([0, expect.stringContaining("✓ shoes-autumn / shoes-300x250: 2.5")]);
});

test("a request that is there stays, and gets a catalog", async () => {
  writeFileSync(join(folder(), "request.json"), "{}");
  const [code, printed] = await edgebid("init", "catalog.json");
  expect([code, printed]).toEqual([0, expect.stringContaining("with one campaign; request.json stays as it is\n")]);
  // This folder has no npm start.
  expect(printed).toContain("to serve it on this machine: npx edgebid init my-bidder writes a folder");
  expect(readFileSync(join(folder(), "request.json"), "utf8")).toBe("{}");
});

test("the generated traffic of a demo gets bids", async () => {
  await edgebid("init");
  await edgebid("generate", "--catalog", "catalog.json", "--count", "300", "--out", "traffic.ndjson");
  const [, printed] = await edgebid("replay", "traffic.ndjson", "--catalog", "catalog.json", "--json");
  const { requests, catalogs } = JSON.parse(printed);
  expect(requests).toBe(300);
  expect(catalogs[0].bids).toBeGreaterThan(10);
});

test("YAML is the same catalog", async () => {
  await edgebid("init", "c.yaml");
  const valid = [0, expect.stringMatching(/^✓ c\.yaml is valid.*\n$/)];
  expect(await edgebid("catalog", "validate", "c.yaml")).toEqual(valid);
  const { $schema, ...document } = JSON.parse(readFileSync(join(ROOT, "fixtures/init/catalog.json"), "utf8"));
  const text = readFileSync(join(folder(), "c.yaml"), "utf8");
  expect(readYaml(text)).toMatchObject({ value: document });
  expect(text.split("\n")[0]).toMatch(/^# yaml-language-server: \$schema=.*catalog\.schema\.json$/);
});

test("in another folder, the schema is still found", async () => {
  mkdirSync(join(folder(), "acme"));
  const written = [0, expect.stringContaining("acme/request.json")];
  expect(await edgebid("init", "acme/catalog.json", "--json")).toEqual(written);
  const { $schema } = JSON.parse(readFileSync(join(folder(), "acme/catalog.json"), "utf8"));
  expect(JSON.parse(readFileSync(join(folder(), "acme", $schema), "utf8")).title).toBe("edgebid catalog");
});

test("without options, the files are those of the documents, and the first campaign has the answers", async () => {
  await edgebid("init");
  const written = (name: string) => readFileSync(join(folder(), name), "utf8");
  const shown = (name: string) => readFileSync(join(ROOT, "fixtures/init", name), "utf8");
  expect(written("request.json")).toBe(shown("request.json"));
  expect(written("catalog.json").split("\n").slice(2)).toEqual(shown("catalog.json").split("\n").slice(2));
});

test("a campaign for another country, currency and price bids on its request without a note", async () => {
  const answers = ["--country", "FRA,BEL", "--cur", "EUR", "--rate", "1.08", "--cpm", "0.30", "--vendor-id", "42"];
  await edgebid("init", ...answers);
  expect(await edgebid("catalog", "validate", "catalog.json")).toEqual([0, expect.stringMatching(/^✓ .*\n$/)]);
  const bid = await edgebid("explain", "request.json", "--catalog", "catalog.json");
  expect(bid).toEqual([0, expect.stringMatching(/prices in EUR[\s\S]*✓ shoes-autumn \/ shoes-300x250: 0\.3 /)]);
  expect(JSON.parse(readFileSync(join(folder(), "catalog.json"), "utf8")).privacy).toEqual({ vendor_id: 42 });
});

test.each([
  [["--country", "fr"], 2, "edgebid: --country fr: expected one such as DEU,AUT\n"],
  [["--cur", "EUR"], 2, "edgebid: --rate is missing; expected one such as 1.08\n"],
  [["--country", "XYZ"], 1, expect.stringContaining("XYZ")],
  [["--cpm", "250"], 1, expect.stringContaining("max_cpm")],
])("%s: a wrong answer is named, and nothing is written", async (args, status, message) => {
  expect(await edgebid("init", ...args)).toEqual([status, message]);
  expect(readdirSync(folder())).toEqual([]);
});

test("a person is asked until the answer has the right form", async () => {
  const lines = ["", "euro", "EUR", "1.08", "3", ""];
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return lines.shift() ?? "";
  };
  const answers = await answersTo(QUESTIONS, { cpm: undefined }, ask);
  expect(answers).toEqual({ country: "USA,CAN", cur: "EUR", rate: "1.08", cpm: "3", vendorId: "none" });
  expect(asked).toHaveLength(6);
});

test("if the catalog exists, nothing is written", async () => {
  writeFileSync(join(folder(), "catalog.json"), "mine");
  expect(await edgebid("init")).toEqual([2, "edgebid: catalog.json exists; edgebid init overwrites no file\n"]);
  expect(readFileSync(join(folder(), "catalog.json"), "utf8")).toBe("mine");
  expect(() => readFileSync(join(folder(), "request.json"))).toThrow("ENOENT");
});

test("the documents show the same catalog and request", () => {
  const examples = examplesOf(textOf("docs/campaigns.md")).filter(({ file }) => file !== undefined);
  const shown = examples.slice(0, 2).map(({ text }) => text);
  expect(shown).toEqual(
    ["catalog.json", "request.json"].map((name) => readFileSync(join(ROOT, "fixtures/init", name), "utf8")),
  );
});
