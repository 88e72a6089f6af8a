#!/usr/bin/env node
//! The `edgebid` command. Each subcommand has a file of its own; this one only knows their names.

import { Command } from "commander";
import { validate } from "./validate.ts";

const program = new Command("edgebid").description("A real-time bidder for OpenRTB 2.6 on Cloudflare Workers.");

program
  .command("validate")
  .description("compare bid requests with the complete object model of OpenRTB 2.6-202606")
  .argument("<file...>", "bid requests as JSON; - is standard input")
  .option("--strict", "count unknown attributes as errors")
  .option("--json", "print one JSON object instead of text")
  .addHelpText(
    "after",
    `
Exits with 1 when a file has errors or is no bid request, else with 0. An attribute that the model
does not know is a note, because the specification asks bidders to tolerate it.

examples:
  npx edgebid validate request.json
  npx edgebid validate --strict --json captured/*.json
  curl -s https://ssp.example/sample | npx edgebid validate -`,
  )
  .action((files: string[], options: { strict?: boolean; json?: boolean }) => {
    process.exitCode = validate(files, options);
  });

program.parse();
