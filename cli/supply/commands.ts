//! `edgebid supply compile`: declares the command and its options.

import type { Command } from "commander";
import { command, count } from "../options.ts";
import type { CompileOptions } from "./compile.ts";

const COMPILE_HELP = `
DIR has the files as sellers/SYSTEM/sellers.json, ads/DOMAIN/ads.txt and app-ads/BUNDLE/app-ads.txt. Writes supply.json
into the catalog's folder, for the systems that its SSPs have as domain. If a file cannot be used, what the last
supply.json says of its site or app stays.

examples:
  npx edgebid supply compile fetched
  npx edgebid supply compile fetched --system reseller.example --max-age 7`;

export function addSupplyCommands(program: Command): void {
  const supply = program.command("supply").description("who may sell what: ads.txt, app-ads.txt and sellers.json");
  command(supply, "compile", "write what the files of a folder say into the catalog's folder", COMPILE_HELP)
    .argument("<dir>", "the folder with the files")
    .option("--catalog <folder>", "the catalog, a folder of documents (default: that of this folder)")
    .option("--system <domain...>", "more advertising systems than those of the catalog's SSPs", [])
    .option("--max-age <days>", "after how many days the files count as unknown (14)", count)
    .option("--json", "print JSON")
    .action(async (dir: string, options: CompileOptions) => (await import("./compile.ts")).compileSupply(dir, options));
}
