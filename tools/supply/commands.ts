//! `edgebid supply`: declares the commands and their options.

import type { Command } from "commander";
import { command, count } from "../../cli/options.ts";
import type { CompileOptions } from "./compile.ts";
import type { FetchOptions } from "./fetch.ts";
import type { PathsOptions } from "./paths.ts";

const FETCH_HELP = `
Gets ads.txt of each site in the recordings, and sellers.json of the exchanges, for \`supply compile\`. Asks a host that
has answered again after a day, and gets only what its robots.txt allows to edgebid-supply. If a host fails or forbids it, a file from
before stays; a 404 says that there is none. Gets no app-ads.txt:
put those into app-ads/BUNDLE/app-ads.txt.

examples:
  npx edgebid supply fetch kept.ndjson.gz --to fetched
  npx edgebid supply fetch --domains sites.txt --to fetched`;

const COMPILE_HELP = `
DIR has the files as sellers/SYSTEM/sellers.json, ads/DOMAIN/ads.txt and app-ads/BUNDLE/app-ads.txt. Writes supply.json
into the catalog's folder, for the systems that its SSPs have as domain. If a file cannot be used, what the last
supply.json says of its site or app stays.

examples:
  npx edgebid supply compile fetched
  npx edgebid supply compile fetched --system reseller.example --max-age 7`;

const PATHS_HELP = `
A path is an SSP, the systems of the supply chain that are paid, and what the catalog's supply says about the sellers:
direct, reseller, unknown or refused. The counts are of the recorded requests, times one_in. Events are lines of JSON, as
edgebid posts them to a collector.

examples:
  npx edgebid supply paths kept.ndjson.gz
  npx edgebid supply paths kept.ndjson.gz --events events.ndjson.gz --json`;

export function addSupplyCommands(program: Command): void {
  const supply = program.command("supply").description("who may sell what: ads.txt, app-ads.txt and sellers.json");
  command(supply, "fetch", "get the files of the sites in recordings", FETCH_HELP)
    .argument("[recording...]", "requests, as edgebid tail keeps them")
    .requiredOption("--to <dir>", "the folder for the files")
    .option("--domains <file>", "more sites, one a line")
    .option("--catalog <path>", "the catalog with the exchanges (default: that of this folder)")
    .option("--system <domain...>", "more advertising systems than those of the catalog's SSPs", [])
    .option("--json", "print JSON")
    .action(async (recordings: string[], options: FetchOptions) =>
      (await import("./fetch.ts")).fetchSupply(recordings, options),
    );
  command(supply, "compile", "write what the files of a folder say into the catalog's folder", COMPILE_HELP)
    .argument("<dir>", "the folder with the files")
    .option("--catalog <folder>", "the catalog, a folder of documents (default: that of this folder)")
    .option("--system <domain...>", "more advertising systems than those of the catalog's SSPs", [])
    .option("--max-age <days>", "after how many days the files count as unknown (14)", count)
    .option("--json", "print JSON")
    .action(async (dir: string, options: CompileOptions) => (await import("./compile.ts")).compileSupply(dir, options));
  command(supply, "paths", "count requests, bids, wins and spend by supply path", PATHS_HELP)
    .argument("<recording...>", "requests, as edgebid tail keeps them")
    .option("--events <file...>", "what became of the bids: lines of JSON, of the same time", [])
    .option("--catalog <path>", "the catalog with the exchanges and the supply (default: that of this folder)")
    .option("--json", "print JSON")
    .action(async (recordings: string[], options: PathsOptions) =>
      (await import("./paths.ts")).showPaths(recordings, options),
    );
}
