//! The test projects. `workerd` runs the Worker and the built module in the real runtime. `node` runs the commands of
//! cli/ in plain Node. `npm test` runs these two without the files in `LONG`, which are the projects `long-workerd` and
//! `long-node` of `npm run test:long`. `bench` builds benchmarks and runs them with few rounds, by `npm run test:bench`.
//! `browser` needs a Chromium, so only `npm run test:browser` runs it. Only `bench` builds anything: the scripts build the
//! modules first.

import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A test of the Worker that reads files, which workerd cannot. */
const READS_SOURCES = "worker/test/structure.test.ts";
/** The fixtures, which run with the quick modules of `npm test` and with those that are deployed. */
const FIXTURES = "worker/test/wasm/module.test.ts";
/**
 * Files that take long: kills, long simulations, the search for hostile requests, every command of the documents. Their
 * modules are those that are deployed, so the files that measure them are here too.
 */
const LONG = {
  workerd: [
    ...["faults", "shading", "spend"].map((name) => `worker/test/pacing/${name}.test.ts`),
    "worker/test/privacy.test.ts",
  ],
  node: [
    ...["catalogs", "instructions", "worst"].map((name) => `bench/test/${name}.test.ts`),
    ...[
      "conformance",
      "docs",
      "events",
      "forecast-halves",
      "ledger-kill",
      "package",
      "platform",
      "replay-runs",
      "right-catalogs",
      "secrets",
      "simulate",
      "stop",
      "tail",
      "upgrade",
    ].map((name) => `cli/test/${name}.test.ts`),
  ],
};
/** The test that builds and runs benchmarks. */
const RUNS_BENCHMARKS = "bench/test/suites.test.ts";

/** The files that take longest: half a minute and more. */
const SLOWEST = [
  // It waits for the pacer, for the better part of a minute.
  "cli/test/deals.test.ts",
  ...["cli/test/simulate.test.ts", "cli/test/docs.test.ts", "cli/test/forecast-halves.test.ts"],
  ...["worker/test/pacing/spend.test.ts", "worker/test/pacing/shading.test.ts", "worker/test/privacy.test.ts"],
  ...["bench/test/worst.test.ts", "cli/test/replay-runs.test.ts"],
  ...["worker/test/routes/notice.test.ts", "cli/test/start.test.ts"],
];

/** Starts these files first: vitest starts large files first, and then one of these would be left alone at the end. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification, name: string) => moduleId.endsWith(`/${name}`);
    const slow = SLOWEST.flatMap((name) => files.filter((file) => isSlow(file, name)));
    return [...slow, ...(await super.sort(files)).filter((file) => !slow.includes(file))];
  }
}

/** The same generated inputs each time, for CI. */
const SEED = { setupFiles: "worker/test/support/seed.ts", provide: { seed: Number(process.env["TEST_SEED"]) || null } };

/** Bytes that must be free for temporary folders in memory. */
const ROOM = 2 ** 31;

// Tests write thousands of small databases, and wait for the disk at each. So they write into memory if there is room.
const MEMORY = "/dev/shm";
if (existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize > ROOM) process.env["TMPDIR"] = MEMORY;
}

const WORKERD = {
  ...SEED,
  setupFiles: [SEED.setupFiles, "worker/test/support/each.setup.ts"],
  // The first request of a file starts the Worker, which takes seconds on a busy machine.
  testTimeout: 30_000,
  globalSetup: "worker/test/support/fixtures.setup.ts",
  // Before each test.
  restoreMocks: true,
};
/** These tests start real servers and real commands. */
const NODE = { ...SEED, testTimeout: 180_000, hookTimeout: 180_000 };

const workerd = () =>
  cloudflareTest({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      bindings: { OPERATOR_TOKEN: "operator" },
      ratelimits: { ATTEMPTS: { namespace_id: "1001", simple: { limit: 20, period: 60 } } },
    },
  });

export default defineConfig({
  test: {
    // About half of the time, tests wait for clocks and for programs that they have started.
    maxWorkers: availableParallelism() + 1,
    // An intercepted line that an object prints while its file ends is never answered, and then vitest waits for ever:
    // https://github.com/cloudflare/workers-sdk/issues/15719
    disableConsoleIntercept: true,
    // Otherwise vitest would still report the module as missing after it has been built.
    fsModuleCache: false,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        plugins: [workerd()],
        test: {
          ...WORKERD,
          name: "workerd",
          include: ["worker/test/**/*.test.ts"],
          exclude: [READS_SOURCES, ...LONG.workerd],
        },
      },
      {
        test: {
          ...NODE,
          name: "node",
          include: [READS_SOURCES, "cli/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          exclude: [RUNS_BENCHMARKS, ...LONG.node],
        },
      },
      { plugins: [workerd()], test: { ...WORKERD, name: "long-workerd", include: [FIXTURES, ...LONG.workerd] } },
      { test: { ...NODE, name: "long-node", include: LONG.node } },
      { test: { name: "bench", include: [RUNS_BENCHMARKS] } },
      { test: { name: "browser", include: ["cli/browser/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
