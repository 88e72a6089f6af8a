//! `edgebid shape`: what it writes and prints, what it refuses, and what a push says about published shapes.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Ajv from "ajv";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { generate } from "../../bench/catalogs/generate.ts";
import { demandOf } from "../../tools/shape/campaigns.ts";
import { COUNTRIES } from "../../tools/shape/countries.ts";
import { readDte } from "../../tools/shape/files.ts";
import { MAX_TUPLES, shapeOf } from "../../tools/shape/models.ts";
import { generate as traffic } from "../../tools/traffic/generate.ts";
import { CATALOG, catalogText, ROOT, requestText, snapshotOf } from "./bidder.ts";
import { eachInFolder, edgebidIn, toldBy } from "./edgebid.ts";
import { narrow } from "./narrow-catalogs.ts";

const NOW = "2026-11-28T06:30Z";
const folder = eachInFolder("shape");
const ARGS = ["--ssp", "demo", "--now", NOW];

type Campaign = { cid: string; target?: Record<string, unknown>; creatives: string[] };
type Document = { campaigns: Campaign[]; creatives: object[] };
const EXAMPLE: Document = JSON.parse(catalogText);
const NARROW = narrow(generate(20), 0);

/** Writes a file of the test's folder. Returns its name. */
function file(name: string, contents: string | Uint8Array): string {
  writeFileSync(join(folder(), name), contents);
  return name;
}

function recording(count = 300): string {
  const requests = traffic(3);
  return file("some.ndjson", Array.from({ length: count }, () => `${requests.next().value}\n`).join(""));
}

/** Runs the command on a recording of the test's folder. */
function shape(...args: string[]) {
  return edgebidIn(folder())("shape", ...args, ...ARGS);
}

/** All files below a folder. */
function filesIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => statSync(join(path, name)).isFile()).sort();
}

describe("files for DTE", () => {
  it("are what the evaluators read, for each hour, and no two have the same content or time", async () => {
    file("catalog.json", JSON.stringify(NARROW));
    const told = await toldBy(
      folder(),
      "shape",
      recording(),
      "--catalog",
      "catalog.json",
      ...ARGS,
      "--to",
      "dte",
      "out",
      "--hours",
      "3",
    );
    expect(told).toMatchObject({ code: 0, requests: 300, lost: [], written: { files: expect.any(Number) } });
    const shape = join(folder(), "out/demo");
    const all = filesIn(shape);
    expect(all).toHaveLength(told.written.files);
    const signals = all.filter((name) => name.endsWith(".csv"));
    expect(new Set(signals.map((name) => readFileSync(join(shape, name), "utf8"))).size).toBe(signals.length);
    expect(new Set(all.map((name) => statSync(join(shape, name)).mtimeMs)).size).toBe(all.length);
    const hours = (model: string) =>
      signals.filter((name) => name.endsWith(`/${model}.csv`)).map((name) => name.slice(0, 13));
    expect(hours("edgebid_plain_v1")).toEqual(["2026-11-28/06", "2026-11-28/07", "2026-11-28/08"]);
    const models = new Set(signals.map((name) => name.slice(14, -4)));
    expect(models.size).toBe(told.models);
    for (const model of models) if (model !== "edgebid_plain_v1") expect(hours(model).at(-1)).toBe("2026-11-28/10");
    const experiment = JSON.parse(readFileSync(join(shape, "configuration/experiment/config.json"), "utf8"));
    const [{ treatments }] = Object.values<{ treatments: object[] }>(experiment.experimentDefinitionByName) as [never];
    expect(treatments).toMatchObject([
      { treatmentCode: "T", weight: 95 },
      { treatmentCode: "C", weight: 5 },
    ]);
    const made = shapeOf(demandOf(snapshotOf(NARROW), "demo", Date.parse(NOW)));
    expect(readDte(join(folder(), "out"), "demo", Date.parse(NOW))).toEqual(made.models);
  });

  it("replace those of before, but not another folder", async () => {
    file("catalog.json", JSON.stringify(NARROW));
    const write = () => shape(recording(), "--catalog", "catalog.json", "--to", "dte", "out", "--hours", "1");
    expect((await write())[0]).toBe(0);
    const before = filesIn(join(folder(), "out"));
    expect((await write())[0]).toBe(0);
    expect(filesIn(join(folder(), "out"))).toEqual(before);
    mkdirSync(join(folder(), "mine/demo"), { recursive: true });
    const [code, , err] = await shape(recording(), "--catalog", "catalog.json", "--to", "dte", "mine");
    expect([code, err]).toEqual([2, expect.stringContaining("mine/demo exists and is no folder of shapes")]);
  });
});

