//! `edgebid campaign new` adds a campaign that the compiler takes without a finding, and changes nothing else.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withEntry } from "../campaign/insert.ts";
import { readYaml } from "../catalog/yaml.ts";
import { eachInFolder, edgebidIn } from "./edgebid.ts";

const folder = eachInFolder("campaign");
const edgebid = (...args: string[]) => edgebidIn(folder())(...args);
const read = (name: string) => readFileSync(join(folder(), name), "utf8");
// On days far ahead, the time-zone data are old.
const VALID = [
  0,
  expect.stringMatching(/^✓ .*2 campaigns.*\n {2}time-zone data .*\n( {2}note .* more than a year old, .*\n)?$/),
  "",
];
const ANSWERS = [
  ...["--seat", "agency-1", "--domain", "shop.example", "--cpm", "3.10", "--zone", "Europe/Berlin", "--daily", "40"],
  ...["--click", "https://shop.example/winter", "--image", "https://cdn.shop.example/w.png"],
];

test.each(["catalog.json", "catalog.yaml"])(
  "%s: the lines that were there stay, and there is no finding",
  async (name) => {
    await edgebid("init", name);
    const before = read(name).split("\n");
    const added = await edgebid("campaign", "new", "winter", "--catalog", name, ...ANSWERS);
    expect(added).toEqual([0, expect.stringMatching(/^✓ added winter to .*\n {2}to see/), ""]);
    const after = read(name).split("\n");
    // In JSON, the line before the new entry gets a comma.
    const kept = before.filter((line) => after.includes(line) || after.includes(`${line},`));
    expect(kept).toEqual(before);
    expect(await edgebid("catalog", "validate", name)).toEqual(VALID);
    const [, told] = await edgebid("catalog", "explain", "winter", "--catalog", name);
    expect(told).toMatch(/40 USD a day|a day.*40/);
    expect(told).toContain("Europe/Berlin");
  },
);

test("a catalog that is a folder gets a file of its own, and no file is overwritten", async () => {
  mkdirSync(join(folder(), "parts"));
  await edgebid("init", "parts/first.json");
  const rest = ["--catalog", "parts", ...ANSWERS];
  writeFileSync(join(folder(), "parts/request.json"), '{ "format": 1 }');
  expect(await edgebid("campaign", "new", "winter", ...rest)).toMatchObject([0, expect.any(String), ""]);
  expect(await edgebid("catalog", "validate", "parts")).toEqual(VALID);
  expect((await edgebid("campaign", "new", "winter", ...rest))[2]).toContain("winter.json exists");
});

test("a campaign that the compiler refuses leaves the file as it was", async () => {
  await edgebid("init", "catalog.json");
  const before = read("catalog.json");
  const refused = await edgebid("campaign", "new", "winter", "--catalog", "catalog.json", "--cur", "EUR", ...ANSWERS);
  expect(refused).toEqual([1, "", expect.stringContaining('"EUR" has no entry in rates')]);
  const twice = await edgebid("campaign", "new", "shoes-autumn", "--catalog", "catalog.json", ...ANSWERS);
  expect(twice).toEqual([1, "", expect.stringContaining("shoes-autumn")]);
  expect(await edgebid("campaign", "new", "winter", "--catalog", "catalog.json")).toEqual([
    ...[2, "", "edgebid: --seat is missing; expected one such as agency-1\n"],
  ]);
  expect(read("catalog.json")).toBe(before);
  expect(readdirSync(folder()).sort()).toEqual(["catalog.json", "request.json"]);
});

test.each([
  ["an empty list", '{\n  "a": [],\n  "b": 1\n}\n', false],
  ["no list", '{\n  "b": 1\n}\n', false],
  ["a list in one line", '{ "a": [{ "x": 1 }], "b": 1 }\n', false],
  ["a list in YAML, with a comment behind it", "a:\n  - x: 1 # one\n  # more\nb: 1\n", true],
  ["a YAML list without indentation", "b: 1\na:\n- x: 1\n", true],
  ["a YAML list in one line", "a: [{ x: 1 }]\nb: 1\n", true],
  ["YAML without the list", "b: 1 # last\n", true],
  ["an empty list in YAML", "a: []\nb: 1\n", true],
])("%s", (_, text, isYaml) => {
  const more = withEntry(text, "a", { x: 2, y: { z: ["1"] } }, isYaml);
  const value = (of: string) => (readYaml(of) as { value: { a?: unknown[]; b: number } }).value;
  expect(value(more)).toEqual({ ...value(text), a: [...(value(text).a ?? []), { x: 2, y: { z: ["1"] } }] });
  if (!isYaml) JSON.parse(more);
  for (const comment of text.match(/#.*/g) ?? []) expect(more).toContain(comment);
});
