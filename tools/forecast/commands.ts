//! `edgebid forecast`: declares the command and its options.

import type { Command } from "commander";
import { page } from "../../build/tools.mjs";
import { withCatalogOptions } from "../../cli/catalog/open.ts";
import { TOKEN_HELP, urlOption } from "../../cli/money/commands.ts";
import { action, command, count } from "../../cli/options.ts";

const FORECAST_HELP = `
A recording is a sample of real requests: \`npx edgebid tail --keep\` makes one, and a file of your own with one request
per line is one too. The bidder tells what was won at which price; without it, the forecast says so. Exits with 1 if the
recording is cut off, too short or has no request for this catalog. ${page("forecast.md")} explains each figure.
${TOKEN_HELP}

examples:
  npx edgebid forecast acme-spring --recording kept.ndjson.gz --one-in 100
  npx edgebid forecast acme-spring --recording own.ndjson --hours 24 --days 7 --catalog my-catalog.json
  npx edgebid forecast acme-spring --url https://bidder.example --json`;

export function addForecastCommand(program: Command): void {
  const declared = command(
    program,
    "forecast",
    "estimate what a campaign can buy, and what each attribute costs in reach",
    FORECAST_HELP,
  )
    .argument("<cid>", "the campaign")
    .option("--recording <file>", "requests, one per line, in gzip or not; or a folder of such files")
    .option("--days <number>", "forecast so many days", count, 1)
    .option("--one-in <number>", "it has one in so many requests, if its lines do not say it", count, 1)
    .option("--hours <number>", "the hours that the recording covers, if its lines have no times", count)
    .option("--ssp <id>", "the SSP that sends the requests (default: the one of a kept request, else demo)")
    .addOption(urlOption());
  withCatalogOptions(declared).action(action(() => import("./forecast.ts"), "forecast"));
}
