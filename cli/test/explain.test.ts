//! `edgebid explain` stays short for many campaigns, explains one alone, and takes no catalog that the person did not mean.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { startWorker } from "../workerd.ts";
import { edgebidIn, folderFor, toldBy } from "./edgebid.ts";

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

test("a bid with a cap says so in the first line", async () => {
  const capped = { ...campaign, caps: [{ n: 1, per: "day" }] };
  writeFileSync(join(folder, "capped.json"), JSON.stringify({ ...first, campaigns: [capped] }));
  const [status, stdout] = await edgebid("explain", REQUEST, "--catalog", "capped.json");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^request \S+ bid, unless a cap is reached \(/);
});

test("a folder without a catalog says so, and one with a catalog needs no name", async () => {
  const missing = await edgebid("explain", REQUEST);
  expect(missing).toEqual([2, "", expect.stringMatching(/^edgebid: this folder has no catalog; .*--catalog FILE/)]);
  await edgebid("init", "catalog.json");
  expect(await edgebid("explain", "request.json")).toEqual([0, expect.stringContaining("✓ shoes-autumn"), ""]);
});

describe("without a name, the catalog that is served explains, and the answer names it", () => {
  const home = folderFor("explain-served");
  const inHome = edgebidIn(home);
  const explained = async (...options: string[]) => (await inHome("explain", "request.json", ...options)).slice(0, 2);
  const catalog = (cpm: string) => JSON.stringify({ ...first, campaigns: [{ ...campaign, max_cpm: cpm }] });
  const bid = (cpm: string, of: string) => [
    0,
    expect.stringMatching(new RegExp(`catalog: ${of}, version .*: ${cpm} `, "s")),
  ];

  beforeAll(() => {
    writeFileSync(join(home, "wrangler.toml"), '[[kv_namespaces]]\nbinding = "CATALOG"\nid = "a1"\n');
    writeFileSync(join(home, "request.json"), readFileSync(REQUEST));
    writeFileSync(join(home, "catalog.json"), catalog("1.11"));
    writeFileSync(join(home, "pushed.json"), catalog("2.22"));
  });

  test("before the first push, that of the folder", async () => {
    expect(await explained()).toEqual(bid("1.11", "catalog.json"));
    expect(existsSync(join(home, ".wrangler"))).toBe(false);
  });

  test("after it, the pushed one, with what is stopped; a file only if it is named", async () => {
    await inHome("catalog", "push", "pushed.json", "--local");
    expect(await explained()).toEqual(bid("2.22", "--local"));
    expect(await explained("--local")).toEqual(bid("2.22", "--local"));
    expect(await explained("--catalog", "catalog.json")).toEqual(bid("1.11", "catalog.json"));
    expect(await explained("--ssp", "north")).toEqual([2, ""]);
    const [, described] = await inHome("catalog", "explain", "shoes-autumn");
    expect(described).toMatch(/^campaign shoes-autumn \(catalog: --local, version [0-9a-f]{16}\)\n/);
    const { version, catalog_of: of } = await toldBy(home, "explain", "request.json").then(
      ({ catalog: version, ...more }) => ({ version, ...more }),
    );
    expect(of).toBe("--local");
    await inHome("catalog", "push", "catalog.json", "--local");
    expect(await explained("--catalog", version.slice(0, 6))).toEqual(bid("2.22", "--local"));
    await inHome("stop", "shoes-autumn", "--local");
    expect(await explained()).toEqual([0, expect.stringMatching(/; 1 stopped\).*✗ shoes-autumn {2}stopped/s)]);
    expect(await explained("--remote")).toEqual([3, ""]);
  });

  test("--url and EDGEBID_URL ask a bidder", async () => {
    const worker = await startWorker(new TextEncoder().encode(catalog("3.33")));
    try {
      const { origin } = worker;
      expect(await explained("--url", origin)).toEqual(bid("3.33", origin));
      const usual = edgebidIn(home, { EDGEBID_URL: origin });
      expect((await usual("explain", "request.json")).slice(0, 2)).toEqual(bid("3.33", origin));
      expect((await usual("explain", "request.json", "--catalog", "pushed.json")).slice(0, 2)).toEqual(
        bid("2.22", "pushed.json"),
      );
      const refused = async (...options: string[]) =>
        (await inHome("explain", ...options, "--url", origin)).slice(0, 3);
      expect(await refused("request.json", "--ssp", "north")).toEqual([
        3,
        "",
        expect.stringContaining("has no SSP north; it has demo"),
      ]);
      expect(await refused("request.json", "--campaign", "x")).toEqual([
        2,
        "",
        expect.stringMatching(/no campaign x.*catalog: http/),
      ]);
      expect((await refused("catalog.json"))[0]).toBe(1);
      expect(await refused("request.json", "--local")).toEqual([2, "", expect.stringContaining("cannot be used with")]);
    } finally {
      await worker.stop();
    }
  });
});
