//! `fixtures/catalog.schema.json`, the JSON Schema of catalog documents for editors, equals the declarations in
//! `document.rs`, `meanings.rs` and `choices.rs`. `UPDATE_FIXTURES=1` rewrites it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../tools.mjs";
import { type Attribute, type Declared, MEANINGS, type Meanings, OBJECTS, objectsIn } from "./declarations.ts";
import { catalogDocument, FIXTURES } from "./fixtures.ts";

const SCHEMA = join(ROOT, "fixtures/catalog.schema.json");

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: number | string;
  anyOf?: Schema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minItems?: number | undefined;
  maxItems?: number | undefined;
  oneOf?: { required: string[] }[];
  if?: { required: string[] };
  else?: { required: string[] };
  additionalProperties?: false;
  [keyword: string]: unknown;
}

interface Whole extends Schema {
  $defs: Record<string, Schema>;
}

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

function schemaOf([document, ...others]: Declared[]): Whole {
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

/** The paths at which a value breaks the schema. Knows only the keywords that {@link schemaOf} uses. */
function problems(value: unknown, schema: Schema, whole: Whole, path: string): string[] {
  if (schema.$ref !== undefined) {
    const name = decodeURIComponent(schema.$ref.replace("#/$defs/", "")).replaceAll("~1", "/").replaceAll("~0", "~");
    const referred = whole.$defs[name];
    return referred ? problems(value, referred, whole, path) : [`${path}: no ${schema.$ref}`];
  }
  if (schema.const !== undefined) return value === schema.const ? [] : [`${path}: ${value}`];
  if (schema.anyOf) {
    const found = schema.anyOf.map((one) => problems(value, one, whole, path));
    if (found.some((each) => each.length === 0)) return [];
    const isObject = typeof value === "object" && schema.anyOf.some(({ properties }) => properties);
    return isObject ? (found.at(-1) ?? []) : [`${path}: ${JSON.stringify(value)}`];
  }
  const type = Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
  if (![schema.type].flat().includes(type)) return [`${path}: ${type}`];
  if (typeof value === "string" && schema.pattern && !new RegExp(schema.pattern).test(value))
    return [`${path}: ${value}`];
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === "number" && !(minimum <= value && value <= maximum)) return [`${path}: ${value}`];
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) return [`${path}: empty`];
    if (value.length > (schema.maxItems ?? Infinity)) return [`${path}: ${value.length} items`];
    return value.flatMap((item, index) => problems(item, schema.items ?? {}, whole, `${path}[${index}]`));
  }
  // An object without declared members may have any.
  if (typeof value !== "object" || value === null || !schema.properties) return [];
  const isMet = (schema.if?.required ?? []).every((name) => name in value);
  const required = [...(schema.required ?? []), ...(isMet ? [] : (schema.else?.required ?? []))];
  const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name}: missing`);
  const given = schema.oneOf?.filter(({ required: [name = ""] }) => name in value).length ?? 1;
  if (given !== 1) missing.push(`${path}: ${given} of ${schema.oneOf?.map(({ required }) => required).join(", ")}`);
  const inside = Object.entries(value).flatMap(([name, member]) => {
    const known = schema.properties?.[name];
    return known ? problems(member, known, whole, `${path}.${name}`) : [`${path}.${name}: unknown`];
  });
  return [...missing, ...inside];
}

const schema = schemaOf(OBJECTS);

test("the schema in fixtures/ equals the declarations", () => {
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(SCHEMA, text);
  expect(readFileSync(SCHEMA, "utf8")).toBe(text);
});

const own = FIXTURES.flatMap(({ kind, name, catalog }) => (catalog === null ? [] : [[`${kind}/${name}`, catalog]]));

test.each([["the example", catalogDocument], ...own])("the catalog of %s keeps to the schema", (_, document = "") => {
  expect(problems(JSON.parse(document), schema, schema, "")).toEqual([]);
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
  expect(problems(document, schema, schema, "")).toEqual([
    ".ssps[0].id: missing",
    ".ssps[1].tmax: 0",
    ".creatives[0]: 0 of banner, video, audio, native",
    ".campaigns[0].max_cpm: number",
    ".campaigns[1].max_cpm: 1,80",
    ".campaigns[2].seet: unknown",
    ".campaigns[3].target.hours[0].days[1]: 8",
    ".campaigns[4].target.devicetype.include[1]: 9",
    ".campaigns[4].target.mm.exclude[1]: 6",
    ".campaigns[5].target.startdelay.include[0]: -3",
    '.campaigns[6].target.channel[1]: "web"',
    ".campaigns[7].adomain[0]: https://x.example",
    ".campaigns[7].creatives: empty",
    ".campaigns[8].burl: x",
    ".campaigns[10].seat: missing",
    ".campaigns[10].adomain: missing",
    ".campaigns[10].max_cpm: missing",
    ".campaigns[10].creatives: missing",
    ".templates[0].cid: unknown",
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
