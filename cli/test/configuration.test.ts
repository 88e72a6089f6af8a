//! The settings in `wrangler.toml`.

import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";

const config = readConfig({ config: join(import.meta.dirname, "../../wrangler.toml") });

/** Milliseconds to compile 4 MiB of source: see `MAX_COMPILED_BYTES`. */
const LONGEST_MS = 800;

test("the limit of processor time is enough to compile a catalog, and not much more", () => {
  const { cpu_ms = 0 } = config.limits ?? {};
  expect(cpu_ms).toBeGreaterThanOrEqual(3 * LONGEST_MS);
  expect(cpu_ms).toBeLessThanOrEqual(10_000);
});
