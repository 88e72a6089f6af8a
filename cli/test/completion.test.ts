//! The completion of bash, as bash runs it, and the scripts of the other shells, follow the tree of the commands.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { edgebidIn, folderFor, ranToEnd } from "./edgebid.ts";

const folder = folderFor("completion");
const edgebid = edgebidIn(folder);

const [, bash] = await edgebid("completion", "bash");
writeFileSync(join(folder, "edgebid.bash"), bash);

/** What bash offers for the last of these words; nothing means files. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `source edgebid.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _edgebid; printf '%s\n' "\${COMPREPLY[@]}"`;
  const [code, stdout, stderr] = await ranToEnd(["bash", "-c", script, "bash", "edgebid", ...words], folder);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter(Boolean);
}

test.each([
  [["cat"], ["catalog"]],
  [
    ["catalog", "p"],
    ["push", "promote", "pull", "prune"],
  ],
  [["catalog", "push", "--d"], ["--dry-run"]],
  [
    ["explain", "--campaign", "explain", "--c"],
    ["--catalog", "--campaign"],
  ],
  [
    ["costs", "--notices", ""],
    ["all", "billing", "off"],
  ],
  [["explain", ""], []],
  [["explain", "--catalog", ""], []],
  [["completion", "f"], []],
])("bash: %j", async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

test("every command of the help is there", async () => {
  const [, help] = await edgebid("--help");
  const names = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect((await offered("")).sort()).toEqual([...names].sort());
  const [, fish] = await edgebid("completion", "fish");
  for (const name of names) expect(fish).toContain(`-n "__edgebid_is ''" -f -a ${name} -d '`);
  expect((await edgebid("completion", "tcsh"))[0]).toBe(2);
});
