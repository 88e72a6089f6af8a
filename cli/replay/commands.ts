//! `edgebid replay`: declares the command and its options.

import { type Command, InvalidArgumentError } from "commander";
import { withStoreOptions } from "../catalog/open.ts";
import { action, command, count, time } from "../options.ts";
import { limit } from "./limit.ts";

const EXAMPLES = 3;

const REPLAY_HELP = `
Without --catalog, the version that is served decides: that of --local, if no KV is named. Campaigns with a budget may bid on every request, and no
frequency cap is reached, because a replay does not know what was spent and seen. With --now, the same requests always
give the same output.

--fail-if takes bids, spend (in each currency) and the reasons why there is no bid. If no request gets a bid, it fails.

examples:
  npx edgebid replay traffic.ndjson.gz --catalog my-catalog.json
  npx edgebid replay kept/ --catalog 3f2a --catalog my-catalog.json --remote        what a push would change
  npx edgebid replay kept/ --catalog 3f2a --catalog my-catalog.json --remote --fail-if "spend > +10%"
  npx edgebid generate --count 10000 | npx edgebid replay - --catalog old.json --catalog new.json --json`;

export function addReplayCommands(program: Command): void {
  const declared = command(program, "replay", "decide on many requests, and compare two catalogs", REPLAY_HELP)
    .argument(
      "<requests...>",
      "files of requests, one per line, in gzip or not; folders of such files; - is standard input",
    )
    .option("--catalog <name>", "a file, a folder, or a version in KV; give a second one to compare", collect)
    .option("--ssp <id>", "the SSP that sends the requests (default: the one of a kept request, else demo)")
    .option("--now <time>", "the time of the decisions in ISO 8601 (default: that of a kept request, else now)", time)
    .option("--examples <number>", "the most examples of each kind of difference", count, EXAMPLES)
    .option("--fail-if <change>", 'exit with 1 if B is so far from A, such as "spend > +10%"; several times', limit)
    .option("--state <file>", "save what was done every few seconds, and go on from there");
  withStoreOptions(declared, "read versions from").action(action(() => import("./replay.ts"), "replay"));
}

function collect(name: string, before: string[] = []): string[] {
  if (before.length === 2) throw new InvalidArgumentError("two catalogs can be compared, not more");
  return [...before, name];
}
