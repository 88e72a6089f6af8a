//! `edgebid catalog …`, `edgebid stop` and `edgebid resume`: declares the commands and their options.
//! `read.ts`, `diff.ts` and `write.ts` do the work.

import { type Command, Option } from "commander";
import { Failure } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import { action, command, count, percent } from "../options.ts";
import type { DiffOptions } from "./diff.ts";
import {
  inStore,
  type PointerOptions,
  type PushOptions,
  type StoreOptions,
  withCatalogOptions,
  withStoreOptions,
} from "./open.ts";
import type { Store } from "./store.ts";

const KEEP = 10;

const YES = ["-y, --yes", "do not ask, even if the plan has warnings"] as const;
const NOTE = ["--note <text>", "a note for the list of versions, such as the reason"] as const;
const FORCE = ["--force", "go on even if another person has moved the pointer meanwhile"] as const;
const FORCE_OLD = [
  "--force",
  `${FORCE[1]}, or if isolates must compile the version's source, which is tried first`,
] as const;
const NAME = "its name or the start of it";
const SOURCE = "a catalog document, or a folder of catalog documents; - is standard input";

// These files load the built modules, but `--help` must work before the first build.
const reading = () => import("./read.ts");
const writing = () => import("./write.ts");
const read = (name: keyof typeof import("./read.ts")) => inKv(async () => (await reading())[name] as Run);
const write = (name: keyof typeof import("./write.ts")) => inKv(async () => (await writing())[name] as Run);

/** What a command does in KV. It also gets its arguments and its options. */
type Run = (store: Store, ...given: never[]) => Promise<void>;

/** The action of a command that uses KV. */
function inKv(load: () => Promise<Run>): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    // commander passes the command itself after the options.
    const own = given.slice(0, -1) as never[];
    // Opening KV takes as long as loading the modules, so both are done at once.
    const run = load();
    await Promise.all([run, inStore(own.at(-1) ?? {}, async (store) => (await run)(store, ...own))]);
  };
}

/** Adds a command that uses KV. */
function kvCommand(...given: Parameters<typeof command>): Command {
  return withStoreOptions(command(...given));
}

const VALIDATE_HELP = `
Exits with 1 if the catalog is refused.

example:
  npx edgebid catalog validate my-catalog.json`;

const KEY_HELP = `
example:
  npx edgebid catalog key signing.pem`;

const PUSH_HELP = `
It shows what the push changes. A push to an account then asks; without a terminal it goes on, unless the plan warns:
${page("push.md#the-plan")} lists the warnings. Only the last step changes what is served, so the command can be interrupted at any time.

examples:
  npx edgebid catalog push my-catalog.json --local
  npx edgebid catalog push my-catalog.json --remote --dry-run
  npx edgebid catalog push my-catalogs/ --remote --split 10%
  npx edgebid catalog push my-catalog.json --remote --note "Acme pays more from today"
  CLOUDFLARE_API_TOKEN=… npx edgebid catalog push my-catalog.json --env staging --json`;

const SPLIT_HELP = `
A request's id decides whether it is in the share, so these are always the same requests. \`promote\` makes
the second version the only one, \`rollback\` removes it.

example:
  npx edgebid catalog split 3f2a 10% --remote`;

const SHADOW_HELP = `
GET /healthz counts the compared requests and the differences. One in a hundred differences is logged.

example:
  npx edgebid catalog shadow 3f2a --remote`;

const STOP_HELP = `
The campaigns stay stopped through pushes and rollbacks until you resume them.

examples:
  npx edgebid stop acme-spring --remote --note "wrong landing page"
  npx edgebid stop --all --remote`;

const DIFF_HELP = `
With one name, that is the new catalog, and the version that is served is the old one. Without a name, and
with a second version, the version that is served is compared with the second version. Exits with 0 even if a
push would refuse the new catalog: standard error says so, and with --json the number of \`errors\`. With
\`--fail-on warnings\` it exits with 1 if the plan of a push would warn, with \`--fail-on changes\` if anything differs.

examples:
  npx edgebid catalog diff --local                      what the last push changed
  npx edgebid catalog diff my-catalog.json --local      what a push of this file would change
  npx edgebid catalog diff 3f2a 91bc --remote           two versions
  npx edgebid catalog diff old.json new.json            two files
  npx edgebid catalog diff my-catalog.json --remote --fail-on warnings`;

const EXPLAIN_HELP = `
Not to be mixed up with \`edgebid explain\`, which explains the decision on one request.

examples:
  npx edgebid catalog explain acme-spring
  npx edgebid catalog explain acme-spring --catalog my-catalog.json
  npx edgebid catalog explain acme-spring --remote`;

/** Adds the commands to the program. */
export function addCatalogCommands(program: Command): void {
  const catalog = program.command("catalog").description("validate, push and inspect catalogs");
  addFileCommands(catalog);
  addPush(catalog);
  addMoveCommands(catalog);
  addStopCommands(program);
  addCompareCommands(catalog);

  kvCommand(catalog, "pull", "get the source of the version that is served, or of another version")
    .action(read("pullCommand"))
    .argument("[version]", NAME)
    .option("--out <file>", "write it to this file instead of to standard output");

  kvCommand(catalog, "prune", "delete old versions, but never one that the pointer names")
    .action(read("pruneCommand"))
    .option("--keep <number>", "the number of versions to keep, those that were pushed last", count, KEEP)
    .option("--dry-run", "only show what would be deleted");
}

