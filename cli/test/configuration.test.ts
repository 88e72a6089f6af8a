//! The settings in `wrangler.toml`.

import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";

const config = readConfig({ config: join(import.meta.dirname, "../../wrangler.toml") });

/** Milliseconds to start an object of the ledger with 270,000 bills: see `LEDGER_SHARDS`. */
const LONGEST_MS = 1400;

test("the limit of processor time is enough to start an object of the ledger, and not much more", () => {
  const { cpu_ms = 0 } = config.limits ?? {};
  expect(cpu_ms).toBeGreaterThanOrEqual(3 * LONGEST_MS);
  expect(cpu_ms).toBeLessThanOrEqual(10_000);
});
