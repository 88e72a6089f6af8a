//! The `edgebid` program: declares the subcommands and their options, and prints failures. Each subcommand is in its
//! own file.

import { Command, CommanderError, Option } from "commander";
import { EXIT, Failure } from "../build/failure.mjs";
import { DEFAULT_STATE, ownPackage } from "../build/tools.mjs";
import { CatalogRefused } from "../shared/catalog/compile.ts";
import { addCreativesCommands } from "../tools/creatives/commands.ts";
import { addForecastCommand } from "../tools/forecast/commands.ts";
import { addListsCommands } from "../tools/lists/commands.ts";
import { addShapeCommands } from "../tools/shape/commands.ts";
import { addSupplyCommands } from "../tools/supply/commands.ts";
import { addTrafficCommands } from "../tools/traffic/commands.ts";
import { addCampaignCommands } from "./campaign/commands.ts";
import { addCatalogCommands } from "./catalog/commands.ts";
import { withCatalogOptions } from "./catalog/open.ts";
import { printLine, printRefusal } from "./catalog/print.ts";
import { addCompletionCommand } from "./completion.ts";
import { addDealsCommands } from "./deals/commands.ts";
import { addDeployCommands } from "./deploy/commands.ts";
import { addForgetCommand } from "./forget.ts";
import { addMoneyCommands } from "./money/commands.ts";
import { action, command, count } from "./options.ts";
import { addReplayCommands } from "./replay/commands.ts";
import { DEFAULT_PORT, HOST } from "./serve.mjs";
import { addTailCommands } from "./tail/commands.ts";

