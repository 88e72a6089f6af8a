//! `docs/attributes.md`, the table of all attributes of a catalog, equals the declarations in `crates/document/src`
//! and `crates/compiler/src/meanings.rs`. `UPDATE_FIXTURES=1` rewrites it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { nameOf, SCHEMA, type Schema } from "./declarations.ts";

const PAGE = join(ROOT, "docs/attributes.md");

/** What a value without a title is called, by its type in JSON Schema or in JavaScript. */
const WORDS: Record<string, string> = {
  string: "text",
  number: "integer",
  integer: "integer",
  boolean: "true or false",
  object: "object",
};

/** What each object is called on the page, if its name in the code is no good word for a reader. */
const TITLES: Record<string, string> = {
  Document: "The document",
  LinearEntry: "Video or audio",
  TextsEntry: "Rule over texts",
  NumbersEntry: "Rule over numbers",
  SegmentsEntry: "Rule over segments",
  CirclesEntry: "Rule over circles",
  VersionsEntry: "Range of versions",
  RangeEntry: "Range",
  SspEntry: "SSP",
  DsaEntry: "DSA",
  ImgEntry: "Image",
  DataEntry: "Text of a native ad",
  CapEntry: "Frequency cap",
  SchainEntry: "Supply chain",
  TransparencyEntry: "Transparency",
};

const DEFS = Object.entries(SCHEMA.$defs ?? {});
const isList = ({ anyOf }: Schema) => anyOf?.some((one) => "const" in one) ?? false;

function page(): string {
  const objects = DEFS.filter(([name, schema]) => !isList(schema) && !name.includes(" of "));
  const sections = [["Document", SCHEMA] as const, ...objects].map(sectionOf).join("\n");
  const lists = DEFS.filter(([, schema]) => isList(schema))
    .map(listOf)
    .join("\n");
  return `# All attributes of a catalog

For a person who writes catalogs: after this page you know every attribute, its type, and the meaning of its values.
[Describe campaigns](campaigns.md) explains them with examples. This page is made from the code.

An *amount* is a decimal string such as \`"2.50"\`, or an integer in micros. *Degrees* are a decimal string such as
\`"52.5200"\`. A *factor* is a decimal string such as \`"1.25"\`. An attribute in **bold** is required.

${sections}
## Meanings of values

${lists}`;
}

function sectionOf([name, schema]: readonly [name: string, schema: Schema]): string {
  const { anyOf: [alone, whole = schema] = [] } = schema;
  const { description, properties = {}, required = [], else: other } = whole as Schema & { else?: Schema };
  const needed = [...required, ...(other?.required ?? [])];
  const rows = Object.entries(properties).map(([attribute, value]) => {
    const shown = needed.includes(attribute) ? `**\`${attribute}\`**` : `\`${attribute}\``;
    return `| ${shown} | ${typeText(value)} | ${cell(value.description)} |`;
  });
  const text = [description, alone?.description].filter(Boolean).join(" ");
  return `## ${titleOf(name)}\n\n${text}\n\n| attribute | type | what |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function typeText(value: Schema): string {
  const { items: one = value } = value;
  const [object = "", list] = nameOf(value)?.split(/(?<=Entry) of /) ?? [];
  const first = SCHEMA.$defs?.[object]?.anyOf?.[0]?.const;
  const word = object === "" ? (one.title ?? WORDS[String(one.type)]) : WORDS[typeof first];
  const many = value.items ? "s" : "";
  const values = list ?? (first === undefined ? undefined : object);
  const what = word === undefined ? link(titleOf(object)) : `${word}${many}`;
  return `${many && "list of "}${what}${values === undefined ? "" : ` of ${link(values)}`}`;
}

function titleOf(name: string): string {
  return TITLES[name] ?? name.replace(/Entry$/, "");
}

/** A link to the heading with this text. */
function link(title: string): string {
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  return `[${title}](#${anchor})`;
}

function listOf([name, { description, anyOf = [] }]: [name: string, schema: Schema]): string {
  const rows = anyOf.map(({ const: value, minimum, description }) => {
    const shown = typeof value === "string" ? `\`${value}\`` : (value ?? `${minimum} and above`);
    return `| ${shown} | ${cell(description)} |`;
  });
  const from = description === undefined ? "" : `${description}.\n\n`;
  return `### ${name}\n\n${from}| value | meaning |\n|---|---|\n${rows.join("\n")}\n`;
}

function cell(text = ""): string {
  return text.replaceAll("|", "\\|");
}

test("docs/attributes.md equals the declarations", () => {
  if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(PAGE, page());
  expect(readFileSync(PAGE, "utf8")).toBe(page());
});

test("no two headings are the same", () => {
  const headings = page().match(/^##+ .*$/gm) ?? [];
  expect(new Set(headings.map((heading) => heading.replace(/^#+ /, ""))).size).toBe(headings.length);
});
