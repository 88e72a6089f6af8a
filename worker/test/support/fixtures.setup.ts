//! Runs in Node before the tests: hands the fixtures to the tests inside workerd, which has no file system. A test reads
//! them with `inject("fixtures")`.

import type { TestProject } from "vitest/node";
import { catalogDocument, FIXTURES, rows } from "../../../cli/test/fixtures.ts";
import { encoded } from "../../../cli/test/openrtb-protobuf.ts";

const simple = FIXTURES.find(({ name }) => name === "simple-banner")?.request.toString() ?? "{}";

export default function setup(project: TestProject): void {
  project.provide("catalog", catalogDocument);
  project.provide("notices", rows("notices.tsv"));
  project.provide("syncs", rows("sync.tsv"));
  project.provide("message", Buffer.from(encoded(JSON.parse(simple))).toString("base64"));
  project.provide(
    "fixtures",
    FIXTURES.map((fixture) => ({ ...fixture, request: fixture.request.toString("base64") })),
  );
}
