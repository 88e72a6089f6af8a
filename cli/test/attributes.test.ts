//! `docs/attributes.md`, the table of all attributes of a catalog, equals the declarations in `document.rs`,
//! `meanings.rs` and `choices.rs`. `UPDATE_FIXTURES=1` rewrites it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../tools.mjs";
import { type Attribute, type Declared, MEANINGS, type Meanings, OBJECTS } from "./declarations.ts";

const PAGE = join(ROOT, "docs/attributes.md");

const SCALARS: Record<string, [one: string, many: string]> = {
  String: ["text", "texts"],
  i64: ["integer", "integers"],
  bool: ["true or false", "true or false"],
  Amount: ["amount", "amounts"],
  InvoiceRatio: ["factor", "factors"],
  Instant: ["time", "times"],
  Degrees: ["degrees", "degrees"],
  Times: ["factor", "factors"],
  JsonObject: ["object", "objects"],
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

function page(): string {
  const objects = OBJECTS.map(sectionOf).join("\n");
  const lists = MEANINGS.map(listOf).join("\n");
  return `# All attributes of a catalog

For a person who writes catalogs: after this page you know every attribute, its type, and the meaning of its values.
[Describe campaigns](campaigns.md) explains them with examples. This page is made from the code.

An *amount* is a decimal string such as \`"2.50"\`, or an integer in micros. *Degrees* are a decimal string such as
\`"52.5200"\`. A *factor* is a decimal string such as \`"1.25"\`. An attribute in **bold** is required.

${objects}
## Meanings of values

${lists}`;
}

function sectionOf({ name, description, short, attributes }: Declared): string {
  const rows = attributes.map((attribute) => {
    const shown = attribute.required ? `**\`${attribute.name}\`**` : `\`${attribute.name}\``;
    return `| ${shown} | ${typeText(attribute)} | ${cell(attribute.description)} |`;
  });
  const alone = short === undefined ? "" : ` A text in place of the object is its \`${short}\`.`;
  return `## ${titleOf(name)}\n\n${description}${alone}\n\n| attribute | type | what |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function typeText({ type, isList, meanings }: Attribute): string {
  const words = SCALARS[type];
  const list = meanings ? ` of ${link(meanings.name)}` : "";
  if (words) return `${isList ? `list of ${words[1]}` : words[0]}${list}`;
  return `${isList ? "list of " : ""}${link(titleOf(type))}${list}`;
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

function listOf({ name, source, exchangeSpecific, open, values }: Meanings): string {
  const rows = values.map(([value, meaning]) => {
    const shown = typeof value === "string" ? `\`${value}\`` : value;
    return `| ${shown} | ${cell(meaning)} |`;
  });
  if (exchangeSpecific) rows.push("| 500 and above | what the exchange says |");
  if (open) rows.push("| above | that many seconds after the start |");
  const from = source === null ? "" : `${source}.\n\n`;
  return `### ${name}\n\n${from}| value | meaning |\n|---|---|\n${rows.join("\n")}\n`;
}

function cell(text: string): string {
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
