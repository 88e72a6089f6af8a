//! `edgebid lists`: declares the command and its options.

import type { Command } from "commander";
import { command } from "../../cli/options.ts";
import type { FetchOptions } from "./fetch.ts";

const FETCH_HELP = `
The text of a list says where its values come from, before the first of them:

  # url: https://lists.example/tabloids.csv.gz
  # column: domain
  # sha256: https://lists.example/tabloids.csv.gz.sha256

Without column, the file has one value a line. A column is a title of CSV, or a number if there are no titles. sha256, a URL
or 64 hex digits, may be left out. If a list cannot be got, shrinks to nothing, or changes by more than a fifth, it stays as
it is, and the command exits with 1.

examples:
  npx edgebid lists fetch
  npx edgebid lists fetch tabloids --any-change --catalog my-catalog`;

export function addListsCommands(program: Command): void {
  const lists = program.command("lists").description("lists of values that others keep");
  command(lists, "fetch", "get the values of lists from their URLs", FETCH_HELP)
    .argument("[list...]", "the lists (default: all with a URL)")
    .option("--catalog <folder>", "the catalog, a folder of documents (default: that of this folder)")
    .option("--any-change", "take a list that changes by more than a fifth")
    .option("--json", "print JSON")
    .action(async (names: string[], options: FetchOptions) => (await import("./fetch.ts")).fetchLists(names, options));
}
