//! `npx edgebid` in a clone, before and after its first build.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../tools.mjs";
import { eachInFolder } from "./edgebid.ts";

const folder = eachInFolder("clone");

function run(root: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "cli/clone.mjs"), "--version"]);
  return [status, `${stdout}`, `${stderr}`];
}

test("a clone without packages says what to do, and one with them runs the command", () => {
  mkdirSync(join(folder(), "cli"));
  for (const name of ["clone", "failure", "tools"])
    cpSync(join(ROOT, `cli/${name}.mjs`), join(folder(), `cli/${name}.mjs`));
  const advice = "edgebid: this clone is not built yet; npm start builds it and serves the example\n";
  expect(run(folder())).toEqual([2, "", advice]);
  expect(run(ROOT)).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/), ""]);
});
