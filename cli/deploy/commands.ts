//! `edgebid doctor` and `edgebid smoke`: declares the commands and their options.

import type { Command } from "commander";
import { defaultRequest } from "../defaults.ts";
import type { DoctorOptions } from "./doctor.ts";
import type { SmokeOptions } from "./smoke.ts";

export function addDeployCommands(program: Command): void {
  program
    .command("doctor")
    .description("look for faults in wrangler.toml, on the account and in a running bidder")
    .option("--config <file>", "the configuration (default: wrangler.toml)")
    .option("--env <name>", "an environment of the configuration, and its secrets and catalog on the account")
    .option("--remote", "look at the account too: the login, the secrets, the catalog in KV")
    .option("--url <url>", "look at this running bidder too")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Changes nothing, and shows no secret. Exits with 1 if there is a fault. For more of a deployed bidder's state, set the
variable EDGEBID_OPERATOR_TOKEN to its secret OPERATOR_TOKEN.

examples:
  npx edgebid doctor
  npx edgebid doctor --env staging --url https://staging.bidder.example`,
    )
    .action(async (options: DoctorOptions) => {
      process.exitCode = await (await import("./doctor.ts")).doctor(options);
    });

  program
    .command("smoke")
    .description("send a bidder the requests that an exchange may send, and check the answers")
    .argument("[url]", "the bidder", "http://127.0.0.1:8787")
    .option("--ssp <id>", "the SSP that sends the requests", "demo")
    .option("--request <file>", "a bid request as JSON; - is standard input", defaultRequest())
    .option("--token <token>", "the SSP's bearer token")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Sends some 30 requests: bids, no-bids, broken ones, one in gzip, and one win notice. Nothing is billed. Exits with 1 if
an answer is wrong.

examples:
  npx edgebid smoke
  npx edgebid smoke https://bidder.example --ssp north --token "$TOKEN" --request request.json`,
    )
    .action(async (url: string, options: SmokeOptions) => {
      process.exitCode = await (await import("./smoke.ts")).smoke(url, options);
    });
}
