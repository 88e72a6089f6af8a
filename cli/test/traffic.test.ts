//! Generated traffic: it repeats by seed, keeps to the specification unless a quirk says otherwise, has the quirks as
//! often as its table says, and asks for what the campaigns of a catalog want.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { Finding } from "../../shared/catalog/compile.ts";
import { explanation } from "../../shared/wasm/explanation.ts";
import { type Compiling, Instance } from "../../shared/wasm/instance.ts";
import { generate, type Options } from "../../tools/traffic/generate.ts";
import { compiler } from "../module.ts";
import { bidderOf, CATALOG, catalogText } from "./bidder.ts";
import { edgebidIn, folderFor } from "./edgebid.ts";

const folder = folderFor("traffic");
const document = JSON.parse(catalogText);
const NOW = Date.parse("2026-11-18T12:00Z");

function texts(count: number, seed = 1, options?: Options): string[] {
  const requests = generate(seed, options);
  return Array.from({ length: count }, () => requests.next().value);
}

const validator = new Instance<Compiling>(compiler);

/** What `edgebid validate` reports. */
function findings(text: string): Finding[] {
  validator.exports.validate(validator.put(new TextEncoder().encode(text)));
  const { error, findings } = validator.outputJson<{ error?: string; findings?: Finding[] }>();
  expect(error, text).toBeUndefined();
  return findings ?? [];
}

const isError = ({ rule }: Finding) => rule !== "unknown-attribute";

it("requests without quirks keep to the specification, with and without a catalog", () => {
  for (const options of [{ quirks: false }, { quirks: false, catalog: document }]) {
    for (const text of texts(2000, 5, options)) expect(findings(text), text).toEqual([]);
  }
});

it("quirks occur about as often as in public samples, and the other requests are untouched", () => {
  const clean = texts(3000, 9, { quirks: false });
  const wild = texts(3000, 9);
  const same = wild.filter((text, at) => text === clean[at]);
  // Two of three requests have one of the deviations that were counted, of which escapes and empty lists are no errors.
  expect(same.length / wild.length).toBeGreaterThan(0.3);
  expect(same.length / wild.length).toBeLessThan(0.6);
  const found = wild.map(findings);
  const share = (is: (finding: Finding) => boolean) => found.filter((list) => list.some(is)).length / wild.length;
  // 38 of 194 samples have a wrong type; 25 of 158 a country of two letters.
  expect(share(isError)).toBeGreaterThan(0.18);
  expect(share(isError)).toBeLessThan(0.36);
  // 64 of 194 have an attribute that the specification does not know, though not all objects for them are there.
  expect(share(({ rule }) => rule === "unknown-attribute")).toBeGreaterThan(0.15);
  expect(share(({ rule }) => rule === "unknown-attribute")).toBeLessThan(0.4);
  expect(wild.some((text) => /"w":\d+\.0/.test(text))).toBe(true);
});

it("covers channels, formats, pods, laws and places of the signals", () => {
  const requests = texts(4000, 3, { quirks: false }).map((text) => JSON.parse(text));
  const share = (has: (request: { imp: object[]; [attribute: string]: unknown }) => unknown) =>
    requests.filter(has).length / requests.length;
  const isBoth = ({ imp }: { imp: object[] }) => imp.some((one) => "banner" in one && "video" in one);
  expect(share(isBoth), "two formats").toBeGreaterThan(0.01);
  const least = {
    ...{ '"site":{': 0.4, '"app":{': 0.3, '"dooh":{': 0.01, '"podid"': 0.01, '"pmp"': 0.05, '"eids"': 0.2 },
    ...{ '"banner":{': 0.01, '"video":{': 0.01, '"audio":{': 0.01, '"native":{': 0.01 },
    ...{ '"gdpr":1': 0.2, '"us_privacy"': 0.03, '"gpp"': 0.03, '"bidfloorcur":"EUR"': 0.02 },
  };
  for (const [text, part] of Object.entries(least)) {
    expect(
      share((request) => JSON.stringify(request).includes(text)),
      text,
    ).toBeGreaterThan(part);
  }
});

it("the bidder reads the consent strings", () => {
  const registered = { ...document, privacy: { vendor_id: 755 } };
  const bidder = bidderOf(registered);
  const verdicts = texts(600, 4, { quirks: false, catalog: registered }).map((text) => {
    const { json } = explanation(bidder, new TextEncoder().encode(text), 0, NOW, compiler);
    return { text, privacy: JSON.parse(new TextDecoder().decode(json)).privacy as string };
  });
  const free = (signal: string) =>
    verdicts.some(({ text, privacy }) => text.includes(signal) && privacy.startsWith("personal"));
  // An unreadable string would never allow personal data.
  for (const signal of ['"consent":"C', '"gpp":"DBABLA~', '"gpp":"DBABBg~', '"gpp":"DBABMA~']) {
    expect(free(signal), signal).toBe(true);
  }
  expect(new Set(verdicts.map(({ privacy }) => privacy)).size).toBeGreaterThan(2);
});

it("campaigns of the catalog get requests that they ask for", () => {
  const catalog = {
    campaigns: [{ target: { domain: { include: ["only.example"] } }, creatives: ["k"], deals: ["d-9"] }],
  };
  const creatives = [{ crid: "k", banner: { w: 123, h: 45 } }];
  const requests = texts(400, 2, { quirks: false, catalog: { ...catalog, creatives } });
  for (const wanted of ['"domain":"only.example"', '"w":123,"h":45', '"id":"d-9"']) {
    const share = requests.filter((text) => text.includes(wanted)).length / requests.length;
    expect(share, wanted).toBeGreaterThan(0.35);
    expect(share, wanted).toBeLessThan(0.65);
  }
});

it("the command writes the same bytes each time, to standard output and in gzip", async () => {
  const out = join(folder, "traffic.ndjson.gz");
  const run = async (...more: string[]) =>
    (await edgebidIn(folder)("generate", "--count", "130", "--seed", "6", ...more))[1];
  const printed = await run();
  expect(printed).toBe(`${texts(130, 6).join("\n")}\n`);
  await run("--out", out);
  const first = readFileSync(out);
  expect(gunzipSync(first).toString()).toBe(printed);
  await run("--out", out);
  expect(readFileSync(out).equals(first)).toBe(true);
  expect(await run("--catalog", CATALOG)).not.toBe(printed);
});
