//! `npm start`: from a fresh clone to a bidder that answers on this machine. Installs and builds
//! what is missing, puts the example catalog into the local KV, starts `wrangler dev`, waits until
//! it answers, and says how to get a bid from it.
//!
//! Plain Node 20, no dependencies. Listens on 127.0.0.1 only, needs no account, and never replaces
//! a catalog that somebody pushed, unless asked to with --reseed.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { Failure, runScript, start, step, stop } from "./process.mjs";
import { ROOT, setup, TOOL_ENV, toolNode } from "./setup.mjs";

const HOST = "127.0.0.1";
const DEFAULT_PORT = 8787;
const DEFAULT_STATE = ".wrangler/state";
const WRANGLER = "node_modules/wrangler/bin/wrangler.js";
const EXAMPLE_CATALOG = "fixtures/catalog.json";
/** Another build of them may lay catalogs out in another way. */
const MODULES = ["crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", "crates/compiler-wasm/pkg/compiler_wasm_bg.wasm"];
const EXAMPLE_REQUEST = "fixtures/bid/simple-banner.json";
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 250;
const LOOK_MS = 1_000;
/** The line that wrangler logs of each look; a GET by a person is still logged. */
const LOOK_LINE = / HEAD \/healthz /;

const EXAMPLE_HINT = `  another price, bid within a second or two: change the max_cpm of acme-spring in my-catalog.json, and push it
    cp ${EXAMPLE_CATALOG} my-catalog.json`;
const TOKEN_HINT = `
npm start ignores the OPERATOR_TOKEN of .dev.vars and asks for none; to try it, run npx wrangler dev.
`;

const HELP = `Starts the bidder on this machine.

  npm start                          on http://${HOST}:${DEFAULT_PORT}
  npm start -- --port 8788           on another port
  npm start -- --reseed              put ${EXAMPLE_CATALOG} back, whatever was pushed since
  npm start -- --persist-to DIR      keep the local KV in DIR instead of ${DEFAULT_STATE}
  npm start -- --help                this text
`;

await runScript(async () => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  await assertPortFree(options.port);
  await setup({ judge: false });
  await serve(options, await seed(options));
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
  const port = Number(values.port ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure(`--port takes a number from 1 to 65535, as in: npm start -- --port 8788`);
  }
  const state = values["persist-to"] ?? DEFAULT_STATE;
  if (typeof state !== "string") {
    throw new Failure("--persist-to takes a folder, as in: npm start -- --persist-to /tmp/state");
  }
  return {
    help: values.help === true,
    port,
    reseed: values.reseed === true,
    state: resolve(ROOT, state),
  };
}

/** @param {number} port */
async function assertPortFree(port) {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, HOST, () => server.close(resolve));
  }).catch((error) => {
    const why = error.code === "EADDRINUSE" ? "is in use" : `cannot be used (${error.code})`;
    const other = port === 65_535 ? DEFAULT_PORT : port + 1;
    throw new Failure(`port ${port} ${why}; choose another: npm start -- --port ${other}`);
  });
}

/**
 * Pushes the example catalog into the local KV, if none is there or the one that is there is an
 * older example. The stamp beside the store says which example was put there last, and its version.
 *
 * @typedef {{ version: string | null, problem: string | null, ssps?: string[], served?: { since: string, note?: string } }} Shown
 * @param {Options} options
 * @returns {Promise<Shown | null>} what is there and stays; null: the example
 */
async function seed({ state, reseed }) {
  const stamp = join(state, "edgebid-seed");
  const example = digest([EXAMPLE_CATALOG, ...MODULES]);
  const [seeded, version] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];

  if (!reseed && existsSync(join(state, "v3/kv"))) {
    const current = await show(state);
    if (current.version !== null && current.version !== version) {
      if (current.problem === null) return current;
      await compileAgain(state);
      return show(state);
    }
    if (seeded === example && current.version !== null) return null;
  }
  mkdirSync(state, { recursive: true });
  const force = reseed ? ["--force"] : [];
  const push = ["push", EXAMPLE_CATALOG, "--note", "the example", ...force];
  const pushed = JSON.parse(await catalog("pushing the example catalog", push, state));
  writeFileSync(stamp, `${example} ${pushed.version}`);
  return null;
}

/**
 * @param {string} state
 * @returns {Promise<Shown>}
 */
async function show(state) {
  return JSON.parse(await catalog("looking at the local catalog", ["show"], state));
}

/**
 * Another build of the bidder has compiled what is served, in a layout that this one cannot use.
 *
 * @param {string} state
 */