describe("a recording", () => {
  const lines = () => readFileSync(join(folder(), recording()), "utf8");
  it.each<[string, () => string | Uint8Array, string, string]>([
    ["is empty", () => "\n", "empty.ndjson", "has no request of demo"],
    ["is cut off", () => lines().slice(0, -40), "cut.ndjson", "cut.ndjson:300: the recording is cut off"],
    [
      "is cut off in gzip",
      () => gzipSync(lines()).subarray(0, 30_000),
      "cut.ndjson.gz",
      "the recording is cut off (unexpected end of file)",
    ],
    [
      "is of another SSP",
      () => `{"ssp":"west","request":${JSON.stringify(JSON.parse(requestText))}}\n`,
      "west.ndjson",
      "west.ndjson:1 is of west",
    ],
  ])("that %s gives no shape", async (_, contents, name, message) => {
    const [code, , err] = await shape(file(name, contents()), "--catalog", CATALOG, "--to", "dte", "out");
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toContain("no shape is written");
    expect(existsSync(join(folder(), "out"))).toBe(false);
  });

  it("may have a few bad lines, and lines of other SSPs", async () => {
    const other = `{"ssp":"west","request":{"id":"1","imp":[{"id":"1"}]}}\n`;
    const name = file("mixed.ndjson", `nonsense\n${other}${lines()}`);
    expect(await toldBy(folder(), "shape", name, "--catalog", CATALOG, ...ARGS)).toMatchObject({
      code: 0,
      requests: 300,
      bad: 1,
      others: 1,
    });
  });
});

it("a catalog that buys every video filters none, and names the campaign", async () => {
  const [open] = EXAMPLE.campaigns as [Campaign];
  const forms = EXAMPLE.creatives as { crid: string; banner?: object }[];
  const everywhere = {
    ...open,
    cid: "everywhere",
    target: {},
    deals: [],
    open: true,
    creatives: forms.map(({ crid }) => crid),
  };
  const narrowOne = { ...everywhere, cid: "usa", target: { country: { include: ["USA"] } } };
  file("catalog.json", JSON.stringify({ ...EXAMPLE, campaigns: [narrowOne, everywhere] }));
  const all = readFileSync(join(folder(), recording()), "utf8").split("\n");
  const videos = file("videos.ndjson", all.filter((line) => line.includes('"video":')).join("\n"));
  const [code, out] = await shape(videos, "--catalog", "catalog.json");
  expect(code).toBe(0);
  expect(out).toMatch(/filtered +0, 0.0 %/);
  expect(out).toContain("video: any country, because everywhere takes any");
});

it("a list that is too long opens its dimension, and is never cut", () => {
  const [one] = EXAMPLE.campaigns as [Campaign];
  const publishers = Array.from({ length: MAX_TUPLES / 2 }, (_, at) => `p${at}`);
  const target = { publisher: { include: publishers }, country: { include: ["USA", "FRA", "DEU"] } };
  const demand = demandOf(snapshotOf({ ...EXAMPLE, campaigns: [{ ...one, target }] }), "demo", Date.parse(NOW));
  const { models, groups } = shapeOf(demand);
  expect(groups.find(({ slot }) => slot === "banner")).toMatchObject({
    used: expect.arrayContaining(["country"]),
    open: [{ dimension: "publisher" }],
  });
  for (const { tuples } of models) expect(tuples.length).toBeLessThanOrEqual(MAX_TUPLES);
});

/** The types of Google's discovery document `realtimebidding:v1`, read in 2026-11. */
const STRINGS = { type: "array", items: { type: "string" } };
const PRETARGETING = {
  type: "array",
  maxItems: 10,
  items: {
    type: "object",
    additionalProperties: false,
    required: ["displayName"],
    properties: {
      displayName: { type: "string" },
      includedFormats: { type: "array", items: { enum: ["HTML", "VAST", "NATIVE"] } },
      includedEnvironments: { type: "array", items: { enum: ["APP", "WEB"] } },
      includedPlatforms: { type: "array", items: { enum: ["PERSONAL_COMPUTER", "PHONE", "TABLET", "CONNECTED_TV"] } },
      geoTargeting: {
        type: "object",
        additionalProperties: false,
        properties: { includedIds: { type: "array", items: { type: "string", pattern: "^\\d+$" } } },
      },
      includedCreativeDimensions: {
        type: "array",
        items: {
          type: "object",
          properties: { width: { type: "string", pattern: "^\\d+$" }, height: { type: "string", pattern: "^\\d+$" } },
        },
      },
      publisherTargeting: {
        type: "object",
        properties: { targetingMode: { enum: ["INCLUSIVE", "EXCLUSIVE"] }, values: STRINGS },
      },
    },
  },
};

