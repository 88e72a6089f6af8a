//! `npm run test:changed`: the tests that an uncommitted change can break. After a change of TypeScript, the test files
//! whose imports lead to a changed file; after a change of Rust or of fixtures, the tests of the changed crates, and the
//! fixtures in workerd. It is a first answer in less time, not a replacement of `npm test`: it does not know which tests a
//! document or a configuration can break.

import { execFileSync, spawnSync } from "node:child_process";
import { Failure, runScript } from "./process.mjs";
import { setup } from "./setup.mjs";
import { ROOT, TOOL_ENV } from "./tools.mjs";

const FIXTURES_IN_WORKERD = "worker/test/wasm/module.test.ts";
/** It compares 20,000 generated decisions, and belongs to the long tests. */
const LONG = "the_crate_and_the_oracle_agree";

await runScript(async () => {
  const files = changed();
  const crates = new Set(files.flatMap((file) => crateOf(file) ?? []));
  const scripts = files.filter((file) => /\.(ts|mjs)$/.test(file));
  if (crates.size + scripts.length === 0)
    throw new Failure("no changed file has tests that this command knows: npm test");
  await setup({ judge: false, quick: true });
  const packages = [...crates].flatMap((name) => ["--package", name]);
  if (crates.size > 0) run("cargo", ["test", "--locked", ...packages, "--", "--skip", LONG]);
  if (crates.size > 0) scripts.push(FIXTURES_IN_WORKERD);
  run("vitest", ["related", "--run", "--project", "workerd", "--project", "node", ...scripts]);
});

/** The files that differ from the last commit, and the new ones, from the root of the repository. */
function changed() {
  /** @param {string[]} args */
  const listed = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);
  return [...listed("diff", "--name-only", "HEAD"), ...listed("ls-files", "--others", "--exclude-standard")];
}

/** @param {string} file */
function crateOf(file) {
  if (file.startsWith("fixtures/")) return "auction";
  return /^crates\/([^/]+)\//.exec(file)?.[1];
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: ROOT, env: TOOL_ENV, stdio: "inherit" });
  if (status !== 0) throw new Failure(`${[command, ...args].join(" ")} failed`);
}
