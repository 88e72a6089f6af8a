//! The catalog gives the requests in test/requests the bids that this table expects. Change the table with the catalog.

import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import { test } from "node:test";

/** The bids on each request, or the reason why there is none. */
const EXPECTED = {
  banner: ["shoes-autumn at 2.5"],
  "other-country": "country",
  "floor-too-high": "floor",
};

for (const [name, expected] of Object.entries(EXPECTED)) {
  test(name, () => {
    const { outcome, imps = [] } = explain(`test/requests/${name}.json`);
    const bids = imps.flatMap((imp) => imp.bids ?? []).map(({ cid, price }) => `${cid} at ${price}`);
    assert.deepEqual(outcome === "bid" ? bids : outcome, expected);
  });
}

/** What the bidder decides at a fixed time. Read the same as text with `npx edgebid explain FILE --catalog catalog.json`. */
function explain(file) {
  const command = `npx edgebid explain ${file} --catalog catalog.json --ssp demo --at 2026-12-01T12:00Z --json`;
  return JSON.parse(execSync(command, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));
}
