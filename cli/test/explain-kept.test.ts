//! `edgebid explain` takes the requests that `edgebid tail` has kept: the SSP and the time are those of the line.

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
  [["broken.gz"], /^edgebid: broken.gz is not whole gzip data: unexpected end of file$/m],
  [["one.json"], /^request only: bid/],
])("%j", async (args, told) => {
  const [, stdout, stderr] = await edgebid("explain", ...args, "--catalog", CATALOG);
  expect(stdout + stderr).toMatch(told);
});
