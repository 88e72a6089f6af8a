//! The part of `docs/exchanges.md` between its two marks is made from the profiles in `integrations/exchanges`.
//! `UPDATE_FIXTURES=1` rewrites it. The compiler's own tests check the files: `profiles.rs`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { SCHEMA } from "./declarations.ts";
import { anchorsOf } from "./docs-pages.ts";

const PAGE = join(ROOT, "docs/exchanges.md");
const MARKS = /(?<=<!-- made from integrations\/exchanges -->\n\n)[\s\S]*(?=\n<!-- end -->)/;
const LINE = 120;

/** A file in `integrations/exchanges`. */
interface Profile {
  name: string;
  /** The attributes that a record takes. */
  ssp: Record<string, unknown>;
  facts: Fact[];
  /** What the buyer must add. */
  yours?: Yours[];
}

interface Fact {
  /** Markdown. */
  fact: string;
  /** Where we read it. */
  source: string;
  /** The year, if the source is old. */
  seen?: string;
  /** The attributes that it justifies. */
  sets?: string[];
}

interface Yours {
  /** An attribute, or a member of one, such as `bid_ext.billing_id`. */
  attribute: string;
  /** Another attribute that serves as well. */
  instead?: string;
  example: unknown;
  /** The end of a sentence. */
  because: string;
}

const ids = SCHEMA.$defs?.["Exchange Profiles"]?.anyOf?.map(({ const: id }) => String(id)) ?? [];
const profiles = ids.map((id): [id: string, profile: Profile] => [
  id,
  JSON.parse(readFileSync(join(ROOT, `integrations/exchanges/${id}.json`), "utf8")),
]);

function part(): string {
  const rows = profiles.map(([, { name, ssp, yours = [] }]) => {
    const [anchor] = anchorsOf(`## ${name}`);
    const sets = Object.entries(ssp).map(([attribute, value]) => `\`"${attribute}": ${inline(value)}\``);
    const adds = yours.map(({ attribute }) => `\`${attribute}\``);
    return `| [${name}](#${anchor}) | ${sets.join(", ") || "–"} | ${adds.join(", ") || "–"} |`;
  });
  const table = `| exchange | the profile sets | you add |\n|---|---|---|\n${rows.join("\n")}\n`;
  return [table, ...profiles.map(([id, profile]) => sectionOf(id, profile))].join("\n");
}

function sectionOf(id: string, { name, facts, yours = [] }: Profile): string {
  const bySource = Map.groupBy(facts, ({ source }) => source);
  const items = [...bySource].map(([source, facts]) => {
    const seen = facts[0]?.seen === undefined ? "" : `, ${facts[0].seen}`;
    const text = facts.map(({ fact }) => fact).join(" ");
    return wrapped(`- ${text.replace(/\.$/, "")} ([source](${source})${seen}).`, "  ");
  });
  const adds = yours.map(({ attribute, instead, because }) => {
    const names = instead === undefined ? `\`${attribute}\`` : `\`${attribute}\`, or \`${instead}\` in its place`;
    return `\n${wrapped(`Add your own ${names}, because ${because}.`, "")}\n`;
  });
  return `## ${name}\n\n${items.join("\n")}\n\n\`\`\`json ssp\n${recordOf(id, yours)}\n\`\`\`\n${adds.join("")}`;
}

/** The record of an SSP that has the profile. */
function recordOf(id: string, yours: Yours[]): string {
  const record: Record<string, unknown> = { id, profile: id, test: true };
  for (const { attribute, example } of yours) {
    const [whole = "", member] = attribute.split(".");
    record[whole] = member === undefined ? example : { [member]: example };
  }
  const line = inline(record);
  const members = Object.entries(record).map(([name, value]) => `  "${name}": ${inline(value)}`);
  return line.length <= LINE ? line : `{\n${members.join(",\n")}\n}`;
}

/** JSON in one line, with the spaces that people write. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `"${name}": ${inline(member)}`)
    .join(", ")} }`;
}

/** The text in lines. Code stays in one line, because the links of a page are read line by line. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= LINE) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(line === undefined ? word : `${indent}${word}`);
  }
  return lines.join("\n");
}

test("docs/exchanges.md equals the profiles", () => {
  const page = readFileSync(PAGE, "utf8");
  if (process.env["UPDATE_FIXTURES"] === "1")
    writeFileSync(
      PAGE,
      page.replace(MARKS, () => part()),
    );
  expect(MARKS.exec(readFileSync(PAGE, "utf8"))?.[0]).toBe(part());
  expect(profiles.length).toBeGreaterThanOrEqual(11);
});
