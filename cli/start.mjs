//! `npm start`: starts a bidder on this machine, even from a fresh clone. Installs and builds what is missing, pushes
//! the example catalog to the local KV, starts `wrangler dev`, and shows how to get a bid.
//!
//! Plain Node 20 without dependencies. Listens on 127.0.0.1 only and needs no account. Replaces a pushed catalog only
//! with --reseed.

import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { Failure, runScript } from "./process.mjs";
import { seed } from "./seed.mjs";
import { assertPortFree, DEFAULT_PORT, HOST, portOf, serve } from "./serve.mjs";
import { setup } from "./setup.mjs";
import { DEFAULT_STATE, ROOT } from "./tools.mjs";

const EXAMPLE = { catalog: "fixtures/catalog.json", request: "fixtures/bid/simple-banner.json", isExample: true };
/** Node 22 needs an option to run TypeScript. */
const PROGRAM = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning", join(ROOT, "cli/edgebid.ts")];

const HELP = `Starts the bidder on this machine.

  npm start                          on http://${HOST}:${DEFAULT_PORT}
  npm start -- --port 8788           on another port
  npm start -- --reseed              push ${EXAMPLE.catalog} again, in place of any other catalog
  npm start -- --persist-to DIR      keep the local KV in DIR instead of ${DEFAULT_STATE}
  npm start -- --help                print this help
`;

await runScript(async () => {
  const { help, port, reseed, state } = readOptions(process.argv.slice(2));
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  await assertPortFree(port);
  await setup({ judge: false });
  const bidder = { folder: ROOT, state, program: PROGRAM, ...EXAMPLE };
  await serve(bidder, await seed(bidder, reseed), port);
});

/**
 * @typedef {{ help: boolean, port: number, reseed: boolean, state: string }} Options
 * @param {string[]} args
 * @returns {Options}
 */
function readOptions(args) {
  const { values, tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: {
      help: { type: "boolean", short: "h" },
      port: { type: "string" },
      reseed: { type: "boolean" },
      "persist-to": { type: "string" },
    },
  });
  const known = ["help", "port", "reseed", "persist-to"];
  for (const token of tokens) {
    if (token.kind === "option" && known.includes(token.name)) continue;
    const name = token.kind === "option" ? token.rawName : args[token.index];
    throw new Failure(`unknown option ${name}; npm start -- --help lists them`);
  }
  const state = values["persist-to"] ?? DEFAULT_STATE;
  if (typeof state !== "string") {
    throw new Failure("--persist-to needs a folder, as in: npm start -- --persist-to /tmp/state");
  }
  return {
    help: values.help === true,
    port: portOf(values.port ?? DEFAULT_PORT),
    reseed: values.reseed === true,
    state: resolve(ROOT, state),
  };
}
