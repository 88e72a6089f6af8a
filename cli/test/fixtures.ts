//! Reads the fixtures for tests and benchmarks in Node. The head of `fixtures/fixtures.tsv` explains the fixtures.

import { readFileSync } from "node:fs";

const FOLDER = new URL("../../fixtures/", import.meta.url);

export type Kind = "bid" | "no-bid" | "malformed";

/** One behaviour: what is sent, and what is expected back. */
export interface Fixture {
  kind: Kind;
  name: string;
  /** The catalog document; null for `fixtures/catalog.json`. */
  catalog: string | null;
  request: Buffer;
  /** The response; null for none. */
  response: string | null;
  /** The no-bid reason; null for a bid. */
  reason: string | null;
}

/** The text of `fixtures/catalog.json`. */
export const catalogDocument = text("catalog.json");

/** The response and the no-bid reason by the fixture's path. A missing response or reason is an empty text. */
const EXPECTED = new Map(
  ["bid", "no-bid", "malformed"].flatMap((kind) =>
    rows(`expected/${kind}.tsv`).map(([name, ...answer]): [string, string[]] => [`${kind}/${name}`, answer]),
  ),
);

export const FIXTURES: Fixture[] = rows("fixtures.tsv").map(([path = "", _rules, catalog, campaign]) => {
  const [kind, name] = path.split("/") as [Kind, string];
  const request = readFileSync(new URL(`${path}.${kind === "malformed" ? "txt" : "json"}`, FOLDER));
  const [response, reason] = EXPECTED.get(path) ?? [];
  const expected = { response: response || null, reason: reason || null };
  return { kind, name, catalog: documentOf(catalog, campaign), request, ...expected };
});

/** The catalog `catalog`, with the members in `campaign` (JSON) put into its first campaign; null without both. */
function documentOf(catalog: string | undefined, campaign: string | undefined): string | null {
  if (!catalog && !campaign) return null;
  const document = text(catalog ? `catalogs/${catalog}.json` : "catalog.json");
  if (!campaign) return document;
  const parsed: { campaigns: object[] } = JSON.parse(document);
  Object.assign(parsed.campaigns[0] ?? {}, JSON.parse(campaign));
  return JSON.stringify(parsed);
}

/** The rows of a table in `fixtures`, each as its cells. */
export function rows(path: string): string[][] {
  const lines = text(path).trimEnd().split("\n");
  return lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));
}

function text(path: string): string {
  return readFileSync(new URL(path, FOLDER), "utf8");
}
