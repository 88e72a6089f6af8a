//! `edgebid shape`: declares the command and its options.

import type { Command } from "commander";
import { page } from "../../build/tools.mjs";
import { withCatalogOptions } from "../../cli/catalog/open.ts";
import { action, command, count, percent, time } from "../../cli/options.ts";

const SHAPE_HELP = `
Writes nothing if a bid of the requests would be lost. Without a recording, it generates traffic. ${page("shape.md")}
explains the formats and what they leave open.

examples:
  npx edgebid shape traffic.ndjson.gz --catalog my-catalog.json --ssp north
  npx edgebid shape traffic.ndjson.gz --catalog my-catalog.json --ssp north --to dte shapes
  npx edgebid shape --remote --ssp google --to google pretargeting.json
  npx edgebid shape --catalog my-catalog.json --ssp north --check shapes`;

export function addShapeCommands(program: Command): void {
  const declared = command(program, "shape", "tell an exchange which requests no campaign could buy", SHAPE_HELP)
    .argument("[requests...]", "recorded requests, as for edgebid replay")
    .requiredOption("--ssp <id>", "the SSP that sends the requests")
    .option("--to <format...>", "write `dte FOLDER`, `google [FILE]` or `table [FILE]`")
    .option("--check <folder>", "only say whether the shape in this folder still fits the catalog")
    .option("--control <share>", "the share of the requests that is never filtered", percent, 5)
    .option("--hours <number>", "the hours for which signals are written", count, 24)
    .option("--rate <number>", "the requests a second that the SSP sends without a shape", count, 1000)
    .option("--now <time>", "the time of the decisions in ISO 8601 (default: now)", time);
  withCatalogOptions(declared).action(action(() => import("./shape.ts"), "shape"));
}
