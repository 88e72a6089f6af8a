//! `fixtures/catalog.schema.json`, the JSON Schema of catalog documents for editors, equals the `object!` declarations
//! in `document.rs`. `UPDATE_FIXTURES=1` rewrites it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogDocument, FIXTURES } from "./fixtures.ts";

const ROOT = join(import.meta.dirname, "../..");
const DECLARATIONS = join(ROOT, "crates/compiler-wasm/src/compile/document.rs");
const SCHEMA = join(ROOT, "fixtures/catalog.schema.json");

interface Schema {
  $ref?: string;
  type?: string | string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
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
  Weekday: { type: "integer", minimum: 1, maximum: 7 },
  JsonObject: { type: "object" },
  Degrees: { type: "string", pattern: "^-?[0-9]+(\\.[0-9]+)?$" },
};

/** Makes the schema from the declarations. Throws if it cannot read a line of a declaration. */
function schemaOf(source: string): Whole {
  const types: Record<string, Schema> = {};
  for (const [, declaration = ""] of source.matchAll(/^object! \{\n([\s\S]*?)^\}$/gm)) {
    const lines = declaration.trimEnd().split("\n").slice(0, -1);
    let words: string[] = [];
    let type: Schema | undefined;
    for (const line of lines) {
      const doc = /^\s*\/\/\/ ?(.*)$/.exec(line);
      const struct = /^ {4}pub struct (\w+)(?: from (\w+))? \{$/.exec(line);
      const field = /^ {8}pub (\w+)(?: as "([^"]+)")?: (Option|Vec)<(\w+)>( = required)?,$/.exec(line);
      if (doc) {
        words.push(doc[1] ?? "");
        continue;
      }
      const description = words.join(" ").replaceAll(/\[`crate::([^`]+)`\]/g, "`$1`");
      if (struct) {
        type = { type: "object", description, properties: {}, required: [], additionalProperties: false };
        types[struct[1] ?? ""] = struct[2] === undefined ? type : { anyOf: [{ type: "string" }, type] };
      } else if (field && type?.properties && type.required) {
        const [, name = "", wire = name, shape, inner = "", required] = field;
        const value = SCALARS[inner] ?? { $ref: `#/$defs/${inner}` };
        const described = shape === "Vec" ? { type: "array", items: value } : value;
        type.properties[wire] = { description, ...described };
        if (required) type.required.push(wire);
      } else throw new Error(`cannot read this line of a declaration: ${line}`);
      words = [];
    }
  }
  const { Document, ...defs } = types;
  if (!Document) throw new Error("no Document is declared");
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "edgebid catalog",
    ...Document,
    $defs: defs,
  };
}

/** The paths at which a value breaks the schema. Knows only the keywords that {@link schemaOf} uses. */
function problems(value: unknown, schema: Schema, whole: Whole, path: string): string[] {
  if (schema.$ref !== undefined) {
    const referred = whole.$defs[schema.$ref.replace("#/$defs/", "")];
    return referred ? problems(value, referred, whole, path) : [`${path}: no ${schema.$ref}`];
  }
  if (schema.anyOf !== undefined) {
    const found = schema.anyOf.map((one) => problems(value, one, whole, path));
    return found.find((each) => each.length === 0) ?? found.at(-1) ?? [];
  }
  const type = Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
  if (![schema.type].flat().includes(type)) return [`${path}: ${type}`];
  if (typeof value === "string" && schema.pattern && !new RegExp(schema.pattern).test(value))
    return [`${path}: ${value}`];
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === "number" && !(minimum <= value && value <= maximum)) return [`${path}: ${value}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => problems(item, schema.items ?? {}, whole, `${path}[${index}]`));
  }
  // An object without declared members may have any.
  if (typeof value !== "object" || value === null || !schema.properties) return [];
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}.${name}: missing`);
  const inside = Object.entries(value).flatMap(([name, member]) => {
    const known = schema.properties?.[name];
    return known ? problems(member, known, whole, `${path}.${name}`) : [`${path}.${name}: unknown`];
  });
  return [...missing, ...inside];
}

const schema = schemaOf(readFileSync(DECLARATIONS, "utf8"));

test("the schema in fixtures/ equals the declarations in document.rs", () => {
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
  delete document.ssps[0].id;
  expect(problems(document, schema, schema, "")).toEqual([
    ".ssps[0].id: missing",
    ".campaigns[0].max_cpm: number",
    ".campaigns[1].max_cpm: 1,80",
    ".campaigns[2].seet: unknown",
    ".campaigns[3].target.hours[0].days[1]: 8",
  ]);
});
