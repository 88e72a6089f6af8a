//! Reads the declarations of the catalog document: the `object!`s of `document.rs`, and the lists of values in
//! `meanings.rs` and `choices.rs`. Throws if it cannot read a line.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../tools.mjs";

const FOLDER = join(ROOT, "crates/compiler-wasm/src/compile");

/** An attribute of an object. */
export interface Attribute {
  name: string;
  description: string;
  isList: boolean;
  required: boolean;
  /** A scalar, or the name of an {@link Declared} object. */
  type: string;
  /** The list that says what its values mean. */
  meanings: Meanings | undefined;
  limit: Limit;
}

/** What `where` says: the bounds of integers, the pattern of texts, and the length of a list. */
export interface Limit {
  minimum?: number;
  maximum?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
}

/** An object of the document. */
export interface Declared {
  name: string;
  description: string;
  /** The attribute for which a text may stand alone, in place of the object. */
  short: string | undefined;
  /** The attributes of which exactly one is given; empty if there are none. */
  oneOf: string[];
  attributes: Attribute[];
}

/** A list of values with their meanings. */
export interface Meanings {
  name: string;
  /** The Rust type of its values, if they are texts. */
  choice: string | undefined;
  /** The specification of numbers; null for texts, which are edgebid's own. */
  source: string | null;
  /** Whether other numbers, from 500 on, have meanings that an exchange gives them. */
  exchangeSpecific: boolean;
  /** Whether higher numbers than those listed are allowed. */
  open: boolean;
  values: [value: number | string, meaning: string][];
}

const LIMITS = readFileSync(join(ROOT, "crates/bidder-wasm/src/limits.rs"), "utf8");

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

/** All lists of values, in the order of the files. */
export const MEANINGS = ["choices.rs", "meanings.rs"].flatMap((file) =>
  meaningsIn(readFileSync(join(FOLDER, file), "utf8")),
);

/** All objects, in the order of the file. The first is the document. */
export const OBJECTS = withTemplate(objectsIn(readFileSync(join(FOLDER, "document.rs"), "utf8")));

export function objectsIn(source: string): Declared[] {
  const objects: Declared[] = [];
  for (const [, declaration = ""] of source.matchAll(/^object! \{\n([\s\S]*?)^\}$/gm)) {
    const lines = declaration.split("\n").filter((line) => !/^( {4}\}|)$/.test(line));
    let words: string[] = [];
    for (const line of lines) {
      const doc = /^\s*\/\/\/ ?(.*)$/.exec(line);
      if (doc) {
        words.push(doc[1] ?? "");
        continue;
      }
      const description = words.join(" ").replaceAll(/\[`crate::([^`]+)`\]/g, "`$1`");
      words = [];
      const struct = /^ {4}pub struct (\w+)(?:: Inherits)?(?: from (\w+))?(?: one of \((.*)\))? \{$/.exec(line);
      const field =
        /^ {8}pub (\w+)(?: as "([^"]+)")?: (?:(Option|Vec)<(\w+)>|(\w+))( = required)?(?: where (.*))?,$/.exec(line);
      const object = objects.at(-1);
      if (struct) {
        const [, name = "", short, names = "[]"] = struct;
        objects.push({
          name,
          description,
          short,
          oneOf: JSON.parse(names.replace(/^"(.*)"$/, '["$1"]')),
          attributes: [],
        });
      } else if (field && object) {
        const [, rust = "", name = rust, shape, item, alone = "", required, where] = field;
        const type = item ?? alone;
        const choice = MEANINGS.find((list) => list.choice === type);
        const meanings = choice ?? meaningsOf(description);
        const given = { name, description, isList: shape === "Vec", required: !!required, meanings };
        object.attributes.push({ ...given, type: choice ? "String" : type, limit: limitOf(where) });
      } else throw new Error(`cannot read this line of a declaration: ${line}`);
    }
  }
  return objects;
}

/** A template has the attributes of a campaign, of which none is required. `templates.rs` reads it. */
function withTemplate(objects: Declared[]): Declared[] {
  return objects.flatMap((object) => {
    if (object.name !== "CampaignEntry") return [object];
    const own = {
      name: "id",
      description: "The name by which campaigns refer to the template.",
      ...{ isList: false, required: true, type: "String", meanings: undefined, limit: limitOf("NAME") },
    };
    const shared = object.attributes.filter(({ name }) => name !== "cid" && name !== "template");
    const attributes = [own, ...shared.map((attribute) => ({ ...attribute, required: false }))];
    const description = "Attributes that campaigns share: an id, and any attributes of a campaign.";
    return [object, { name: "TemplateEntry", description, short: undefined, oneOf: [], attributes }];
  });
}

function limitOf(where = "ANY"): Limit {
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

/** The list that a description names, as `list "Device Types"`. */
function meaningsOf(description: string): Meanings | undefined {
  const named = /\blist "([^"]+)"/.exec(description)?.[1];
  if (named === undefined) return undefined;
  const meanings = MEANINGS.find(({ name }) => name === named);
  if (!meanings) throw new Error(`meanings.rs has no list "${named}"`);
  return meanings;
}

function meaningsIn(source: string): Meanings[] {
  const lists = /^ {4}(\w+) "([^"]+)"(?: of "([^"]+)")?(?: or (\w+))? \{\n([\s\S]*?)^ {4}\}$/gm;
  const found = [...source.matchAll(lists)];
  const count = source.match(/^ {4}[A-Z]\w+ "/gm)?.length;
  if (found.length !== count) throw new Error(`cannot read every list: ${found.length} of ${count}`);
  return found.map(([, rust = "", name = "", specification, others, body = ""]) => {
    const isNumbers = rust === rust.toUpperCase();
    const values: [number | string, string][] = [];
    const rest = body.replaceAll(/("[^"]+"|-?\d+)(?: = [^,]+)?,\s*"([^"]*)";/g, (_, value: string, meaning: string) => {
      values.push([JSON.parse(value), meaning]);
      return "";
    });
    if (/"/.test(rest) || values.length === 0) throw new Error(`cannot read all values of ${name}: ${rest}`);
    return {
      name,
      choice: isNumbers ? undefined : rust,
      source: isNumbers ? (specification ?? `AdCOM 1.0, List: ${name}`) : null,
      exchangeSpecific: others === "exchange_specific",
      open: others === "higher",
      values,
    };
  });
}
