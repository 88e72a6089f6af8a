//! `edgebid forecast`: what it counts, checked against plain decisions, and what it says of bad recordings.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { compile } from "../../worker/src/catalog/compile.ts";
import { bytesOf } from "../catalog/store.ts";
import { documentsFor } from "../forecast/variants.ts";
import { compiler } from "../module.ts";
import { ROOT } from "../tools.mjs";
import { generate } from "../traffic/generate.ts";
import { CATALOG, catalogText } from "./bidder.ts";
import { edgebidIn, folderFor, toldBy } from "./edgebid.ts";

const folder = folderFor("forecast");
const edgebid = edgebidIn(folder);
const catalog = JSON.parse(catalogText);
const NOWHERE = ["--url", "http://127.0.0.1:1"];
const START = Date.UTC(2026, 10, 18);

const requests = generate(5, { catalog });
const bodies = Array.from({ length: 3000 }, () => requests.next().value);
/** The requests as kept by `edgebid tail`, one every ten seconds. */
const kept = bodies.map((body, n) => {
  const at = new Date(START + n * 10_000).toISOString();
  return `{"ssp":"demo","at":"${at}","request":${body}}\n`;
});
write("kept.ndjson", kept.join(""));

function write(name: string, text: string | Uint8Array): void {
  writeFileSync(join(folder, name), text);
}

function forecast(cid: string, ...more: string[]) {
  return toldBy(folder, "forecast", cid, "--catalog", CATALOG, ...NOWHERE, ...more);
}

it("counts the requests on which the campaign alone bids, projected to the days", async () => {
  const alone = {
    ...catalog,
    campaigns: catalog.campaigns.filter(({ cid }: { cid: string }) => cid === "playco-install"),
  };
  write("alone.json", JSON.stringify(alone));
  const { catalogs } = await toldBy(folder, "replay", "kept.ndjson", "--catalog", "alone.json");
  const told = await forecast("playco-install", "--recording", "kept.ndjson", "--one-in", "10", "--days", "2");
  expect(told.code).toBe(0);
  const times = (2 * 86_400 * 10) / (3000 * 10);
  expect(told.matches.count).toBeCloseTo(catalogs[0].requests_with_bids * times, 6);
  expect(told.requests.count).toBeCloseTo(3000 * times, 6);
  expect(told.matches.low).toBeLessThan(told.matches.count);
});

it("what comes back without an attribute is what the campaign without it bids on", async () => {
  for (const name of ["channel", "devicetype"]) {
    const changed = JSON.parse(catalogText);
    changed.campaigns = changed.campaigns.filter(({ cid }: { cid: string }) => cid === "playco-install");
    delete changed.campaigns[0].target[name];
    write("changed.json", JSON.stringify(changed));
    const { catalogs } = await toldBy(folder, "replay", "kept.ndjson", "--catalog", "changed.json");
    const told = await forecast("playco-install", "--recording", "kept.ndjson", "--days", "1");
    const row = told.attributes.find(({ without }: { without: string }) => without === name);
    expect(told.matches.count + row.count).toBeCloseTo((catalogs[0].requests_with_bids * 86_400) / 30_000, 6);
  }
});

const CATALOGS = readdirSync(join(ROOT, "fixtures/catalogs")).filter((name) => name.endsWith(".json"));

it("each campaign of the fixtures is a valid catalog without each of its attributes", () => {
  let count = 0;
  for (const name of CATALOGS) {
    const document = JSON.parse(readFileSync(join(ROOT, "fixtures/catalogs", name), "utf8"));
    for (const { cid } of document.campaigns ?? []) {
      const { whole, base, any, without } = documentsFor(document, cid);
      for (const [what, one] of [["whole", whole], ["base", base], ["any", any], ...without] as const) {
        expect(() => compile(bytesOf(JSON.stringify(one)), compiler), `${name} ${cid} ${what}`).not.toThrow();
        count++;
      }
    }
  }
  expect(count).toBeGreaterThan(500);
});

it("an unknown campaign is refused with the nearest name, and no recording is needed for that", async () => {
  const [code, , stderr] = await edgebid("forecast", "acme-sprong", "--catalog", CATALOG, ...NOWHERE);
  expect([code, stderr]).toEqual([2, "edgebid: the catalog has no campaign acme-sprong; did you mean acme-spring?\n"]);
});

const from = (ssp: string) => kept.map((line) => line.replace('"ssp":"demo"', `"ssp":"${ssp}"`)).slice(0, 5);

it.each([
  ["empty.ndjson", "", "empty.ndjson has no request for this catalog: it is empty"],
  ["others.ndjson", from("other").join(""), "others.ndjson:1: the catalog has no SSP other; it has demo,"],
  ["broken.ndjson", "{\n\n{}\n", "broken.ndjson:3: "],
  [
    "cut.ndjson.gz",
    gzipSync(kept.join("")).subarray(0, 200_000),
    /cut.ndjson.gz breaks off after line \d+: unexpected end/,
  ],
  ["mixed.ndjson", kept.slice(0, 500).join("") + bodies[0], "mixed.ndjson:501: no time (at), unlike the lines before"],
  ["short.ndjson", kept.slice(0, 20).join(""), "too short for intervals"],
])("%s ends with 1 and says where", async (name, text, expected) => {
  write(name, text);
  const [code, stdout, stderr] = await edgebid(
    ...["forecast", "acme-spring", "--recording", name, "--catalog", CATALOG, ...NOWHERE],
  );
  expect(stdout + stderr).toMatch(expected);
  expect(code).toBe(name === "mixed.ndjson" ? 0 : 1);
});
