//! `wrangler.toml` as wrangler reads it.

import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";

const config = readConfig({ config: join(import.meta.dirname, "../../wrangler.toml") });

/** What compiling 4 MiB of source takes, see `MAX_COMPILED_BYTES`. */
const LONGEST_MS = 800;

test("an invocation that computes without end is ended, one that compiles a catalog is not", () => {
  const { cpu_ms = 0 } = config.limits ?? {};
  expect(cpu_ms).toBeGreaterThanOrEqual(3 * LONGEST_MS);
  expect(cpu_ms).toBeLessThanOrEqual(10_000);
});
