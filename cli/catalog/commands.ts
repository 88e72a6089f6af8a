//! `edgebid catalog …`: the commands, their options and where they work.

import { type Command, InvalidArgumentError } from "commander";
import { CatalogRefused } from "../../worker/src/catalog/compile.ts";
import { withLocalStore } from "./local.ts";
import { printLine, printRefusal } from "./print.ts";
import { CatalogFailure, type Store } from "./store.ts";
import { wranglerStore } from "./wrangler.ts";

/** Options of every command that looks into KV. */
export interface Where {
  local?: boolean;
  persistTo?: string;
  remote?: boolean;
  env?: string;
  json?: boolean;
}

/** Options of every command that moves the pointer. */
export interface MoveWords {
  note?: string;
  force?: boolean;
}

/** Those of a push: the share of a second version, true where none was named. */
export interface PushWords extends MoveWords {
  split?: number;
  shadow?: number | true;
}

const KEEP = 10;

// These load the built modules. `--help` has to work before the first build.
const reading = () => import("./read.ts");
const writing = () => import("./write.ts");

/** Adds the command group to the program. */
export function addCatalogCommands(program: Command): void {
  const catalog = program.command("catalog").description("validate, push and look at the catalogs that are served");

  catalog
    .command("validate")
    .description("compile a catalog as a push would, and tell everything that is wrong with it")
    .argument("<file>", "a catalog document or a folder of them; - is standard input")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExits with 1 when it is refused.\n\nexample:\n  npx edgebid catalog validate my-catalog.json",
    )
    .action((file: string, options: { json?: boolean }) =>
      run(options, async () => (await writing()).validateCommand(file, options)),
    );

  const inKv = (name: string, description: string) =>
    catalog
      .command(name)
      .description(description)
      .option("--local", "the KV of `npm start` on this machine")
      .option("--persist-to <folder>", "the folder of the local KV, where `npm start` was given one")
      .option("--remote", "the KV on the account that wrangler is logged in to")
      .option("--env <name>", "the KV there of this environment in wrangler.toml")
      .option("--json", "print JSON");

  inKv("push", "compile a catalog, upload it as a version, check it, and serve it")
    .argument("<file>", "a catalog document or a folder of them; - is standard input")
    .option("--note <text>", "why, for whoever looks at the list")
    .option(
      "--split <share>",
      "only as a second version, which answers that share of the requests, such as 10%",
      percent,
    )
    .option("--shadow [share]", "only as a second version, which is compared on that share of the requests", percent)
    .option("--force", "even if somebody else has pushed meanwhile")
    .addHelpText(
      "after",
      `
Nothing that serves changes before the last step, wherever it is interrupted.

examples:
  npx edgebid catalog push my-catalog.json --local
  npx edgebid catalog push my-catalogs/ --remote --split 10%
  npx edgebid catalog push my-catalog.json --remote --note "Acme pays more from today"
  CLOUDFLARE_API_TOKEN=… npx edgebid catalog push my-catalog.json --env staging --json`,
    )
    .action((file: string, options: Where & PushWords) =>
      run(
        options,
        async () => {
          // A file that is not there is told before KV is opened.
          const { sourceOf } = await import("./source.ts");
          const source = sourceOf(file);
          await inStore(options, async (store) => (await writing()).pushCommand(store, source, options));
        },
        "refused, nothing was changed",
      ),
    );

  inKv("list", "the versions that are there, the one pushed last first").action((options: Where) =>
    withStore(options, async (store) => (await reading()).listCommand(store, options)),
  );

  inKv("show", "what is served now, or a version")
    .argument("[version]", "its name or the start of it")
    .action((version: string | undefined, options: Where) =>
      withStore(options, async (store) => (await reading()).showCommand(store, version, options)),
    );

  inKv("split", "let a second version answer a share of the requests, always the same ones")
    .argument("<version>", "its name or the start of it")
    .argument("<share>", "of the requests, such as 10%", percent)
    .option("--force", "even if somebody else has pushed meanwhile")
    .addHelpText(
      "after",
      `
Which requests are in the share depends on their ids alone. \`promote\` serves the second version alone, \`rollback\` the first.

example:
  npx edgebid catalog split 3f2a 10% --remote`,
    )
    .action((version: string, share: number, options: Where & MoveWords) =>
      withStore(options, async (store) =>
        (await writing()).besideCommand(store, version, { mode: "split", share }, options),
      ),
    );

  inKv("shadow", "ask a second version too, and tell where it would have bid otherwise")
    .argument("<version>", "its name or the start of it")
    .argument("[share]", "of the requests, such as 10%", percent, 100)
    .option("--force", "even if somebody else has pushed meanwhile")
    .addHelpText(
      "after",
      `
GET /healthz counts what was compared and what was different; one in a hundred differences goes into the log.

example:
  npx edgebid catalog shadow 3f2a --remote`,
    )
    .action((version: string, share: number, options: Where & MoveWords) =>
      withStore(options, async (store) =>
        (await writing()).besideCommand(store, version, { mode: "shadow", share }, options),
      ),
    );

  inKv("promote", "serve the second version alone")
    .option("--note <text>", "why, for whoever looks at the list")
    .option("--force", "even if somebody else has pushed meanwhile")
    .action((options: Where & MoveWords) =>
      withStore(options, async (store) => (await writing()).promoteCommand(store, options)),
    );

  inKv("rollback", "serve the first of two versions alone, else the version before this one, or the one named")
    .argument("[version]", "its name or the start of it")
    .option("--note <text>", "why, for whoever looks at the list")
    .option("--force", "even if somebody else has pushed meanwhile")
    .action((version: string | undefined, options: Where & MoveWords) =>
      withStore(options, async (store) => (await writing()).rollbackCommand(store, version, options)),
    );

  inKv("diff", "what is different between two catalogs, by campaign")
    .argument("[old]", "a version, a file or a folder; without any, the version that was served before")
    .argument("[new]", "the same; with one name only, that is the new one, and what is served the old")
    .addHelpText(
      "after",
      `
Beside a second version, without a name: the one that is served and the second. Exits with 0 also where a push would refuse
the new one; it says so on standard error, and with --json as the number of \`errors\`.

examples:
  npx edgebid catalog diff --local                      what the last push changed
  npx edgebid catalog diff my-catalog.json --local      what a push of this file would change
  npx edgebid catalog diff 3f2a 91bc --remote           two versions
  npx edgebid catalog diff old.json new.json            two files`,
    )
    .action((old: string | undefined, now: string | undefined, options: Where) =>
      run(options, async () => (await reading()).diffCommand((work) => inStore(options, work), old, now, options)),
    );

  inKv("pull", "the source of what is served, or of a version")
    .argument("[version]", "its name or the start of it")
    .option("--out <file>", "write it there instead of to standard output")
    .action((version: string | undefined, options: Where & { out?: string }) =>
      withStore(options, async (store) => (await reading()).pullCommand(store, version, options)),
    );

  inKv("prune", "delete old versions; never the one that is served, nor the one before it")
    .option("--keep <number>", "how many to keep of those pushed last", count, KEEP)
    .option("--dry-run", "only tell what would be deleted")
    .action((options: Where & { keep: number; dryRun?: boolean }) =>
      withStore(options, async (store) => (await reading()).pruneCommand(store, options)),
    );
}

