//! Catalogs in YAML: the same catalog as in JSON, findings and differences with lines, and what is refused.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { Finding } from "../../shared/catalog/compile.ts";
import { sourceOf } from "../catalog/source.ts";
import { readYaml } from "../catalog/yaml.ts";
import { eachInFolder, edgebidIn, findingsOn } from "./edgebid.ts";
import { catalogDocument } from "./fixtures.ts";

const folder = eachInFolder("yaml");

function write(name: string, text: string): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

const CATALOG = `# One campaign.
format: 1
privacy: { bid_unregistered: false }
ssps:
  - id: demo
creatives:
  - crid: a
    banner: { w: 300, h: 250, adm: "<b>ad</b>" } # with its markup
campaigns:
  - cid: c1
    seat: s
    adomain: [a.example]
    max_cpm: "1.00"
    creatives:
      - a
    target:
      country: { include: [NOR] }
      zip: { include: ["01067", NO] }
`;

test("the example is the same catalog in YAML", async () => {
  const path = write("example.yaml", stringify(JSON.parse(catalogDocument)));
  const { document } = sourceOf(path);
  expect(JSON.parse(new TextDecoder().decode(document))).toEqual(JSON.parse(catalogDocument));
});

test("what YAML says is what JSON would say", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("no", "1.0", "01", "~", "2026-11-23", "0x1F", "- a", "#", "*a"));
  const integer = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      ...[text, integer, fc.boolean(), fc.constant(null)],
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (value) => {
      const read = readYaml(stringify(value, { aliasDuplicateObjects: false }));
      expect(read).not.toBeInstanceOf(Array);
      expect(read).toMatchObject({ value });
    }),
  );
});

test("comments, flow and block are read, and no text becomes another value", async () => {
  const path = write("c.yaml", CATALOG);
  expect(await findingsOn(path)).toEqual([]);
  const { campaigns } = JSON.parse(new TextDecoder().decode(sourceOf(path).document));
  expect(campaigns[0].target).toEqual({ country: { include: ["NOR"] }, zip: { include: ["01067", "NO"] } });
});

test.each([
  ["an unknown attribute", "seat: s", "seet: s", /^c\.yaml:11: campaigns\[0\]\.seet: unknown/],
  ["a missing attribute, at its campaign", "    seat: s\n", "", /^c\.yaml:10: campaigns\[0\]\.seat: missing/],
  ["an item of a list", "- a\n", "- b\n", /^c\.yaml:15: campaigns\[0\]\.creatives\[0\]: "b" does not exist/],
  ["a value in one line", "[NOR]", "[NO]", /^c\.yaml:17: campaigns\[0\]\.target\.country\.include\[0\]: "NO" is not/],
  ["a fraction", '"1.00"', "1.00", /^c\.yaml:13: the number 1\.00; expected it in quotes: "1\.00"$/],
  ["a price without quotes", '"1.00"', "1.25", /^c\.yaml:13: campaigns\[0\]\.max_cpm: the number 1\.25; expected a/],
  ["an integer with a zero first", '"01067"', "01067", /^c\.yaml:18: the number 01067; .* quotes: "01067"$/],
  ["a number that is too large", "300", "9007199254740993", /^c\.yaml:8: the number 9007199254740993; expected it in/],
  ["another base", "300", "0x12C", /^c\.yaml:8: the number 0x12C; expected it in quotes/],
  ["no number", "300", ".nan", /^c\.yaml:8: the number \.nan; expected it in quotes/],
  ["an attribute twice", "seat: s", "seat: s\n    seat: t", /^c\.yaml:12: given more than once; expected once$/],
  [
    "an attribute without a value",
    "seat: s",
    "seat: s\n    budget:",
    /^c\.yaml:1[23]: empty; expected a value, or null/,
  ],
  ["an item without a value", "- a\n", "- a\n      -\n", /^c\.yaml:1[67]: empty; expected a value, or null/],
  ["an alias", "[a.example]", "&x [a.example]\n    cat: *x", /^c\.yaml:13: the alias \*x; expected a template, or the/],
  ["a tag", "[NOR]", "!set [NOR]", /^c\.yaml:17: not YAML that a catalog can have: /],
  ["wrong indentation", "    seat: s", "   seat: s", /^c\.yaml:1[01]: not YAML that a catalog can have: /],
  ["two documents", "campaigns:", "---\ncampaigns:", /^c\.yaml:9: not YAML that a catalog can have: /],
])("%s is found in its line", async (_, right, wrong, finding) => {
  expect(CATALOG).toContain(right);
  const found = await findingsOn(write("c.yaml", CATALOG.replace(right, wrong)));
  expect(found[0]).toMatch(finding);
});

test("a fraction without zeros at its end keeps its digits in bid_ext", async () => {
  const path = write("c.yaml", CATALOG.replace("- id: demo", "- id: demo\n    bid_ext: { weight: 7.5 }"));
  expect(await findingsOn(path)).toEqual([]);
  expect(new TextDecoder().decode(sourceOf(path).document)).toContain('"weight": 7.5');
});

test("in a folder, YAML and JSON are one catalog", async () => {
  write("a.yaml", CATALOG);
  const more = { cid: "c2", seat: "s", adomain: ["a.example"], max_cpm: "1", creatives: ["gone"], seet: "s" };
  write("b.json", JSON.stringify({ campaigns: [more] }));
  write("c.yml", stringify({ campaigns: [{ ...more, cid: "c1", creatives: ["a"], seet: undefined }] }));
  expect(await findingsOn(folder())).toEqual([
    expect.stringMatching(/^b\.json: campaigns\[0\]\.seet: unknown attribute/),
    expect.stringMatching(/^b\.json: campaigns\[0\]\.creatives\[0\]: "gone" does not exist/),
    'c.yml:2: campaigns[0].cid: "c1" is already used in a.yaml campaigns[0]; expected a unique cid',
  ]);
});

test("a number with a fraction is refused in a folder's JSON too, before it becomes an integer", async () => {
  write("a.yaml", CATALOG);
  write("b.json", '{"campaigns":[{"max_cpm":5000.0}]}');
  expect(await findingsOn(folder())).toEqual([
    expect.stringMatching(/^b\.json: campaigns\[0\]\.max_cpm: the number 5000\.0; expected a decimal string/),
  ]);
});

test("a difference names the line of the new entry", async () => {
  const old = write("old.json", new TextDecoder().decode(sourceOf(write("c.yaml", CATALOG)).document));
  const now = write("new.yaml", `${CATALOG.replace("1.00", "2.00")}prebid_code: acme\n`);
  const [, printed] = await edgebidIn(folder())("catalog", "diff", old, now, "--json");
  expect(JSON.parse(printed).changes).toEqual([
    expect.objectContaining({ id: "c1", at: `${now}:10`, details: ["max_cpm: 1.00 USD → 2.00 USD"] }),
    expect.objectContaining({ id: "prebid_code", at: `${now}:19` }),
  ]);
});

test("many attributes of one object are read in time that grows with them", () => {
  const keys = Array.from({ length: 40_000 }, (_, number) => `k${number}: 1`);
  expect(readYaml(keys.join("\n"))).toHaveProperty("value.k39999", 1);
  const twice = [...keys, "k0: 1", '"k1": 1', "1: 1", '"1": 1'].join("\n");
  const lines = (readYaml(twice) as Finding[]).map(({ path }) => path);
  expect(lines).toEqual(["line 40001", "line 40002", "line 40004"]);
});
