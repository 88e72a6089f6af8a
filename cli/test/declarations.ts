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
}

/** An object of the document. */
export interface Declared {
  name: string;
  description: string;
  /** The attribute for which a text may stand alone, in place of the object. */
  short: string | undefined;
  attributes: Attribute[];
}

/** A list of values with their meanings. */
export interface Meanings {
  name: string;
  /** The specification of numbers; null for texts, which are edgebid's own. */
  source: string | null;
  /** Whether other numbers, from 500 on, have meanings that an exchange gives them. */
  exchangeSpecific: boolean;
  /** Whether higher numbers than those listed are allowed. */
  open: boolean;
  values: [value: number | string, meaning: string][];
}

/** All lists of values, in the order of the files. */
export const MEANINGS = ["choices.rs", "meanings.rs"].flatMap((file) =>
  meaningsIn(readFileSync(join(FOLDER, file), "utf8")),
);

/** All objects, in the order of the file. The first is the document. */
export const OBJECTS = withTemplate(objectsIn(readFileSync(join(FOLDER, "document.rs"), "utf8")));

export function objectsIn(source: string): Declared[] {
  const objects: Declared[] = [];
  for (const [, declaration = ""] of source.matchAll(/^object! \{\n([\s\S]*?)^\}$/gm)) {
    const lines = declaration.trimEnd().split("\n").slice(0, -1);
    let words: string[] = [];
    for (const line of lines) {
      const doc = /^\s*\/\/\/ ?(.*)$/.exec(line);
      if (doc) {
        words.push(doc[1] ?? "");
        continue;
      }
      const description = words.join(" ").replaceAll(/\[`crate::([^`]+)`\]/g, "`$1`");
      words = [];
      const struct = /^ {4}pub struct (\w+)(?:: Inherits)?(?: from (\w+))? \{$/.exec(line);
      const field = /^ {8}pub (\w+)(?: as "([^"]+)")?: (Option|Vec)<(\w+)>( = required)?,$/.exec(line);
      const object = objects.at(-1);
      if (struct) objects.push({ name: struct[1] ?? "", description, short: struct[2], attributes: [] });
      else if (field && object) {
        const [, rust = "", name = rust, shape, type = "", required] = field;
        const meanings = meaningsOf(description);
        object.attributes.push({ name, description, isList: shape === "Vec", required: !!required, type, meanings });
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
      ...{ isList: false, required: true, type: "String", meanings: undefined },
    };
    const shared = object.attributes.filter(({ name }) => name !== "cid" && name !== "template");
    const attributes = [own, ...shared.map((attribute) => ({ ...attribute, required: false }))];
    const description = "Attributes that campaigns share: an id, and any attributes of a campaign.";
    return [object, { name: "TemplateEntry", description, short: undefined, attributes }];
  });
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
  const lists = /^pub const \w+: (?:Meanings|Choice) =\s*(?:Meanings|Choice) \{([\s\S]*?)\};$/gm;
  const found = [...source.matchAll(lists)];
  if (found.length !== source.match(/^pub const/gm)?.length) throw new Error("cannot read every list");
  return found.map(([, body = ""]) => {
    const text = (field: string) => new RegExp(`\\b${field}: "([^"]*)"`).exec(body)?.[1];
    const name = text("name");
    if (name === undefined) throw new Error(`a list without a name: ${body}`);
    const others = /\bothers: Others::(\w+)/.exec(body)?.[1];
    const list = /\bvalues: &\[([\s\S]*)\]/.exec(body)?.[1] ?? "";
    const values: [number | string, string][] = [];
    const entry = /\(\s*(-?\d+|"[^"]+"),\s*"([^"]*)",?\s*\)/g;
    const rest = list.replaceAll(entry, (_, value: string, meaning: string) => {
      values.push([JSON.parse(value), meaning]);
      return "";
    });
    if (/[^\s,]/.test(rest) || values.length === 0) throw new Error(`cannot read all values of ${name}: ${rest}`);
    return {
      name,
      source: text("source") ?? null,
      exchangeSpecific: others === "ExchangeSpecific",
      open: others === "Higher",
      values,
    };
  });
}
