//! `edgebid explain` and `validate` take the requests that `edgebid tail` has kept: the SSP and the time are those of the
//! line.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { CATALOG, requestText } from "./bidder.ts";
import { edgebidIn, folderFor } from "./edgebid.ts";

const folder = folderFor("explain-kept");
const edgebid = edgebidIn(folder);

const kept = (id: string, ssp: string) =>
  JSON.stringify({ ssp, at: "2026-11-18T12:00:00Z", outcome: "bid", request: { ...JSON.parse(requestText), id } });
const lines = `${kept("first", "demo")}\n\n${kept("third", "north")}\n`;
writeFileSync(join(folder, "kept.ndjson"), lines);
writeFileSync(join(folder, "kept.ndjson.gz"), gzipSync(lines));
writeFileSync(join(folder, "broken.gz"), gzipSync(lines).subarray(0, 60));
writeFileSync(join(folder, "one.json"), kept("only", "demo"));

test.each<[string[], RegExp]>([
  [["kept.ndjson"], /^request first: bid/],
  [["kept.ndjson", "--line", "3"], /^edgebid: the catalog has no SSP north;/],
  [["kept.ndjson.gz", "--line", "3", "--ssp", "demo"], /^request third: bid/],
  [["kept.ndjson", "--line", "2"], /^edgebid: kept.ndjson has no request in line 2: it has 2 lines with a request$/m],
  [["broken.gz"], /^edgebid: broken.gz cannot be inflated as a whole: unexpected end of file$/m],
  [["one.json"], /^request only: bid/],
])("%j", async (args, told) => {
  const [, stdout, stderr] = await edgebid("explain", ...args, "--catalog", CATALOG);
  expect(stdout + stderr).toMatch(told);
});

test("validate checks the request of each kept line, and a mistake has the number of its line", async () => {
  writeFileSync(
    join(folder, "mistake.ndjson"),
    `${kept("first", "demo")}\n${kept("second", "demo").replace('"at":1', '"at":"x"')}\n`,
  );
  const validated = async (file: string) => {
    const [status, stdout] = await edgebid("validate", file);
    return [status, stdout.split("\n").map((line) => line.trim())] as const;
  };
  const [, lines] = await validated("kept.ndjson");
  expect(lines.filter(Boolean).map((line) => line.replace(/:(?!\d).*/, ""))).toEqual([
    "✓ kept.ndjson:1",
    "✓ kept.ndjson:3",
    "2 requests, 0 with errors",
  ]);
  expect(await validated("one.json")).toEqual([0, [expect.stringMatching(/^✓ one.json: /), ""]]);
  const [status, found] = await validated("mistake.ndjson");
  expect([status, found[1]]).toEqual([1, expect.stringMatching(/^✗ mistake.ndjson:2: 1 error/)]);
  expect(found).toContain("2 requests, 1 with errors");
});
