//! Runs in Node before the tests: hands every file under fixtures/ to the tests inside workerd,
//! which has no file system, as `{ path below fixtures/: base64 of its exact bytes }`. A test reads
//! them with `inject("fixtures")`.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { TestProject } from "vitest/node";

export default function setup(project: TestProject): void {
  const root = join(project.config.root, "fixtures");
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  project.provide(
    "fixtures",
    Object.fromEntries(
      files.map((file) => [relative(root, file).split(sep).join("/"), readFileSync(file).toString("base64")]),
    ),
  );
}
