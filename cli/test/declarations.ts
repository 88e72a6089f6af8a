//! Reads the declarations of the catalog document: the `object!`s of `document.rs`, and the lists of values in
//! `meanings.rs`. Throws if it cannot read a line.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup.mjs";

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
  source: string;
  /** Whether other numbers, from 500 on, have meanings that an exchange gives them. */
  exchangeSpecific: boolean;
  /** Whether higher numbers than those listed are allowed. */
  open: boolean;
  values: [value: number, meaning: string][];
}

/** All lists of values, in the order of the file. */
export const MEANINGS = meaningsIn(readFileSync(join(FOLDER, "meanings.rs"), "utf8"));

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
  const lists = /^pub const \w+: Meanings = Meanings \{\n([\s\S]*?)^\};$/gm;
  return [...source.matchAll(lists)].map(([, body = ""]) => {
    const text = (field: string) => {
      const value = new RegExp(`^ {4}${field}: "([^"]*)",$`, "m").exec(body)?.[1];
      if (value === undefined) throw new Error(`a list without ${field}: ${body}`);
      return value;
    };
    const others = /^ {4}others: Others::(\w+),$/m.exec(body)?.[1];
    const list = /^ {4}values: &\[([\s\S]*)\],$/m.exec(body)?.[1] ?? "";
    const values: [number, string][] = [];
    const rest = list.replaceAll(/\(\s*(-?\d+),\s*"([^"]*)",?\s*\)/g, (_, value: string, meaning: string) => {
      values.push([Number(value), meaning]);
      return "";
    });
    if (/[^\s,]/.test(rest) || values.length === 0)
      throw new Error(`cannot read all values of ${text("name")}: ${rest}`);
    return {
      name: text("name"),
      source: text("source"),
      exchangeSpecific: others === "ExchangeSpecific",
      open: others === "Higher",
      values,
    };
  });
}
