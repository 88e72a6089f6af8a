//! `npm start`: starts a bidder on this machine, even from a fresh clone. Installs and builds missing parts, and then
//! serves the example as `edgebid dev` serves a bidder's own folder.
//!
//! Plain Node 20 without dependencies. Listens on 127.0.0.1 only and needs no account. Replaces a pushed catalog only
//! with --reseed.

import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { Failure, runScript, start } from "../build/process.mjs";
import { setup } from "../build/setup.mjs";
import { DEFAULT_STATE, EXAMPLE, ROOT, TOOL_ENV, toolNode } from "../build/tools.mjs";
import { assertPortFree, DEFAULT_PORT, HOST, portOf } from "./serve.mjs";

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
  const args = process.argv.slice(2);
  const { help, port } = readOptions(args);
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  await assertPortFree(portOf(port ?? DEFAULT_PORT));
  await setup({ judge: false, quick: true });
  const dev = [...PROGRAM, "dev", "--catalog", EXAMPLE.catalog, ...args];
  const [code] = await once(start(toolNode(), dev, { cwd: ROOT, env: TOOL_ENV, stdio: "inherit" }), "exit");
  process.exitCode = code ?? 1;
});

/** @param {string[]} args */
function readOptions(args) {
  try {
    const text = /** @type {const} */ ({ type: "string" });
    const flag = /** @type {const} */ ({ type: "boolean" });
    const options = { help: { ...flag, short: "h" }, port: text, reseed: flag, "persist-to": text };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error}; npm start -- --help lists the options`);
  }
}