/** Runs the program with these arguments, and sets the exit status. */
export async function edgebid(args: string[]): Promise<void> {
  const program = declared();
  let running = program;
  program.hook("preAction", (_, command) => {
    running = command;
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode && EXIT.misused;
    else printFailure(error, running.name(), running.opts()["json"] === true);
  }
}

const STATUS_HELP = `
Exits with 0 if all is well, 1 if it found something, 2 if it is used wrongly, 3 if a bidder or an account does not answer.`;

const VALIDATE_HELP = `
Exits with 1 if a file has errors or is not a bid request. An unknown attribute is only a note,
because the specification asks bidders to tolerate it.

examples:
  npx edgebid validate request.json
  npx edgebid validate --strict --json captured/*.json
  curl -s https://ssp.example/sample | npx edgebid validate -`;

const EXPLAIN_HELP = `
Decides with the catalog that is served on this machine, and names the catalog that it used. A running bidder, with
--url, also knows the shares of its budgets; a deployed one wants the operator's token: the variable
EDGEBID_OPERATOR_TOKEN.

examples:
  npx edgebid explain request.json --bid
  npx edgebid explain request.json --remote
  npx edgebid explain request.json --url https://bidder.example
  npx edgebid explain request.json --catalog my-catalog.json --at 2026-11-18T12:00Z
  npx edgebid explain request.json --campaign acme-spring
  npx edgebid explain kept.ndjson.gz --line 3`;

const INIT_HELP = `
Writes \`request.json\` beside the catalog, unless there is one. Overwrites nothing. On a terminal, it asks for what no
option says.

examples:
  npx edgebid init my-bidder
  npx edgebid init catalog.yaml
  npx edgebid init my-bidder --country FRA --cur EUR --rate 1.08 --cpm 3.20 --vendor-id 42`;

const DEV_HELP = `
Listens on ${HOST} only and needs no account. Pushes the catalog to the local KV, unless you have pushed another one
there, and runs \`wrangler dev\`.`;

function declared(): Command {
  const program = new Command("edgebid")
    .exitOverride()
    .description("A real-time bidder for OpenRTB 2.6 on Cloudflare Workers.")
    .version(ownPackage().version)
    .showHelpAfterError("(see --help)")
    .addHelpText("after", STATUS_HELP);

  program.commandsGroup("Start:");
  command(
    program,
    "init",
    "write a folder with a bidder of your own, or only a small catalog that bids and a request for it",
    INIT_HELP,
  )
    .argument("[path]", "a folder; or a catalog, which ends in .json or .yaml", "catalog.json")
    .option("--country <list>", "the countries of the campaign, such as DEU,AUT")
    .option("--cur <code>", "its currency")
    .option("--rate <usd>", "the US dollars for one unit of this currency")
    .option("--cpm <amount>", "the most that it pays for a thousand impressions")
    .option("--vendor-id <id>", "your id on the Global Vendor List; none: no bids where GDPR applies")
    .option("-y, --yes", "do not ask, and take the usual values")
    .option("--json", "print JSON")
    .action(action(() => import("./init.ts"), "init"));

  command(program, "dev", "serve the catalog of this folder on this machine", DEV_HELP)
    .option("--catalog <file>", "the catalog: a document, or a folder of documents (default: catalog.json or .yaml)")
    .option("--port <number>", "the port", String(DEFAULT_PORT))
    .option("--reseed", "push the catalog in place of any other that was pushed")
    .option("--persist-to <folder>", `the folder of the local KV (default: ${DEFAULT_STATE})`)
    .action(action(() => import("./dev.ts"), "dev"));
  addCampaignCommands(program);

  program.commandsGroup("Catalogs:");
  addCatalogCommands(program);
  addCreativesCommands(program);
  addSupplyCommands(program);
  addListsCommands(program);
  addDealsCommands(program);

  program.commandsGroup("Requests:");
  command(
    program,
    "validate",
    "check bid requests against OpenRTB 2.6-202606: attributes, types and values",
    VALIDATE_HELP,
  )
    .argument("<file...>", "bid requests as JSON; - is standard input")
    .option("--strict", "report unknown attributes as errors")
    .option("--json", "print one JSON object instead of text")
    .action(action(() => import("./validate.ts"), "validate"));

  const why = "show the bids on a request, and the check that each other campaign failed";
  withCatalogOptions(command(program, "explain", why, EXPLAIN_HELP))
    .argument("<file>", "a bid request as JSON, or requests that `edgebid tail` has kept; - is standard input")
    .option("--line <number>", "the line of the file with the request (default: the first one)", count)
    .option("--ssp <id>", 'the SSP that sends the request (default: that of a kept request, otherwise "demo")')
    .option("--imp <id>", "explain only this impression")
    .option("--campaign <cid>", "explain only this campaign")
    .option("--at <time>", "the time of the decision in ISO 8601 (default: that of a kept request, otherwise now)")
    .option("--bid", "print the response too")
    .addOption(
      new Option(
        "--url <url>",
        "ask this running bidder (default: EDGEBID_URL, unless another option names a catalog)",
      ).conflicts(["catalog", "local", "remote", "env"]),
    )
    .action(action(() => import("./explain.ts"), "explain"));
  addReplayCommands(program);
  addShapeCommands(program);
  addTrafficCommands(program);
  addForecastCommand(program);

  program.commandsGroup("A running bidder:");
  addDeployCommands(program);
  addTailCommands(program);
  addForgetCommand(program);

  program.commandsGroup("Money:");
  addMoneyCommands(program);

  program.commandsGroup("This command:");
  addCompletionCommand(program);
  const help = new Command("help").argument("[command]").description("show the help of a command");
  program.addHelpCommand(help.helpGroup("This command:"));
  return program;
}

/** Prints a failure of a command for people, or as JSON, and sets the exit status. Throws any other error. */
function printFailure(error: unknown, command: string, json: boolean): void {
  if (error instanceof CatalogRefused)
    printRefusal(error, json, command === "push" ? "refused, nothing was changed" : "refused");
  // A failure of the system, such as a missing file, has a `syscall`.
  else if (!(error instanceof Failure || (error instanceof Error && "syscall" in error))) throw error;
  else if (json) printLine(JSON.stringify({ error: error.message }));
  else process.stderr.write(`edgebid: ${error.message}\n`);
  process.exitCode = statusOf(error);
}

function statusOf(error: unknown): number {
  if (error instanceof CatalogRefused) return EXIT.found;
  return error instanceof Failure ? error.status : EXIT.misused;
}