it("Google's configurations have its types, and what each campaign could buy", async () => {
  file("catalog.json", JSON.stringify(NARROW));
  const [code, out] = await shape(recording(), "--catalog", "catalog.json", "--to", "google");
  const configs: Record<string, never>[] = JSON.parse(out);
  const isValid = new Ajv().compile(PRETARGETING);
  expect([code, isValid(configs), isValid.errors]).toEqual([0, true, null]);
  const html = configs.filter(({ includedFormats }) => String(includedFormats) === "HTML");
  expect(html.flatMap(({ includedEnvironments }) => includedEnvironments).sort()).toEqual(["APP", "WEB"]);
  for (const { geoTargeting } of html) expect(geoTargeting).toMatchObject({ includedIds: expect.any(Array) });
  expect(COUNTRIES.get("DEU")?.google).toBe(2276);
});

it("the table is CSV, with the share of the requests of each line", async () => {
  file("catalog.json", JSON.stringify(NARROW));
  const [code] = await shape(recording(), "--catalog", "catalog.json", "--to", "table", "table.csv");
  expect(code).toBe(0);
  const rows: Record<string, string>[] = parse(readFileSync(join(folder(), "table.csv")), { columns: true });
  const requests = readFileSync(join(folder(), "some.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const apps = requests.filter(({ app }) => app).length / requests.length;
  const app = rows.find(({ dimension, value }) => dimension === "channel" && value === "app");
  expect(Number(app?.["share_of_requests"])).toBeCloseTo(apps, 1);
  expect(rows.filter(({ dimension }) => dimension === "country").length).toBeGreaterThan(3);
});

it("knows the countries of the compiler", () => {
  const lines = readFileSync(join(ROOT, "crates/compiler/src/targets/iso_3166.tsv"), "utf8").trim().split("\n");
  const codes = lines.map((line) => line.split("\t"));
  expect(codes.map(([, code]) => code).sort()).toEqual([...COUNTRIES.keys()].sort());
  for (const [short, code = ""] of codes) expect(COUNTRIES.get(code)?.spellings).toContain(short);
});

describe("a published shape", () => {
  async function published(): Promise<void> {
    file("catalog.json", JSON.stringify(NARROW));
    const [code] = await edgebidIn(folder())(
      "shape",
      recording(),
      "--catalog",
      "catalog.json",
      "--ssp",
      "demo",
      "--to",
      "dte",
      "out",
    );
    expect(code).toBe(0);
  }

  /** The catalog with one more campaign. */
  function withOne(target: object): void {
    const [one] = (NARROW as Document).campaigns as [Campaign];
    const more = { ...one, cid: "newcomer", deals: [], open: true, target };
    file("catalog.json", JSON.stringify({ ...NARROW, campaigns: [...(NARROW as Document).campaigns, more] }));
  }

  it("fits its catalog, and a narrower campaign, but no campaign that asks for more", async () => {
    await published();
    const check = () => edgebidIn(folder())("shape", "--catalog", "catalog.json", "--ssp", "demo", "--check", "out");
    expect(await check()).toEqual([0, "out/demo fits the catalog\n", ""]);
    withOne({ ...(NARROW as Document).campaigns[0]?.target, language: { include: ["en"] } });
    expect((await check())[0]).toBe(0);
    withOne({ country: { include: ["NRU"] } });
    expect(await check()).toEqual([
      1,
      expect.stringContaining("filters what these ask for: newcomer; publish it first: npx edgebid shape"),
      "",
    ]);
  });

  it("makes a push warn before the first missed request", async () => {
    await published();
    const push = (...args: string[]) =>
      toldBy(folder(), "catalog", "push", "catalog.json", "--local", "--persist-to", "kv", ...args);
    expect((await push()).code).toBe(0);
    withOne({ country: { include: ["NRU"] } });
    const { plan } = await push("--dry-run", "--shapes", "out");
    expect(plan.warnings).toEqual([expect.stringContaining("the shape out/demo filters what these ask for: newcomer")]);
  });
});
