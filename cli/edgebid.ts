#!/usr/bin/env node
//! The `edgebid` command. Each subcommand has a file of its own; this one only knows their names. The files are loaded when a
//! command runs, because they need the built modules: `--help` works before the first build.

import { Command } from "commander";
import { addCatalogCommands } from "./catalog/commands.ts";
import { CatalogFailure } from "./catalog/store.ts";
import type { Options } from "./explain.ts";

const EXAMPLE_CATALOG = new URL("../fixtures/catalog.json", import.meta.url).pathname;

const program = new Command("edgebid")
  .description("A real-time bidder for OpenRTB 2.6 on Cloudflare Workers.")
  .showHelpAfterError("(--help tells more)");

program
  .command("validate")
  .description("compare bid requests with the objects of OpenRTB 2.6-202606 and the values that they allow")
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
  .action(async (files: string[], options: { strict?: boolean; json?: boolean }) => {
    const { validate } = await import("./validate.ts");
    process.exitCode = validate(files, options);
  });

program
  .command("explain")
  .description("tell what is bid on a request, and what each other campaign fails on")
  .argument("<file>", "a bid request as JSON; - is standard input")
  .option("--catalog <file>", "the catalog to decide with, a document or a folder of them", EXAMPLE_CATALOG)
  .option("--ssp <id>", "the SSP that sends the request", "demo")
  .option("--at <time>", "the time of the decision, ISO 8601 (default: now)")
  .option("--json", "print the report as JSON")
  .addHelpText(
    "after",
    `
examples:
  npx edgebid explain fixtures/no-bid/deal-for-another-seat.json
  npx edgebid explain request.json --catalog my-catalog.json --at 2026-11-18T12:00Z`,
  )
  .action(async (file: string, options: Options) => {
    const { explain } = await import("./explain.ts");
    process.exitCode = await explain(file, options);
  });

addCatalogCommands(program);

// Whoever reads the output, such as `head`, may have had enough of it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CatalogFailure)) throw error;
  process.stderr.write(`edgebid: ${error.message}\n`);
  process.exitCode = 1;
}
