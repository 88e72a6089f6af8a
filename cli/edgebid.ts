#!/usr/bin/env node
//! The `edgebid` command.

import module from "node:module";
import { EXIT } from "../build/failure.mjs";
import { isNewEnough, tooOld } from "../build/tools.mjs";
import { guard } from "./terminal.ts";

if (!isNewEnough()) {
  process.stderr.write(`edgebid: ${tooOld().message}\n`);
  process.exit(EXIT.misused);
}

// Saves a fifth of a second of each command that loads wrangler or Miniflare.
module.enableCompileCache();

for (const stream of [process.stdout, process.stderr]) guard(stream);

// A reader of the output, such as `head`, may close it early. That is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const { edgebid } = await import("./program.ts");
await edgebid(process.argv.slice(2));
