//! Each defect that the simulator may plant has its place in the code: the table itself runs for many minutes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { MUTANTS } from "./simulate/mutants.ts";
import { changed } from "./simulate/platform/change.ts";

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))("%s", (_, mutant) => {
  const text = readFileSync(join(ROOT, mutant.file), "utf8");
  expect(changed(text, mutant)).not.toBe(text);
});
