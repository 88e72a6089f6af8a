//! `edgebid campaign new`: declares the command and its options.

import type { Command } from "commander";
import { action, command } from "../options.ts";

const NEW_HELP = `
Adds a campaign with a banner to the catalog of this folder: to the file, or as a file of its own if the catalog is a
folder. Nothing else in the file changes. On a terminal, it asks for what no option says.

examples:
  npx edgebid campaign new
  npx edgebid campaign new shoes-winter --seat agency-1 --domain shop.example --country DEU --cpm 2.50 \\
    --zone Europe/Berlin --daily 50 --cap 3/day --size 300x250 \\
    --click https://shop.example/winter --image https://cdn.shop.example/winter.png`;

export function addCampaignCommands(program: Command): void {
  const campaign = program.command("campaign").description("write campaigns");
  command(campaign, "new", "add a campaign to the catalog of this folder", NEW_HELP)
    .argument("[cid]", "its id")
    .option("--catalog <file>", "the catalog: a document, or a folder of documents (default: that of this folder)")
    .option("--seat <seat>", "the buyer's seat at the exchange")
    .option("--domain <domain>", "the advertiser's domain")
    .option("--country <list>", "its countries, such as DEU,AUT")
    .option("--cur <code>", "its currency; another one than USD needs a rate in the catalog")
    .option("--cpm <amount>", "the most that it pays for a thousand impressions")
    .option("--zone <zone>", "the time zone of its days, such as Europe/Berlin")
    .option("--daily <amount>", "its budget for a day")
    .option("--cap <cap>", "how often a person may see it, such as 3/day; none: no cap")
    .option("--size <size>", "the size of its banner, such as 300x250")
    .option("--click <url>", "where the banner leads")
    .option("--image <url>", "the picture of the banner")
    .option("--json", "print the campaign as JSON")
    .action(action(() => import("./new.ts"), "newCampaign"));
}
