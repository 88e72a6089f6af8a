//! `fixtures/catalog.schema.json`, the JSON Schema of catalog documents for editors, equals the declarations in
//! `crates/document/src` and `crates/compiler/src/meanings.rs`. `UPDATE_FIXTURES=1` rewrites it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { objectsIn, SCHEMA } from "./declarations.ts";
import { catalogDocument, FIXTURES } from "./fixtures.ts";

const FILE = join(ROOT, "fixtures/catalog.schema.json");

const isValid = new Ajv2020({ allErrors: true, strict: false }).compile(SCHEMA);

/** The paths at which a document breaks the schema. */
function problems(document: unknown): string[] {
  isValid(document);
  const paths = (isValid.errors ?? []).map(({ instancePath, params }) =>
    [instancePath, params["missingProperty"] ?? params["additionalProperty"]].filter(Boolean).join("/"),
  );
  return [...new Set(paths)];
}

test("the schema in fixtures/ equals the declarations", () => {
  const text = `${JSON.stringify(SCHEMA, null, 2)}\n`;
  if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
});

const own = FIXTURES.flatMap(({ kind, name, catalog }) => (catalog === null ? [] : [[`${kind}/${name}`, catalog]]));

test.each([["the example", catalogDocument], ...own])("the catalog of %s keeps to the schema", (_, document = "") => {
  expect(problems(JSON.parse(document))).toEqual([]);
});

test("the schema finds mistakes in a document", () => {
  const document = JSON.parse(catalogDocument);
  document.campaigns[0].max_cpm = 1.8;
  document.campaigns[1].max_cpm = "1,80";
  document.campaigns[2].seet = "x";
  document.campaigns[3].target = { hours: [{ days: [7, 8], from: 1, to: 2 }] };
  document.campaigns[4].target = { devicetype: { include: [4, 9] }, mm: { exclude: [5, 6, 500] } };
  document.campaigns[5].target = { startdelay: { include: [-3, -2, 30] } };
  document.campaigns[6].target = { channel: ["site", "web"] };
  document.campaigns[7].adomain = ["https://x.example"];
  document.campaigns[7].creatives = [];
  document.campaigns[8].burl = "x";
  document.ssps[1].tmax = 0;
  document.creatives[0] = { crid: "none" };
  document.campaigns.push({ cid: "short", template: "t" }, { cid: "shorter" });
  document.templates = [{ id: "t", cid: "c" }];
  delete document.ssps[0].id;
  expect(problems(document)).toEqual([
    ...["/ssps/0/id", "/ssps/1/tmax", "/templates/0/cid"],
    ...["banner", "video", "audio", "native"].map((media) => `/creatives/0/${media}`),
    "/creatives/0",
    ...["/campaigns/0/max_cpm", "/campaigns/1/max_cpm", "/campaigns/2/seet", "/campaigns/3/target/hours/0/days/1"],
    ...["/campaigns/4/target/devicetype/include/1", "/campaigns/4/target/mm/exclude/1"],
    ...["/campaigns/5/target/startdelay/include/0", "/campaigns/6/target/channel/1"],
    ...["/campaigns/7/adomain/0", "/campaigns/7/creatives", "/campaigns/8/burl"],
    ...["seat", "adomain", "max_cpm", "creatives"].map((missing) => `/campaigns/10/${missing}`),
    "/campaigns/10",
  ]);
});

test("every list of values belongs to an attribute", () => {
  const defs = Object.entries(SCHEMA.$defs ?? {});
  const used = JSON.stringify(SCHEMA);
  const lists = defs.filter(([, { anyOf }]) => anyOf?.some((one) => "const" in one)).map(([name]) => name);
  expect(lists.filter((name) => !used.includes(`"#/$defs/${encodeURIComponent(name.replace("/", "~1"))}"`))).toEqual(
    [],
  );
  expect(lists.length).toBeGreaterThan(20);
});

test.each([
  ["another type", "        pub name: Box<String>,"],
  ["an unknown list", '        /// A type (list "Divice Types").\n        pub kind: Option<i64>,'],
])("a declaration with %s is not guessed", (_, line) => {
  expect(() => objectsIn(`object! {\n    pub struct A {\n${line}\n    }\n}\n`)).toThrow(/cannot read|Divice/);
});
