//! `edgebid report`, `edgebid budget`, `edgebid shading` and `edgebid reconcile`: declares the commands and their options.

import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { action, command } from "../options.ts";
import { DEFAULT_URL } from "./client.ts";

/** What learned shading may be told to do. */
const ORDERS = ["freeze", "thaw", "reset"];

/** The option that names the bidder. */
export function urlOption(): Option {
  return new Option("--url <url>", "the bidder to ask").env("EDGEBID_URL").default(DEFAULT_URL);
}

const url = urlOption();

export const TOKEN_HELP = `
A deployed bidder wants the operator's token: set the variable EDGEBID_OPERATOR_TOKEN to the secret OPERATOR_TOKEN of
the bidder. A bidder of \`npm start\` wants none.`;

const REPORT_HELP = `
Today and yesterday are days of UTC. The days of a row are those of the campaign's time zone, its hours those of UTC.
With "version", a split is judged: how far the second version is from the first, and how sure that is.
${TOKEN_HELP}

examples:
  npx edgebid report --today --by ssp
  npx edgebid report --from 2026-11-01 --to 2026-11-30 --by day,ssp --csv > november.csv
  npx edgebid report --from 2026-11-24 --by version
  npx edgebid report --from 2026-11-01 --to 2026-11-30 --shading
  npx edgebid report --yesterday --url https://bidder.example --json`;

const BUDGET_HELP = `
A day is a day of the campaign's time zone. Spent is what was billed for bids of this day. Exposed is what bids without
a bill may still cost. The share is the part of its requests that a campaign may bid on now; why says what holds it
back. The forecast is what the day is expected to cost.
${TOKEN_HELP}

examples:
  npx edgebid budget
  npx edgebid budget shoes-autumn
  npx edgebid budget --url https://bidder.example --json`;

const SHADING_HELP = `
A spot is a placement, a type of media and a type of device at an SSP; spots with few notices bid as the wider spot
above them. The typical price wins half of the auctions. Prices are dollars for a thousand impressions. The bars show
the part of the value that is bid, from half of the typical price to 11 times of it.
${TOKEN_HELP}

examples:
  npx edgebid shading
  npx edgebid shading freeze --url https://bidder.example
  npx edgebid shading reset`;

const RECONCILE_HELP = `
Usual names are: date, day; impressions, imps; spend, cost, revenue, amount. Days are written as 2026-11-18,
2026/11/18, 20261118, 18.11.2026, 18/11/2026 or 11/18/2026, amounts as 1234.56, $1,234.56 or 1.234,56. Several rows of
one day are added up. Rows whose day begins with "total" are left out. Exits with 0 even if the figures differ.
${TOKEN_HELP}

examples:
  npx edgebid reconcile november.csv --ssp demo
  npx edgebid reconcile november.csv --ssp demo --cur EUR --columns day=Tag,impressions=Anzahl,spend=Betrag`;

export function addMoneyCommands(program: Command): void {
  command(program, "report", "show bids, wins, losses, billed impressions and spend", REPORT_HELP)
    .option("--from <day>", "the first day, such as 2026-11-18 (default: the last day)")
    .option("--to <day>", "the last day (default: today)")
    .addOption(new Option("--today", "only today, which is the default").conflicts(["from", "to", "yesterday"]))
    .addOption(new Option("--yesterday", "only yesterday").conflicts(["from", "to", "today"]))
    .option("--by <names>", "a row for each of: day, hour, campaign, ssp, creative, version", "day,campaign")
    .option("--campaign <id>", "only this campaign")
    .addOption(url)
    .addOption(new Option("--json", "print the report as JSON").conflicts("csv"))
    .addOption(new Option("--shading", "what learned shading changes, for each campaign and SSP").conflicts("csv"))
    .option("--csv", "print the report as CSV")
    .action(action(() => import("./report.ts"), "report"));

  command(program, "budget", "show what budgets have spent, may still spend, and what holds them back", BUDGET_HELP)
    .argument("[id]", "show this campaign or order only, with everything that is known of it")
    .addOption(url)
    .option("--json", "print the budgets as JSON")
    .action(action(() => import("./budget.ts"), "budget"));

  command(program, "shading", "show what learned shading bids where, and stop or reset it", SHADING_HELP)
    .addArgument(
      new Argument("[order]", "keep the bids as they are, learn again, or forget everything").choices(ORDERS),
    )
    .addOption(url)
    .option("--json", "print what is known as JSON")
    .action(action(() => import("./shading.ts"), "shading"));

  command(program, "reconcile", "compare an exchange's daily figures with the ledger", RECONCILE_HELP)
    .argument("<invoice>", "the exchange's figures as CSV with a header; - is standard input")
    .requiredOption("--ssp <id>", "the SSP that sent them, as in the catalog")
    .option("--cur <currency>", "the currency of the invoice", currency, "USD")
    .option("--columns <names>", "the columns, such as day=Date,impressions=Imps,spend=Cost (default: usual names)")
    .addOption(url)
    .option("--json", "print the comparison as JSON")
    .action(action(() => import("../../tools/invoices/reconcile.ts"), "reconcile"));
}

function currency(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new InvalidArgumentError("expected a code such as EUR");
  return text;
}
