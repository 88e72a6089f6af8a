//! Secrets: no secret has the name of a variable, and wrangler's notes about secret files do not disturb the output.

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { ROOT } from "../../build/tools.mjs";
import { folderFor, toldBy } from "./edgebid.ts";

/** A bidder of its own, so that a person's own files with secrets are not touched. */
const folder = folderFor("secrets");

beforeAll(() => cpSync(join(ROOT, "wrangler.toml"), join(folder, "wrangler.toml")));

test("no secret has the name of a variable", () => {
  const declared = readFileSync(join(ROOT, "worker/src/secrets.d.ts"), "utf8");
  const secrets = [...declared.matchAll(/^ {2}([A-Z_]+)\?: string;$/gm)].map(([, name]) => name);
  expect(secrets).toContain("OPERATOR_TOKEN");
  const { vars } = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
  expect(Object.keys(vars).filter((name) => secrets.includes(name))).toEqual([]);
});

test.each([".dev.vars", ".env"])("with a file %s, --json prints only JSON", async (name) => {
  writeFileSync(join(folder, name), 'OPERATOR_TOKEN = "let-me-in"\n');
  const where = ["--local", "--persist-to", `state${name}`];
  const edgebid = (...args: string[]) => toldBy(folder, "catalog", ...args, ...where);
  const { version } = await edgebid("push", join(ROOT, "fixtures/catalog.json"));
  expect(await edgebid("show")).toMatchObject({ version });
  expect(await edgebid("list")).toMatchObject({ current: version });
  rmSync(join(folder, name));
});
