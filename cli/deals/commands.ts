//! `edgebid deals`: declares the commands and their options.

import type { Command } from "commander";
import { withCatalogOptions } from "../catalog/open.ts";
import { TOKEN_HELP, urlOption } from "../money/commands.ts";
import { command } from "../options.ts";
import type { AcceptOptions, RejectOptions } from "./accept.ts";
import type { CheckOptions } from "./check.ts";
import type { Asked } from "./kept.ts";
import type { ListOptions } from "./list.ts";

const LIST_HELP = `
new: not decided. changed: the terms are others than you decided on. ending: within seven days. Deals that are over are
shown with --all only.
${TOKEN_HELP}

examples:
  npx edgebid deals list
  npx edgebid deals list --all --json --url https://bidder.example`;

const ACCEPT_HELP = `
The campaign must buy under this deal only, because its targeting becomes that of the terms: --close makes a campaign so
that also buys without a deal. What a catalog cannot say is printed as a note. Pushes nothing.
${TOKEN_HELP}

examples:
  npx edgebid deals accept news-q4 --campaign news-winter
  npx edgebid deals accept news-q4 --campaign news-winter --close --catalog my-catalog`;

const REJECT_HELP = `
Changes no catalog: a campaign with this deal bids on until you remove it.
${TOKEN_HELP}

example:
  npx edgebid deals reject news-q4 --reason "the floor is above our price"`;

const CHECK_HELP = `
Exits with 1 if a request does not keep the terms, or if there is none under the deal. The catalog's own rules of privacy
hold: what it may not see of a request counts as not told.
${TOKEN_HELP}

example:
  npx edgebid deals check news-q4 --recording kept.ndjson.gz`;

/** The options that name one of several deals with the same id. */
const ORIGIN = ["--origin <domain>", "the origin of the deal, if several have this id"] as const;
const SSP = ["--ssp <id>", "the SSP that has sent the deal, if several have"] as const;

export function addDealsCommands(program: Command): void {
  const deals = program.command("deals").description("what sellers tell about their deals, and what you decide");
  command(deals, "list", "show which deals are new, changed, paused or ending", LIST_HELP)
    .option("--all", "also deals that are over")
    .addOption(urlOption())
    .option("--json", "print JSON")
    .action(async (options: ListOptions) => (await import("./list.ts")).listDeals(options));
  command(deals, "show", "show a deal, and what its terms mean in a campaign", TOKEN_HELP)
    .argument("<id>", "the id of the deal")
    .option(...ORIGIN)
    .option(...SSP)
    .addOption(urlOption())
    .option("--json", "print JSON")
    .action(async (id: string, options: Asked) => (await import("./accept.ts")).showDeal(id, options));
  command(deals, "accept", "write the terms of a deal into a campaign, and tell the seller", ACCEPT_HELP)
    .argument("<id>", "the id of the deal")
    .requiredOption("--campaign <cid>", "the campaign that takes the deal")
    .option("--close", "the campaign no longer buys without the deal")
    .option(...ORIGIN)
    .option(...SSP)
    .option("--catalog <folder>", "the catalog, a folder of documents (default: that of this folder)")
    .addOption(urlOption())
    .option("--json", "print JSON")
    .action(async (id: string, options: AcceptOptions) => (await import("./accept.ts")).acceptDeal(id, options));
  command(deals, "reject", "tell the seller that you do not take a deal", REJECT_HELP)
    .argument("<id>", "the id of the deal")
    .requiredOption("--reason <text>", "why, for the seller")
    .option(...ORIGIN)
    .option(...SSP)
    .addOption(urlOption())
    .option("--json", "print JSON")
    .action(async (id: string, options: RejectOptions) => (await import("./accept.ts")).rejectDeal(id, options));
  const check = command(deals, "check", "look whether real requests under a deal keep its terms", CHECK_HELP)
    .argument("<id>", "the id of the deal")
    .requiredOption(
      "--recording <path>",
      "requests, as edgebid tail keeps them: a file or a folder; - is standard input",
    )
    .option(...ORIGIN)
    .option(...SSP)
    .addOption(urlOption());
  withCatalogOptions(check).action(async (id: string, options: CheckOptions) => {
    process.exitCode = await (await import("./check.ts")).checkDeal(id, options);
  });
}
