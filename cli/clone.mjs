#!/usr/bin/env node
//! The `edgebid` command of a clone. Plain Node 20 without dependencies, because before the first build it has to say what
//! to do.

import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { EXIT } from "../build/failure.mjs";
import { isNewEnough, ROOT, tooOld } from "../build/tools.mjs";

const problem = existsSync(join(ROOT, "node_modules"))
  ? isNewEnough()
    ? undefined
    : tooOld().message
  : "this clone is not built yet; npm start builds it and serves the example";
if (problem !== undefined) {
  process.stderr.write(`edgebid: ${problem}\n`);
  process.exit(EXIT.misused);
}
await import("./edgebid.ts");
