#!/usr/bin/env node
//! The `edgebid` command: declares the subcommands and their options. Each subcommand is in its own file, which is
//! loaded only when it runs, because it needs the built modules: `--help` must work before the first build.

import { Command } from "commander";
import { addCatalogCommands } from "./catalog/commands.ts";
import { addDeployCommands } from "./deploy/commands.ts";
import type { Options } from "./explain.ts";
import { addMoneyCommands } from "./money/commands.ts";
import { addPeopleCommands } from "./people/commands.ts";
import { Failure } from "./process.mjs";
import { addReplayCommands } from "./replay/commands.ts";
import { addTailCommands } from "./tail/commands.ts";
import { addTrafficCommands } from "./traffic/commands.ts";

const EXAMPLE_CATALOG = new URL("../fixtures/catalog.json", import.meta.url).pathname;

const program = new Command("edgebid")
  .description("A real-time bidder for OpenRTB 2.6 on Cloudflare Workers.")
  .showHelpAfterError("(see --help)");

program
  .command("validate")
  .description("check bid requests against OpenRTB 2.6-202606: attributes, types and values")
  .argument("<file...>", "bid requests as JSON; - is standard input")
  .option("--strict", "report unknown attributes as errors")
  .option("--json", "print one JSON object instead of text")
  .addHelpText(
    "after",
    `
Exits with 1 if a file has errors or is not a bid request. An unknown attribute is only a note,
because the specification asks bidders to tolerate it.

examples:
  npx edgebid validate request.json
  npx edgebid validate --strict --json captured/*.json
  curl -s https://ssp.example/sample | npx edgebid validate -`,
  )
  .action(async (files: string[], options: { strict?: boolean; json?: boolean }) => {
    const { validate } = await import("./validate.ts");
    process.exitCode = validate(files, options);
  });

program
  .command("explain")
  .description("show the bids on a request, and the check that each other campaign failed")
  .argument("<file>", "a bid request as JSON; - is standard input")
  .option("--catalog <file>", "the catalog: a document, or a folder of documents", EXAMPLE_CATALOG)
  .option("--ssp <id>", "the SSP that sends the request", "demo")
  .option("--at <time>", "the time of the decision in ISO 8601 (default: now)")
  .option("--bid", "print the response too")
  .option("--json", "print the report as JSON")
  .addHelpText(
    "after",
    `
examples:
  npx edgebid explain fixtures/no-bid/deal-for-another-seat.json
  npx edgebid explain fixtures/bid/simple-banner.json --bid
  npx edgebid explain request.json --catalog my-catalog.json --at 2026-11-18T12:00Z`,
  )
  .action(async (file: string, options: Options) => {
    const { explain } = await import("./explain.ts");
    process.exitCode = await explain(file, options);
  });

program
  .command("init")
  .description("write a small catalog that bids, and a request for it")
  .argument("[file]", "the catalog", "catalog.json")
  .option("--json", "print JSON")
  .addHelpText("after", "\nWrites `request.json` beside the catalog. Overwrites nothing.")
  .action(async (file: string, options: { json?: boolean }) => {
    const [{ init }, { run }] = await Promise.all([import("./catalog/init.ts"), import("./catalog/run.ts")]);
    await run(options, async () => init(file, options));
  });

addMoneyCommands(program);
addPeopleCommands(program);
addCatalogCommands(program);
addDeployCommands(program);
addReplayCommands(program);
addTrafficCommands(program);
addTailCommands(program);

// A reader of the output, such as `head`, may close it early. That is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`edgebid: ${error.message}\n`);
  process.exitCode = 1;
}
