//! `edgebid forget`: deletes the counts of frequency caps for a person. The id is in the body of the request, so that
//! no log of URLs contains it.

import { type Command, Option } from "commander";
import { Failure } from "../build/failure.mjs";
import { page } from "../build/tools.mjs";
import { countText } from "../shared/compare/text.ts";
import { printLine } from "./catalog/print.ts";
import { askJson, expected } from "./money/client.ts";
import { TOKEN_HELP, urlOption } from "./money/commands.ts";
import { command } from "./options.ts";

interface ForgetOptions {
  kind?: string;
  source?: string;
  url: string;
  json?: boolean;
}

const FORGET_HELP = `
The bidder keeps counts under hashes of the id with its keys of notices, so it finds them only as long as it has the
key. Bids that were not billed yet are forgotten too. A person is counted under the best id of each request: buyeruid, ifa,
eid, then user. So forget each id of the person that you know.
${TOKEN_HELP}

examples:
  npx edgebid forget 3F6D2A4B-0C1E-4D5F-8A9B-7C6D5E4F3A2B --kind ifa
  npx edgebid forget ID5-ZHMO --kind eid --source id5-sync.com --url https://bidder.example --json
  npx edgebid forget 8b6e1f --kind user --source former-ssp
  npx edgebid forget 203.0.113.7 --kind household`;

export function addForgetCommand(program: Command): void {
  command(program, "forget", "delete what the frequency caps have counted about a person", FORGET_HELP)
    .argument("<id>", "an id of the person")
    .addOption(
      new Option("--kind <kind>", "what the id is (default: any of them)").choices([
        "buyeruid",
        "ifa",
        "eid",
        "user",
        "household",
      ]),
    )
    .option(
      "--source <domain>",
      "the source of an eid, such as id5-sync.com; or the SSP of a user, if the catalog has it no more",
    )
    .addOption(urlOption())
    .option("--json", "print the number of deleted rows and the kinds as JSON")
    .action(forget);
}

/** Forgets the person with this id. Throws {@link Failure}. */
async function forget(id: string, { kind, source, url, json }: ForgetOptions): Promise<void> {
  if (kind === "eid" && source === undefined)
    throw new Failure("--kind eid needs the --source of the eid, such as id5-sync.com");
  const asked = { body: { id, kind, source } };
  const answer = await askJson<{ rows: number; kinds: string[]; ssps?: string[] }>(url, "forget", asked);
  const { rows, kinds, ssps = [] } = expected(url, "deleted rows", answer, "kinds");
  const lines = [
    rows === 0 ? "nothing is kept under this id" : `deleted ${countText(rows, "row")}`,
    `  it was looked for as ${kinds.map((one) => (one === "user" ? `user of ${ssps.join(", ")}` : one)).join(", ")}`,
    ...(kind === undefined && source === undefined ? ["  not as an eid, which needs its --source"] : []),
    ...(kinds.includes("user") ? ["  an SSP that has left the catalog needs --kind user --source SSP"] : []),
    "  the same person may be counted under others of his ids: forget each that you know",
    `  ${page("budgets.md#forget-a-person")}`,
  ];
  printLine(json ? JSON.stringify({ rows, kinds, ssps }) : lines.join("\n"));
}
