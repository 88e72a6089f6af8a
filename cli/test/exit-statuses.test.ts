//! Each command ends with the exit status that docs/run.md explains.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../build/failure.mjs";
import { ROOT } from "../../build/tools.mjs";
import { eachInFolder, edgebidIn } from "./edgebid.ts";

const folder = eachInFolder("exit");
const CATALOG = join(ROOT, "fixtures/catalog.json");
const REQUEST = join(ROOT, "fixtures/bid/simple-banner.json");
/** Nothing listens on port 1. */
const NOWHERE = ["--url", "http://127.0.0.1:1"];

const CASES: [keyof typeof EXIT, ...string[]][] = [
  ["ok", "--version"],
  ["ok", "catalog", "--help"],
  ["ok", "validate", REQUEST],
  ["ok", "explain", REQUEST, "--catalog", CATALOG],
  ["ok", "catalog", "diff", CATALOG, CATALOG, "--fail-on", "changes"],
  ["found", "validate", "broken.json"],
  ["found", "explain", "broken.json", "--catalog", CATALOG],
  ["found", "catalog", "validate", "broken.json"],
  ["found", "catalog", "diff", "other.json", CATALOG, "--fail-on", "changes"],
  ["found", "replay", REQUEST, "--catalog", CATALOG, "--catalog", "other.json", "--fail-if", "bids < -50%"],
  ["found", "forecast", "acme-spring", "--catalog", CATALOG, "--recording", "broken.json"],
  ["misused"],
  ["misused", "no-such-command"],
  ["misused", "deals", "accept", "d-1", ...NOWHERE],
  ["misused", "explain"],
  ["misused", "explain", REQUEST, "--line", "0"],
  ["misused", "explain", "missing.json"],
  ["misused", "explain", REQUEST, "--catalog", CATALOG, "--ssp", "none"],
  ["misused", "explain", REQUEST, "--catalog", CATALOG, "--campaign", "none"],
  ["misused", "validate", REQUEST, "missing.json"],
  ["misused", "catalog", "push", CATALOG],
  ["misused", "catalog", "push", "missing.json", "--local"],
  ["misused", "catalog", "explain", "none", "--catalog", CATALOG],
  ["misused", "forecast", "none", "--catalog", CATALOG],
  ["misused", "stop"],
  ["misused", "init", "other.json"],
  ["misused", "report", "--url", "nowhere"],
  ["misused", "forget", "an-id", "--kind", "eid", ...NOWHERE],
  ["unreachable", "report", ...NOWHERE],
  ["unreachable", "budget", ...NOWHERE],
  ["unreachable", "forecast", "acme-spring", "--catalog", CATALOG, ...NOWHERE],
  ["unreachable", "tail", ...NOWHERE],
  ["unreachable", "forget", "an-id", ...NOWHERE],
  ["unreachable", "deals", "list", ...NOWHERE],
  ["unreachable", "smoke", "http://127.0.0.1:1", "--request", REQUEST],
];

test.each(CASES)("%s: edgebid %s %s %s", async (expected, ...args) => {
  writeFileSync(join(folder(), "broken.json"), "{");
  writeFileSync(join(folder(), "other.json"), '{ "version": 1, "ssps": [{ "id": "demo" }], "campaigns": [] }');
  const [status, stdout, stderr] = await edgebidIn(folder())(...args);
  expect([status, stdout, stderr]).toEqual([EXIT[expected], expect.any(String), expect.any(String)]);
});
