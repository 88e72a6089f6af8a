//! `edgebid explain` stays short for many campaigns, explains one alone, and takes no catalog that the person did not mean.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../tools.mjs";
import { edgebidIn, folderFor } from "./edgebid.ts";

const folder = folderFor("explain");
const edgebid = edgebidIn(folder);
const REQUEST = join(ROOT, "fixtures/init/request.json");

const first = JSON.parse(readFileSync(join(ROOT, "fixtures/init/catalog.json"), "utf8"));
const [campaign] = first.campaigns;
/** Of 90 campaigns, 30 want another country, and 8 pay less than the floor. */
const campaigns = Array.from({ length: 90 }, (_, i) => ({
  ...{ ...campaign, cid: `c${i}` },
  ...(i % 3 === 0 && { target: { country: { include: ["FRA"] } } }),
  ...(i % 12 === 1 && { max_cpm: "0.10" }),
}));
writeFileSync(join(folder, "many.json"), JSON.stringify({ ...first, campaigns }));

test("of many campaigns, the most frequent reasons are first, and the rest is counted", async () => {
  const [status, stdout] = await edgebid("explain", REQUEST, "--catalog", "many.json");
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.filter((line) => line.startsWith("  ✗"))).toHaveLength(6);
  expect(stdout).toMatch(/✗ c\d+ +outbid [\s\S]*✗ c1 +floor [\s\S]*\n {2}59 campaigns: outbid 51, floor 8\n/);
  expect(stdout).toContain("  ✗ c3  country");
  expect(stdout).toContain("\n  30 campaigns: country 30\n");
});

test("one campaign alone", async () => {
  const [status, stdout] = await edgebid("explain", REQUEST, "--catalog", "many.json", "--campaign", "c1");
  expect([status, stdout.match(/✗ .*/g)]).toEqual([0, ["✗ c1  floor  wanted at most 0.1 USD; found at least 0.5 USD"]]);
  // The file of the catalog has decided, and not the version that a bidder serves.
  expect(stdout).toMatch(/^request \S+ bid \(catalog: many\.json, version [0-9a-f]{16}; /);
  const wrong = (...only: string[]) => edgebid("explain", REQUEST, "--catalog", "many.json", ...only);
  const told = (message: string) => [2, "", `edgebid: ${message}\n`];
  expect(await wrong("--campaign", "c8o")).toEqual(told("the catalog has no campaign c8o; did you mean c8?"));
  expect(await wrong("--imp", "9")).toEqual(told('the request has no impression "9"'));
});

test("a folder without a catalog says so, and one with a catalog needs no name", async () => {
  const missing = await edgebid("explain", REQUEST);
  expect(missing).toEqual([2, "", expect.stringMatching(/^edgebid: this folder has no catalog; .*--catalog FILE/)]);
  await edgebid("init", "catalog.json");
  expect(await edgebid("explain", "request.json")).toEqual([0, expect.stringContaining("✓ shoes-autumn"), ""]);
});
