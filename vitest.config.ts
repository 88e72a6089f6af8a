//! Three projects: `workerd` runs the Worker and the built module in the real runtime, `node` runs
//! what a person runs (the scripts in cli/) in plain Node, `browser` needs a Chromium and is run by
//! `npm run test:browser` alone. Neither builds anything: `npm test` has
//! done that before.

import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A cached failure to resolve the module would outlive the build that cures it.
    fsModuleCache: false,
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: { OPERATOR_TOKEN: "operator" },
              ratelimits: { ATTEMPTS: { namespace_id: "1001", simple: { limit: 20, period: 60 } } },
            },
          }),
        ],
        test: {
          name: "workerd",
          include: ["worker/test/**/*.test.ts"],
          globalSetup: "worker/test/support/fixtures.setup.ts",
        },
      },
      {
        test: {
          name: "node",
          include: ["cli/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          // These start real servers on ports and install real packages.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          include: ["cli/browser/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
