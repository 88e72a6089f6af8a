//! `edgebid generate`: declares the command and its options.

import type { Command } from "commander";
import { action, command, count, seed } from "../../cli/options.ts";

const GENERATE_HELP = `
The same options always give the same bytes. Some requests deviate from the specification, as often as those of real
exchanges do: numbers as texts, texts as numbers, null, unknown attributes, two-letter countries.

examples:
  npx edgebid generate --count 5 | head -1 | npx edgebid validate -
  npx edgebid generate --count 100000 --catalog my-catalog.json --out traffic.ndjson.gz`;

export function addTrafficCommands(program: Command): void {
  command(
    program,
    "generate",
    "write bid requests that look like real traffic, one JSON object per line",
    GENERATE_HELP,
  )
    .option("--count <number>", "the number of requests", count, 1000)
    .option("--seed <number>", "another seed gives other requests", seed, 1)
    .option("--catalog <file>", "a catalog, for whose campaigns half of the requests are made")
    .option("--out <file>", "write to this file instead of to standard output; in gzip if its name ends in .gz")
    .option("--no-quirks", "write only requests that keep to the specification")
    .action(action(() => import("./write.ts"), "write"));
}