async function compileAgain(state) {
  const source = join(state, "edgebid-source.json");
  await catalog("fetching its source", ["pull", "--out", source], state);
  await catalog("compiling it for this build", ["push", source, "--note", "compiled again by npm start"], state);
  rmSync(source);
}

/**
 * What `edgebid catalog` prints as JSON.
 *
 * @param {string} name
 * @param {string[]} args
 * @param {string} state
 */
function catalog(name, args, state) {
  // Node 22 reads TypeScript only when told to.
  const node = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
  const where = ["--local", "--persist-to", state, "--json"];
  return step(name, toolNode(), [...node, "cli/edgebid.ts", "catalog", ...args, ...where], {
    cwd: ROOT,
    env: TOOL_ENV,
  });
}

/** @param {string[]} files */
function digest(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

/**
 * @param {Options} options
 * @param {Shown | null} shown
 */
async function serve({ port, state }, shown) {
  const where = ["--ip", HOST, "--port", String(port), "--inspector-port", "0"];
  // Locally a pushed catalog shall show at once; the deployed interval is in wrangler.toml.
  const fresh = ["--var", "CATALOG_REFRESH_SECONDS:1"];
  // It answers this machine alone, so /explain and all of /healthz are open.
  const open = ["--var", "OPERATOR:anybody"];
  const colors = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const wrangler = start(
    toolNode(),
    [WRANGLER, "dev", ...where, ...fresh, ...open, "--persist-to", state],
    // No keyboard: the shortcuts of wrangler would take Ctrl-C away from this process.
    { cwd: ROOT, env: { ...TOOL_ENV, ...colors }, stdio: ["ignore", "pipe", "inherit"] },
  );
  // Whoever reads it, such as `head`, may have had enough of it.
  process.stdout.on("error", () => stop(0));
  if (wrangler.stdout) {
    createInterface(wrangler.stdout).on("line", (line) => {
      if (!LOOK_LINE.test(stripVTControlCharacters(line))) process.stdout.write(`${line}\n`);
    });
  }
  const ended = new Promise((_, reject) => {
    wrangler.on("exit", () => reject(new Failure("wrangler dev has ended, see above")));
  });

  const url = `http://${HOST}:${port}`;
  await Promise.race([ready(url), ended]);
  const persist = state === resolve(ROOT, DEFAULT_STATE) ? "" : ` --persist-to ${state}`;
  process.stdout.write(`
The bidder answers on ${url}.
It serves ${shown === null ? `the example, ${EXAMPLE_CATALOG}` : servedText(shown)}.
In another terminal, from ${relative(process.cwd(), ROOT) || "this folder"}:

${shown === null ? "  a bid" : "  an answer to one of its SSPs"}
    curl -sS -H 'content-type: application/json' --data @${EXAMPLE_REQUEST} ${url}/bid/${shown?.ssps?.[0] ?? "demo"}
${shown === null ? EXAMPLE_HINT : "  another catalog, served within a second or two"}
    npx edgebid catalog push my-catalog.json --local${persist}
${hasToken() ? TOKEN_HINT : ""}
Ctrl-C stops it.
`);
  await Promise.race([look(url), ended]);
}

/** Whether `.dev.vars` sets an operator's token. */
function hasToken() {
  const file = join(ROOT, ".dev.vars");
  return existsSync(file) && /^\s*(export\s+)?OPERATOR_TOKEN\s*=/m.test(readFileSync(file, "utf8"));
}

/** @param {Shown} shown */
function servedText({ version, served }) {
  const since = served ? `, pushed ${served.since.slice(0, 19).replace("T", " ")} UTC` : "";
  const note = served?.note ? ` ("${served.note}")` : "";
  return `${version}${since}${note}; start it with --reseed to put the example back`;
}

/**
 * Lets the bidder look at KV as one that gets requests does: what was pushed is there for the very next request.
 *
 * @param {string} url
 */
async function look(url) {
  for (;;) {
    await sleep(LOOK_MS);
    await probe(`${url}/healthz`, "HEAD");
  }
}

/** @param {string} url */
async function ready(url) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const problem = await probe(`${url}/healthz`, "GET");
    if (!problem) return;
    if (Date.now() > deadline) throw new Failure(`${url}/healthz: ${problem}`);
    await sleep(POLL_MS);
  }
}

/**
 * Why the Worker is not ready; empty when it is.
 *
 * @param {string} url
 * @param {"GET" | "HEAD"} method
 */
async function probe(url, method) {
  try {
    const response = await fetch(url, { method, signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    return response.ok ? "" : `${response.status} ${text}`;
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  }
}
