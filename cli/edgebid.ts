#!/usr/bin/env node
//! The `edgebid` command.

import { edgebid } from "./program.ts";
import { guard } from "./terminal.ts";

for (const stream of [process.stdout, process.stderr]) guard(stream);

// A reader of the output, such as `head`, may close it early. That is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

await edgebid(process.argv.slice(2));
