//! Secrets: no secret has the name of a variable, and wrangler's notes about secret files do not disturb the output.

import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { ROOT } from "../tools.mjs";
import { edgebidProcess, folderFor } from "./edgebid.ts";

/** A copy of the project, so that a person's own files with secrets are not touched. */
const copy = folderFor("secrets");

beforeAll(() => {
  const modules = ["bidder-wasm/pkg", "compiler-wasm/pkg"].map((name) => `crates/${name}`);
  for (const name of ["cli", "worker/src", "fixtures/catalog.json", "wrangler.toml", "package.json", ...modules]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});

test("no secret has the name of a variable", () => {
  const declared = readFileSync(join(ROOT, "worker/src/secrets.d.ts"), "utf8");
  const secrets = [...declared.matchAll(/^ {2}([A-Z_]+)\?: string;$/gm)].map(([, name]) => name);
  expect(secrets).toContain("OPERATOR_TOKEN");
  const { vars } = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
  expect(Object.keys(vars).filter((name) => secrets.includes(name))).toEqual([]);
});

test.each([".dev.vars", ".env"])("with a file %s, --json prints only JSON", async (name) => {
  const file = join(copy, name);
  writeFileSync(file, 'OPERATOR_TOKEN = "let-me-in"\n');
  try {
    const state = join(copy, `state${name}`);
    const edgebid = async (...args: string[]) => {
      const where = ["--local", "--persist-to", state, "--json"];
      return JSON.parse((await edgebidProcess(copy, ["catalog", ...args, ...where], copy))[1]);
    };
    const { version } = await edgebid("push", "fixtures/catalog.json");
    expect(await edgebid("show")).toMatchObject({ version });
    expect(await edgebid("list")).toMatchObject({ current: version });
  } finally {
    rmSync(file);
  }
});