function addFileCommands(catalog: Command): void {
  command(catalog, "validate", "compile a catalog as a push does, and show all its errors and notes", VALIDATE_HELP)
    .argument("<file>", SOURCE)
    .option("--json", "print JSON")
    .action(action(writing, "validateCommand"));

  command(catalog, "key", "make a key that signs versions, and print its public half for CATALOG_KEYS", KEY_HELP)
    .argument("<file>", "the private key in PEM; a file that exists is only read")
    .option("--json", "print JSON")
    .action(action(() => import("./sign.ts"), "keyCommand"));
}

function addPush(catalog: Command): void {
  kvCommand(catalog, "push", "compile a catalog, upload it as a version, check the upload, and serve it", PUSH_HELP)
    .argument("<file>", SOURCE)
    .option(...NOTE)
    .option(
      "--split <share>",
      "push it as the second version, which answers this share of the requests, such as 10%",
      percent,
    )
    .option(
      "--shadow [share]",
      "push it as the second version, which is only compared on this share of the requests",
      percent,
    )
    .addOption(
      new Option("--sign <file>", "sign it with this private Ed25519 key in PEM, for a bidder with CATALOG_KEYS").env(
        "EDGEBID_SIGNING_KEY",
      ),
    )
    .option(...FORCE)
    .option(...YES)
    .option("--dry-run", "only show the plan")
    .option("--shapes <folder>", "warn if a published shape in this folder filters what a campaign asks for")
    .action(async (file: string, options: StoreOptions & PushOptions) => {
      // A missing file is reported before KV is opened.
      const { sourceOf } = await import("./source.ts");
      const source = sourceOf(file);
      await inStore(options, async (store) => (await writing()).pushCommand(store, source, options));
    });
}

function addMoveCommands(catalog: Command): void {
  kvCommand(catalog, "list", "list the versions, the one that was pushed last first").action(read("listCommand"));

  kvCommand(catalog, "show", "show the version that is served, or another version")
    .action(read("showCommand"))
    .argument("[version]", "its name, or the start of it");

  kvCommand(catalog, "split", "let a second version answer a share of the requests", SPLIT_HELP)
    .action(write("splitCommand"))
    .argument("<version>", NAME)
    .argument("<share>", "the share of the requests, such as 10%", percent)
    .option(...YES)
    .option(...FORCE_OLD);

  const shadow = "let a second version decide on requests too, and count the different bids";
  kvCommand(catalog, "shadow", shadow, SHADOW_HELP)
    .action(write("shadowCommand"))
    .argument("<version>", NAME)
    .argument("[share]", "the share of the requests, such as 10%", percent, 100)
    .option(...FORCE_OLD);

  kvCommand(catalog, "promote", "make the second version the only one")
    .action(write("promoteCommand"))
    .option(...NOTE)
    .option(...YES)
    .option(...FORCE_OLD);

  const back =
    "serve the version named; without a name, remove the second version, or if there is none serve what was served before";
  kvCommand(catalog, "rollback", back)
    .action(write("rollbackCommand"))
    .argument("[version]", NAME)
    .option(...NOTE)
    .option(...FORCE_OLD);
}

function addStopCommands(program: Command): void {
  kvCommand(program, "stop", "stop campaigns, or everything, at once and without a push", STOP_HELP)
    .argument("[cid...]", "the campaigns")
    .option("--all", "stop everything: no request gets a bid")
    .option("--note <text>", "a note, such as the reason")
    .option("--force", "do not look whether a catalog that is served has the campaigns, which also saves time")
    .action(async (cids: string[], options: StoreOptions & PointerOptions & { all?: boolean }) => {
      const what = campaignsOrAll(cids, options);
      await inStore(options, async (store) => (await writing()).stopCommand(store, what, options));
    });

  kvCommand(program, "resume", "let stopped campaigns bid again")
    .argument("[cid...]", "the campaigns")
    .option("--all", "undo `stop --all`; if that was not used, resume all stopped campaigns")
    .action(async (cids: string[], options: StoreOptions & { all?: boolean }) => {
      const what = campaignsOrAll(cids, options);
      await inStore(options, async (store) => (await writing()).resumeCommand(store, what, options));
    });
}

/** What a command stops or resumes: everything, or these campaigns. */
function campaignsOrAll(cids: string[], { all = false }: { all?: boolean }): string[] | "all" {
  if (all === cids.length > 0) throw new Failure("name campaigns by their cid, or use --all");
  return all ? "all" : cids;
}

function addCompareCommands(catalog: Command): void {
  kvCommand(catalog, "diff", "show the differences between two catalogs, by campaign", DIFF_HELP)
    .argument("[old]", "a version, a file or a folder (default: the previous version)")
    .argument("[new]", "the same (default: the version that is served)")
    .addOption(new Option("--fail-on <what>", "exit with 1 if there are any of these").choices(["changes", "warnings"]))
    .action(async (old: string | undefined, now: string | undefined, options: DiffOptions) =>
      (await import("./diff.ts")).diffCommand((work) => inStore(options, work), old, now, options),
    );

  const explain = "tell in sentences where a campaign bids, what it pays and what it shows";
  withCatalogOptions(command(catalog, "explain", explain, EXPLAIN_HELP))
    .argument("<cid>", "the campaign")
    .action(action(reading, "explainCampaign"));
}
