//! `npx edgebid` in a clone, before and after its first build.

import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { eachInFolder } from "./edgebid.ts";

const folder = eachInFolder("clone");

function run(root: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "cli/clone.mjs"), "--version"]);
  return [status, `${stdout}`, `${stderr}`];
}

test("a clone without packages says what to do, and one with them runs the command", () => {
  for (const path of ["cli/clone.mjs", "build/failure.mjs", "build/tools.mjs"])
    cpSync(join(ROOT, path), join(folder(), path));
  const advice = "edgebid: this clone is not built yet; npm start builds it and serves the example\n";
  expect(run(folder())).toEqual([2, "", advice]);
  expect(run(ROOT)).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/), ""]);
});
