//! The JSON Schema of catalog documents, made of the declarations in Rust: the `object!`s of `crates/document/src/lib.rs`, and
//! the lists of values in `choices.rs` beside it and `crates/compiler/src/meanings.rs`. Throws if it cannot read a line.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../build/tools.mjs";

/** What is used of JSON Schema. */
export interface Schema {
  $defs?: Record<string, Schema>;
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: string | number;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  [keyword: string]: unknown;
}

/** A list of values with their meanings. */
interface List {
  /** The Rust type of its values, if they are texts. */
  choice: string | undefined;
  name: string;
  /** The targeting attributes that have its values. */
  targets: string[];
  schema: Schema;
}

const FACTOR = { title: "factor", type: "string", pattern: "^[0-9]+(\\.[0-9]{1,6})?$" };

/** By Rust type. A title is the word of `docs/attributes.md`, if it is another one than for the JSON type. */
const SCALARS: Record<string, Schema> = {
  String: { type: "string" },
  i64: { type: "integer" },
  bool: { type: "boolean" },
  Amount: { title: "amount", type: ["string", "integer"], pattern: "^[0-9]+(\\.[0-9]+)?$" },
  Times: FACTOR,
  InvoiceRatio: FACTOR,
  Instant: { title: "time", type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d" },
  JsonObject: { type: "object" },
  Degrees: { title: "degrees", type: "string", pattern: "^-?[0-9]+(\\.[0-9]+)?$" },
};

/** The texts that a limit allows, as far as a short pattern can say it; `allowed.rs` has the rest. */
const PATTERNS: Record<string, string> = {
  NAME: "\\S",
  MARKUP: "\\S",
  URL: "^https?://[^/\\s]",
  FIXED_URL: "^https?://[^/\\s]",
  DOMAIN: "^[^./:@ ]+(\\.[^./:@ ]+)+$",
  SHA_256: "^[0-9A-Fa-f]{64}$",
  SSP_ID: "^[A-Za-z0-9_.-]+$",
  PREBID_CODE: "^([^*]|.{2,})",
  SYNC_URL: "^https://.*\\{buyeruid\\}",
  SKADN_NETWORK: "^[a-z0-9]+\\.skadnetwork$",
  APP_STORE_ID: "^[0-9]{1,20}$",
  SOURCE_IDENTIFIER: "^[1-9][0-9]{0,3}$",
  SKADN_CAMPAIGN: "^([1-9][0-9]?|100)$",
};

/** Numbers from here on mean what an exchange says. */
const EXCHANGE_SPECIFIC = 500;

const LIMITS = rust("base/src/limits.rs");
const LISTS = ["document/src/choices.rs", "compiler/src/meanings.rs"].flatMap((file) => listsIn(rust(file)));

/** The schema. Its definitions are in the order of the files. */
export const SCHEMA = schemaOf(objectsIn(rust("document/src/lib.rs")));

function rust(path: string): string {
  return readFileSync(join(ROOT, "crates", path), "utf8");
}

function schemaOf({ Document: document = {}, ...objects }: Record<string, Schema>): Schema {
  const $defs = Object.fromEntries(
    Object.entries(objects).flatMap(([name, object]): [string, Schema][] => {
      if (name !== "CampaignEntry") return [[name, object]];
      return Object.entries({ [name]: withTemplate(object), TemplateEntry: templateOf(object) });
    }),
  );
  // A rule over numbers has the same shape for every list, but other values.
  for (const attribute of Object.values($defs).flatMap(({ properties = {} }) => Object.values(properties))) {
    const name = nameOf(attribute);
    const [, rule = "", list = ""] = /^(\w+Entry) of (.*)$/.exec(name ?? "") ?? [];
    if (!name || !rule) continue;
    const numbers = Object.entries($defs[rule]?.properties ?? {}).map(([name, { items, ...value }]) => [
      name,
      items?.type === "integer" ? { ...value, items: ref(list) } : { ...value, items },
    ]);
    $defs[name] = { ...$defs[rule], properties: Object.fromEntries(numbers) };
  }
  for (const { name, targets, schema } of LISTS) {
    $defs[name] = schema;
    const unnamed = targets.find(
      (target) => nameOf(objects["TargetEntry"]?.properties?.[target] ?? {}) !== `NumbersEntry of ${name}`,
    );
    if (unnamed !== undefined)
      throw new Error(`the comment of the target's ${unnamed} does not name the list "${name}"`);
  }
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "edgebid catalog", ...document, $defs };
}

/** A campaign may have its required attributes from its template, except the id. */
function withTemplate(campaign: Schema): Schema {
  const [cid = "", ...others] = campaign.required ?? [];
  return { ...campaign, required: [cid], if: { required: ["template"] }, else: { required: others } };
}

/** A template has the attributes of a campaign, of which none is required. `templates.rs` reads it. */
function templateOf(campaign: Schema): Schema {
  const { cid: _, template: __, ...shared } = campaign.properties ?? {};
  const id = { description: "The name by which campaigns refer to the template.", type: "string", ...limitOf("NAME") };
  const description = "Attributes that campaigns share: an id, and any attributes of a campaign.";
  return { ...campaign, description, properties: { id, ...shared }, required: ["id"] };
}