function withStore(options: Where, work: (store: Store) => Promise<void>): Promise<void> {
  return run(options, () => inStore(options, work));
}

/** Works with the store that the options name. */
async function inStore(options: Where, work: (store: Store) => Promise<void>): Promise<void> {
  const isRemote = options.remote === true || options.env !== undefined;
  if (isRemote === (options.local === true)) {
    throw new CatalogFailure(
      "say where: --local for `npm start` on this machine, --remote or --env NAME for the account",
    );
  }
  if (isRemote) return work(wranglerStore(["--remote", ...(options.env ? ["--env", options.env] : [])]));
  return withLocalStore(options.persistTo, work);
}

/** Failures that a person can act on are told without a stack. */
async function run({ json }: { json?: boolean }, work: () => Promise<void>, refused = "refused"): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof CatalogRefused) printRefusal(error, json ?? false, refused);
    else if (error instanceof CatalogFailure || isSystemError(error)) {
      if (json) printLine(JSON.stringify({ error: error.message }));
      else process.stderr.write(`edgebid: ${error.message}\n`);
    } else throw error;
  }
}

/** Such as a file that is not there. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

/** `10%`, `10` and `0.5 %` are per cent; `0.5` alone could as well be meant as one half. */
export function percent(text: string): number {
  const number = Number(/^(?:\d+(?:\.\d+)?\s*%|\d+)$/.test(text) ? text.replace("%", "") : Number.NaN);
  if (!(number <= 100)) throw new InvalidArgumentError("expected a share such as 10% or 0.5%, from 0% to 100%");
  return number;
}

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("expected a number from 1 on");
  return number;
}
