//! The settings in `wrangler.toml`, and in that of the template.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig, type Unstable_Config } from "wrangler";
import { ROOT } from "../../build/tools.mjs";
import { configurationFindings } from "../deploy/configuration.ts";
import { folderFor } from "./edgebid.ts";

const folder = folderFor("staging");
const config = readConfig({ config: join(ROOT, "wrangler.toml") });

/** Milliseconds to start an object of the ledger with 270,000 bills: see `LEDGER_SHARDS`. */
const LONGEST_MS = 1400;

test("the limit of processor time is enough to start an object of the ledger, and not much more", () => {
  const { cpu_ms = 0 } = config.limits ?? {};
  expect(cpu_ms).toBeGreaterThanOrEqual(3 * LONGEST_MS);
  expect(cpu_ms).toBeLessThanOrEqual(10_000);
});

test.each(["wrangler.toml", "template/wrangler.toml"])(
  "%s: the environment in the comments has all that it needs",
  async (file) => {
    const [before = "", staging = ""] = readFileSync(join(ROOT, file), "utf8").split("# [env.staging.vars]\n");
    const lines = staging.split("\n").map((line) => line.replace(/^# ?/, ""));
    writeFileSync(join(folder, "wrangler.toml"), `${before}[env.staging.vars]\n${lines.join("\n")}`);
    const [own, other] = [undefined, "staging"].map((env) =>
      readConfig({ config: join(folder, "wrangler.toml"), ...(env && { env }) }, { hideWarnings: true }),
    );
    expect(bindingsOf(other)).toEqual(bindingsOf(own));
    expect(other?.name).toBe(`${own?.name}-staging`);
    const findings = await configurationFindings(other as Unstable_Config, "staging", false);
    const faults = findings.filter(({ state, what }) => state === "fault" && what !== "main");
    expect(faults.map(({ mend }) => mend)).toEqual([
      "npx wrangler kv namespace create CATALOG --env staging, and put its id there",
    ]);
  },
);

/** What wrangler does not take for an environment, and what it takes. */
function bindingsOf(config: Unstable_Config | undefined) {
  const { vars, kv_namespaces, durable_objects, migrations, limits, observability, assets } = config ?? {};
  return { vars, kv_namespaces, durable_objects, migrations, limits, observability, assets: assets?.binding };
}
