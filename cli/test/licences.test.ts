//! Nothing goes into the package whose licence is not allowed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ALLOWED, crates, isAllowed, npmLibraries } from "../../build/licences.mjs";
import { DEPENDENCIES } from "../../build/pack.mjs";
import { ROOT } from "../../build/tools.mjs";

test("the crates in the modules have allowed licences", () => {
  const all = crates();
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

test("the libraries that npm installs with the package have allowed licences", () => {
  const all = npmLibraries(DEPENDENCIES);
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(DEPENDENCIES));
  expect(all.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
  for (const { name, licence, folder } of all)
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).license, name).toBe(licence);
});

test("no npm package is bundled into the Worker or the inspector", async () => {
  const entryPoints = ["worker/inspect/main.ts", "worker/inspect/frame/frame.ts", "worker/src/index.ts"];
  const { metafile } = await build({
    ...{ absWorkingDir: ROOT, entryPoints, bundle: true, write: false, metafile: true, outdir: "none" },
    ...{ format: "esm", platform: "neutral", packages: "external", loader: { ".wasm": "empty" }, logLevel: "silent" },
  });
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(imports).toContain("cloudflare:workers");
  expect(imports.filter((path) => !/^(node|cloudflare):/.test(path))).toEqual([]);
});

test.each([
  ["MIT", true],
  ["GPL-3.0-only", false],
  ["", false],
  ["Unlicense/MIT", true],
  ["MIT/GPL-3.0-only", true],
  ["Apache-2.0 WITH LLVM-exception", true],
  ["GPL-2.0-only WITH Classpath-exception-2.0", false],
  ["(MIT OR Apache-2.0) AND Unicode-3.0", true],
  ["(MIT OR Apache-2.0) AND LGPL-3.0-or-later", false],
  ["MIT OR Apache-2.0 AND LGPL-3.0-or-later", true],
  ["(MIT", false],
  ["MIT MIT", false],
  ["constructor", false],
])("%s: %s", (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed);
});

/** An expression and its value, which the generator computes itself. */
const { tree } = fc.letrec<{ tree: [string, boolean] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(...ALLOWED).map((name): [string, boolean] => [name, true]),
    fc.constantFrom("GPL-3.0-only", "SSPL-1.0", "MPL-2.0").map((name): [string, boolean] => [name, false]),
    fc
      .tuple(tie("tree"), fc.constantFrom("AND", "OR"), tie("tree"))
      .map(([[a, isA], word, [b, isB]]): [string, boolean] => [
        `(${a}) ${word} (${b})`,
        word === "AND" ? isA && isB : isA || isB,
      ]),
  ),
}));

test("an expression is allowed if its parts are", () => {
  fc.assert(
    fc.property(tree, ([expression, allowed]) => {
      expect(isAllowed(expression)).toBe(allowed);
    }),
  );
});
