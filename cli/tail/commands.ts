//! `edgebid tail` and `edgebid demo`: declares the commands and their options.

import { type Command, Option } from "commander";
import { page } from "../../build/tools.mjs";
import { catalogOrExample } from "../defaults.ts";
import { TOKEN_HELP, urlOption } from "../money/commands.ts";
import { action, command, count, seconds, seed } from "../options.ts";

const TAIL_HELP = `
From --url, it shows one isolate of the bidder: all of \`npm start\`, but only a part of a busy deployment. --remote shows
the calls of all isolates, but the reasons only of requests that the bidder captures: its variable CAPTURE_ONE_IN
says how many these are.

Kept requests are without what identifies a person; ${page("live.md")} says what is left out. The file must not exist yet.
${TOKEN_HELP}

examples:
  npx edgebid tail
  npx edgebid tail --keep today.ndjson.gz --one-in 100
  npx edgebid tail --url https://bidder.example --seconds 60 --json
  npx edgebid tail --env staging --keep staging.ndjson`;

const DEMO_HELP = `
One bid in three wins at its price: the demo calls the win and the bill of edgebid, so that \`npx edgebid report\` has
something to report. It never calls notices of other servers. Start the bidder first, with npm start. Not for a bidder
that serves real exchanges: its report would count the demo.
${TOKEN_HELP}

examples:
  npx edgebid demo
  npx edgebid demo --rate 200 --seconds 30
  npx edgebid demo --catalog my-catalog.json --ssp my-ssp`;

export function addTailCommands(program: Command): void {
  command(program, "tail", "show what a bidder does now: requests, bids, and why there is no bid", TAIL_HELP)
    .addOption(urlOption())
    .addOption(new Option("--remote", "the deployed bidder, through wrangler tail").conflicts("oneIn"))
    .addOption(
      new Option("--env <name>", "the deployed bidder of this environment of wrangler.toml").conflicts("oneIn"),
    )
    .option("--keep <file>", "keep requests for replay in this file, which ends with .ndjson or .ndjson.gz")
    .option("--one-in <number>", "keep one in so many requests", count, 1)
    .option("--seconds <number>", "end after so many seconds (default: with Ctrl-C)", seconds)
    .option("--json", "print a line of JSON for each second")
    .action(action(() => import("./tail.ts"), "tail"));

  command(program, "demo", "send generated traffic to a running bidder, and show what it does", DEMO_HELP)
    .addOption(urlOption())
    .option("--ssp <id>", "the SSP in whose name to send", "demo")
    .option("--rate <number>", "requests a second", count, 50)
    .option("--seed <number>", "another seed gives other requests", seed, 1)
    .option("--catalog <file>", "a catalog, for whose campaigns half of the requests are made", catalogOrExample())
    .option("--seconds <number>", "end after so many seconds (default: with Ctrl-C)", seconds)
    .option("--json", "print a line of JSON for each second")
    .action(action(() => import("./demo.ts"), "demo"));
}
