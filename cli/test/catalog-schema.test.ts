//! `fixtures/catalog.schema.json`, the JSON Schema of catalog documents for editors, equals the declarations in
//! `document.rs`, `meanings.rs` and `choices.rs`. `UPDATE_FIXTURES=1` rewrites it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ROOT } from "../tools.mjs";
import { type Attribute, type Declared, MEANINGS, type Meanings, OBJECTS, objectsIn } from "./declarations.ts";
import { catalogDocument, FIXTURES } from "./fixtures.ts";

const SCHEMA = join(ROOT, "fixtures/catalog.schema.json");

type Schema = { [keyword: string]: unknown };

const SCALARS: Record<string, Schema> = {
  String: { type: "string" },
  i64: { type: "integer" },
  bool: { type: "boolean" },
  Amount: { type: ["string", "integer"], pattern: "^[0-9]+(\\.[0-9]+)?$" },
  Times: { type: "string", pattern: "^[0-9]+(\\.[0-9]{1,6})?$" },
  InvoiceRatio: { type: "string", pattern: "^[0-9]+(\\.[0-9]{1,6})?$" },
  Instant: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d" },
  JsonObject: { type: "object" },
  Degrees: { type: "string", pattern: "^-?[0-9]+(\\.[0-9]+)?$" },
};

/** The attribute with the name of a campaign's template. */
const TEMPLATE = "template";

/** Numbers from here on mean what an exchange says. */
const EXCHANGE_SPECIFIC = 500;

function schemaOf([document, ...others]: Declared[]): Schema {
  if (!document) throw new Error("no document is declared");
  const lists = MEANINGS.map((meanings): [string, Schema] => [meanings.name, valuesOf(meanings)]);
  // A rule over numbers has the same shape for every list, but other values.
  const rules = others.flatMap(({ attributes }) => attributes.filter(isRule));
  const ruled = rules.map((attribute): [string, Schema] => {
    const rule = others.find(({ name }) => name === attribute.type);
    if (!rule) throw new Error(`${attribute.name} has the unknown type ${attribute.type}`);
    const numbers = rule.attributes.map((own) => (own.type === "i64" ? { ...own, meanings: attribute.meanings } : own));
    return [typeOf(attribute), objectOf({ ...rule, attributes: numbers })];
  });
  const objects = others.map((object): [string, Schema] => {
    const whole = objectOf(object);
    return [object.name, object.short === undefined ? whole : { anyOf: [{ type: "string" }, whole] }];
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "edgebid catalog",
    ...objectOf(document),
    $defs: Object.fromEntries([...objects, ...ruled, ...lists]),
  };
}

function objectOf({ description, attributes, oneOf }: Declared): Schema {
  return {
    type: "object",
    description,
    properties: Object.fromEntries(
      attributes.map((attribute) => {
        const scalar = attribute.meanings ? undefined : SCALARS[attribute.type];
        const { minItems, maxItems, ...limit } = attribute.limit;
        const value = scalar ? { ...scalar, ...limit } : ref(typeOf(attribute));
        const described = attribute.isList ? { type: "array", items: value, minItems, maxItems } : value;
        return [attribute.name, { description: attribute.description, ...described }];
      }),
    ),
    ...requiredIn(attributes),
    ...(oneOf.length > 0 && { oneOf: oneOf.map((name) => ({ required: [name] })) }),
    additionalProperties: false,
  };
}

/** A campaign may have its required attributes from its template, except the id. */
function requiredIn(attributes: Attribute[]): Schema {
  const required = attributes.filter((attribute) => attribute.required).map(({ name }) => name);
  if (!attributes.some(({ name }) => name === TEMPLATE)) return { required };
  const [id = "", ...others] = required;
  return { required: [id], if: { required: [TEMPLATE] }, else: { required: others } };
}

/** The name of the definition for an attribute's values. */
function typeOf(attribute: Attribute): string {
  const { type, meanings } = attribute;
  if (!meanings) return type;
  return isRule(attribute) ? `${type} of ${meanings.name}` : meanings.name;
}

/** Whether the attribute is a rule whose values have meanings. */
function isRule({ type, meanings }: Attribute): boolean {
  return meanings !== undefined && SCALARS[type] === undefined;
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll(" ", "%20")}` };
}

/** A list of values. Editors show the description of each. */
function valuesOf({ source, exchangeSpecific, open, values }: Meanings): Schema {
  const listed = values.map(([value, meaning]) => ({ const: value, description: meaning }));
  const highest = Math.max(...values.map(([value]) => Number(value)));
  const others = [
    ...(exchangeSpecific
      ? [{ type: "integer", minimum: EXCHANGE_SPECIFIC, description: "what an exchange says" }]
      : []),
    ...(open ? [{ type: "integer", minimum: highest + 1 }] : []),
  ];
  return { ...(source !== null && { description: source }), anyOf: [...listed, ...others] };
}

const schema = schemaOf(OBJECTS);
const isValid = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

/** The places at which a document breaks the schema. */
function problems(document: unknown): string[] {
  isValid(document);
  const places = (isValid.errors ?? []).map(({ instancePath, params }) =>
    [instancePath, params["missingProperty"] ?? params["additionalProperty"]].filter(Boolean).join("/"),
  );
  return [...new Set(places)];
}

test("the schema in fixtures/ equals the declarations", () => {
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(SCHEMA, text);
  expect(readFileSync(SCHEMA, "utf8")).toBe(text);
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
  const used = OBJECTS.flatMap(({ attributes }) => attributes.map(({ meanings }) => meanings?.name));
  expect(MEANINGS.map(({ name }) => name).filter((name) => !used.includes(name))).toEqual([]);
  expect(MEANINGS.length).toBeGreaterThan(20);
});

test.each([
  ["another type", "        pub name: Box<String>,"],
  ["an unknown list", '        /// A type (list "Divice Types").\n        pub kind: Option<i64>,'],
])("a declaration with %s is not guessed", (_, line) => {
  expect(() => objectsIn(`object! {\n    pub struct A {\n${line}\n    }\n}\n`)).toThrow(/cannot read|Divice/);
});
