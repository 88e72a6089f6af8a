//! `edgebid creatives`: declares the commands and their options.

import type { Command } from "commander";
import { command } from "../../cli/options.ts";
import type { ExportOptions } from "./export.ts";
import type { ImportOptions } from "./import.ts";

const IMPORT_HELP = `
FILE is the JSON that Google's bidders.creatives.list returns, all pages in one list, or CSV with the columns crid and
state, and perhaps reason and date. A state is approved, pending or disapproved. Writes approvals-SSP.json into the
catalog's folder, in place of the one before. It leaves out creatives that the catalog does not have.

examples:
  npx edgebid creatives import google creatives.json
  npx edgebid creatives import ssp-1 decisions.csv --catalog my-catalog`;

const EXPORT_HELP = `
Prints JSON with the creatives that campaigns may show at the SSP, and on which it has not decided yet: the markup as the SSP
would get it, with sample values in place of our own macros, and the domains, categories, attributes, size and duration of
its bid. Exits with 1 if the module makes no bid with one of them.

examples:
  npx edgebid creatives export --ssp ssp-1 > submit.json
  npx edgebid creatives export --ssp ssp-1 --all --csv > creatives.csv`;

export function addCreativesCommands(program: Command): void {
  const creatives = program.command("creatives").description("which creatives the SSPs have approved");
  command(creatives, "import", "write what an SSP has decided about creatives into the catalog's folder", IMPORT_HELP)
    .argument("<ssp>", "the id of the SSP")
    .argument("<file>", "its decisions; - is standard input")
    .option("--catalog <folder>", "the catalog, a folder of documents (default: that of this folder)")
    .option("--json", "print JSON")
    .action(async (ssp: string, file: string, options: ImportOptions) =>
      (await import("./import.ts")).importDecisions(ssp, file, options),
    );
  command(creatives, "export", "print what an SSP wants to see before it approves creatives", EXPORT_HELP)
    .requiredOption("--ssp <id>", "the id of the SSP")
    .option("--catalog <path>", "the catalog (default: that of this folder)")
    .option("--all", "also those that the SSP has decided on")
    .option("--csv", "print CSV")
    .action(async (options: ExportOptions) => (await import("./export.ts")).exportCreatives(options));
}
