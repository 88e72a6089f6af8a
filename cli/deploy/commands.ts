//! `edgebid doctor`, `edgebid smoke` and `edgebid costs`: declares the commands and their options.

import { type Command, InvalidArgumentError, Option } from "commander";
import { defaultRequest } from "../defaults.ts";
import { DEFAULT_URL } from "../money/client.ts";
import { TOKEN_HELP, urlOption } from "../money/commands.ts";
import { action, command, count, seconds } from "../options.ts";

const DOCTOR_HELP = `
Changes nothing, and shows no secret. Exits with 1 if there is a fault. For more of a deployed bidder's state, set the
variable EDGEBID_OPERATOR_TOKEN to its secret OPERATOR_TOKEN.

examples:
  npx edgebid doctor
  npx edgebid doctor --env staging --url https://staging.bidder.example`;

const ONCALL_HELP = `
Watches the traffic of one isolate, and compares the bids of each SSP with yesterday's. Changes nothing. Exits with 1 if
there is a fault.
${TOKEN_HELP}

examples:
  npx edgebid oncall
  npx edgebid oncall --url https://bidder.example --watch
  npx edgebid oncall --url https://staging.bidder.example --env staging`;

const SMOKE_HELP = `
Sends some 30 requests: bids, no-bids, broken ones, one in gzip, and one win notice. Nothing is billed. Today's report
counts the bids, the win, and a notice that is refused as malformed; no bids and no win if the SSP's record has "test".
Exits with 1 if an answer is wrong.

examples:
  npx edgebid smoke
  npx edgebid smoke https://bidder.example --ssp north --token "$TOKEN" --request request.json`;

const COSTS_HELP = `
Asks nobody: the amounts come from the periods of edgebid and from its benchmarks. With one rate, it also prints what
uses which amount.

examples:
  npx edgebid costs
  npx edgebid costs --rate 5000 --bids 0.3 --budgets --caps 0.2 --events 1000`;

export function addDeployCommands(program: Command): void {
  command(program, "doctor", "look for faults in wrangler.toml, on the account and in a running bidder", DOCTOR_HELP)
    .option("--config <file>", "the configuration (default: wrangler.toml)")
    .option("--env <name>", "an environment of the configuration, and its secrets and catalog on the account")
    .option("--remote", "look at the account too: the login, the secrets, the catalog in KV")
    .option("--url <url>", "look at this running bidder too")
    .option("--json", "print JSON")
    .action(action(() => import("./doctor.ts"), "doctor"));

  command(program, "oncall", "show on one screen whether a bidder is healthy, and what has changed", ONCALL_HELP)
    .addOption(urlOption())
    .option("--env <name>", "the environment of wrangler.toml that the bidder is; the advice names it")
    .option("--seconds <number>", "how long to watch the traffic", seconds, 5)
    .addOption(new Option("--watch", "show it again and again, until Ctrl-C").conflicts("json"))
    .option("--json", "print JSON")
    .action(action(() => import("./oncall.ts"), "oncall"));

  command(program, "smoke", "send a bidder the requests that an exchange may send, and check the answers", SMOKE_HELP)
    .argument("[url]", "the bidder, else EDGEBID_URL", process.env["EDGEBID_URL"] || DEFAULT_URL)
    .option("--ssp <id>", "the SSP that sends the requests", "demo")
    .option("--request <file>", "a bid request as JSON; - is standard input", defaultRequest())
    .option("--token <token>", "the SSP's bearer token")
    .option("--json", "print JSON")
    .action(action(() => import("./smoke.ts"), "smoke"));

  command(program, "costs", "estimate what Cloudflare bills for a bidder in a month, at list prices", COSTS_HELP)
    .helpGroup("Money:")
    .option("--rate <list>", "bid requests a second", rates, [100, 1000, 10_000, 100_000])
    .option("--bids <share>", "the part of the requests that get a bid", share, 0.1)
    .option("--wins <share>", "the part of the bids that win and are billed", share, 0.1)
    .addOption(
      new Option("--notices <which>", "the notices that the exchanges call")
        .choices(["all", "billing", "off"])
        .default("all"),
    )
    .option("--budgets", "campaigns have budgets", false)
    .option("--caps <share>", "the part of the bids whose campaigns have frequency caps", share, 0)
    .addOption(
      new Option("--events <n>", "events go through a queue, one auction in n")
        .argParser(count)
        .default(null, "no queue"),
    )
    .option("--metrics", "the counters go to the Analytics Engine", false)
    .option("--isolate-rate <number>", "bid requests a second of one isolate", count, 10)
    .option("--json", "print JSON")
    .action(action(() => import("./costs.ts"), "costs"));
}

/** A list of rates, such as `100,1000`. */
function rates(text: string): number[] {
  return text.split(",").map(count);
}

function share(text: string): number {
  const number = Number(text);
  if (!/^[\d.]+$/.test(text) || !(number <= 1))
    throw new InvalidArgumentError("expected a part from 0 to 1, such as 0.1");
  return number;
}