/** The objects of a Rust file, in its order. */
export function objectsIn(source: string): Record<string, Schema> {
  const objects: Record<string, Schema> = {};
  let properties: Record<string, Schema> = {};
  let required: string[] = [];
  const read = (docs: string, line: string) => {
    const words = docs.split("\n").map((doc) => doc.replace(/^ *\/\/\/ ?/, ""));
    const description = words
      .join(" ")
      .trim()
      .replaceAll(/\[`crate::([^`]+)`\]/g, "`$1`");
    const struct = /^struct (\w+)(?:: Inherits)?(?: from (\w+))?(?: one of \((.*)\))? \{$/.exec(line);
    const field = /^(\w+)(?: as "([^"]+)")?: (?:(Option|Vec)<(\w+)>|(\w+))( = required)?(?: where (.*))?,$/.exec(line);
    if (struct) {
      const [, name = "", short, names] = struct;
      [properties, required] = [{}, []];
      const oneOf = names && JSON.parse(`[${names}]`).map((name: string) => ({ required: [name] }));
      const whole: Schema = { type: "object", description, properties, required, ...(oneOf && { oneOf }) };
      whole["additionalProperties"] = false;
      const alone = {
        type: "string",
        description: `You can write a text instead of the object: it is the \`${short}\`.`,
      };
      objects[name] = short === undefined ? whole : { anyOf: [alone, whole] };
    } else if (field) {
      const [, own = "", name = own, shape, item, type = item ?? "", isRequired, where] = field;
      if (isRequired) required.push(name);
      const { minItems, maxItems, ...limit } = limitOf(where);
      const value = schemaOfType(type, description, limit);
      properties[name] = {
        description,
        ...(shape === "Vec" ? { type: "array", items: value, minItems, maxItems } : value),
      };
    } else throw new Error(`cannot read this line of a declaration: ${line}`);
    return "";
  };
  for (const [, body = ""] of source.matchAll(/^object! \{\n([\s\S]*?)^\}$/gm)) {
    const rest = body.replace(/^((?: *\/\/\/.*\n)*) *pub (.*)\n/gm, (_, docs, line) => read(docs, line));
    if (/[^\s}]/.test(rest)) throw new Error(`cannot read these lines of a declaration: ${rest}`);
  }
  return objects;
}

/** A value of a Rust type: a scalar, one of a list, or an object. */
function schemaOfType(type: string, description: string, limit: Schema): Schema {
  const named = /\blist "([^"]+)"/.exec(description)?.[1];
  const list = LISTS.find(({ choice, name }) => choice === type || name === named);
  if (named !== undefined && !list) throw new Error(`meanings.rs has no list "${named}"`);
  const scalar = SCALARS[type];
  if (list) return ref(scalar || list.choice === type ? list.name : `${type} of ${list.name}`);
  return scalar ? { ...scalar, ...limit } : ref(type);
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}` };
}

/** The name of the definition of an attribute's values; undefined for a scalar. */
export function nameOf({ items, $ref = items?.$ref }: Schema): string | undefined {
  return $ref && decodeURIComponent($ref).replace("#/$defs/", "").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** What `where` says: the bounds of integers, the pattern of texts, and the length of a list. */
function limitOf(where = "ANY"): Schema {
  const [rule = "", ...lengths] = where.split(/\.(?=some|most|unique)/);
  const [, name = "", least, most] = /^(\w+)(?:\((\w+), (\w+)\))?$/.exec(rule) ?? [];
  const pattern = PATTERNS[name];
  const maxItems = lengths.flatMap((length) => /^most\((\w+)\)$/.exec(length)?.[1] ?? [])[0];
  return {
    ...(name === "POSITIVE" && { minimum: 1 }),
    ...(least !== undefined && most !== undefined && { minimum: numberOf(least), maximum: numberOf(most) }),
    ...(pattern !== undefined && { pattern }),
    ...(lengths.includes("some()") && { minItems: 1 }),
    ...(maxItems !== undefined && { maxItems: numberOf(maxItems) }),
  };
}

/** The number of a literal, or of a name in `limits.rs`. */
function numberOf(text: string): number {
  const literal = new RegExp(`^pub const ${text}: \\w+ = ([\\d_]+);$`, "m").exec(LIMITS)?.[1] ?? text;
  const number = Number(literal.replaceAll("_", ""));
  if (Number.isNaN(number)) throw new Error(`limits.rs has no number ${text}`);
  return number;
}

function listsIn(source: string): List[] {
  const lists = /^ {4}(\w+) "([^"]+)"(?: of "([^"]+)")?(?: for ([\w ]+?))?(?: or (\w+))? \{\n([\s\S]*?)^ {4}\}$/gm;
  const found = [...source.matchAll(lists)];
  const count = source.match(/^ {4}[A-Z]\w+ "/gm)?.length;
  if (found.length !== count) throw new Error(`cannot read every list: ${found.length} of ${count}`);
  return found.map(([, rust = "", name = "", specification = `AdCOM 1.0, List: ${name}`, users, others, body = ""]) => {
    const isNumbers = rust === rust.toUpperCase();
    const anyOf: Schema[] = [];
    const rest = body.replaceAll(/("[^"]+"|-?\d+)(?: = [^,]+)?,\s*"([^"]*)";/g, (_, value: string, meaning: string) => {
      anyOf.push({ const: JSON.parse(value), description: meaning });
      return "";
    });
    if (/"/.test(rest) || anyOf.length === 0) throw new Error(`cannot read all values of ${name}: ${rest}`);
    const from = (minimum: number, description: string) => anyOf.push({ type: "integer", minimum, description });
    if (others === "exchange_specific") from(EXCHANGE_SPECIFIC, "what the exchange says");
    if (others === "higher")
      from(1 + Math.max(...anyOf.map((one) => Number(one.const))), "that many seconds after the start");
    return {
      name,
      choice: isNumbers ? undefined : rust,
      targets: users?.split(" and ") ?? [],
      schema: { ...(isNumbers && { description: specification }), anyOf },
    };
  });
}
