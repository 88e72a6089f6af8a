//! `npm start`: starts a bidder on this machine, even from a fresh clone. Installs and builds what is missing, pushes
//! the example catalog to the local KV, starts `wrangler dev`, and shows how to get a bid.
//!
//! Plain Node 20 without dependencies. Listens on 127.0.0.1 only and needs no account. Replaces a pushed catalog only
//! with --reseed.

import { createHash, randomBytes } from "node:crypto";
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
/** The modules count as a part of the example, because another build of them may use another layout of snapshots. */
const MODULES = ["crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", "crates/compiler-wasm/pkg/compiler_wasm_bg.wasm"];
const EXAMPLE_REQUEST = "fixtures/bid/simple-banner.json";
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 250;
const CATALOG_POLL_MS = 1_000;
/** The line that wrangler logs for each poll, which is not shown. A person's GET is still shown. */
const POLL_LINE = / HEAD \/healthz /;

const EXAMPLE_HINT = `  another price, served within a second or two: change the max_cpm of acme-spring in my-catalog.json, and push it
    cp ${EXAMPLE_CATALOG} my-catalog.json`;
const TOKEN_HINT = `
npm start does not use the OPERATOR_TOKEN of .dev.vars: every caller is the operator. To try the token, run npx wrangler dev.
`;

const HELP = `Starts the bidder on this machine.

  npm start                          on http://${HOST}:${DEFAULT_PORT}
  npm start -- --port 8788           on another port
  npm start -- --reseed              push ${EXAMPLE_CATALOG} again, in place of any other catalog
  npm start -- --persist-to DIR      keep the local KV in DIR instead of ${DEFAULT_STATE}
  npm start -- --help                print this help
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
    throw new Failure(`--port needs a number from 1 to 65535, as in: npm start -- --port 8788`);
  }
  const state = values["persist-to"] ?? DEFAULT_STATE;
  if (typeof state !== "string") {
    throw new Failure("--persist-to needs a folder, as in: npm start -- --persist-to /tmp/state");
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
 * Pushes the example catalog to the local KV if there is no catalog, or only an older example. The stamp file in the
 * state folder holds the hash of the last example that was pushed, and its version.
 *
 * @typedef {{ version: string | null, problem: string | null, ssps?: string[], served?: { since: string, note?: string } }} Shown
 * @param {Options} options
 * @returns {Promise<Shown | null>} the pushed catalog that stays; null if the example is served
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
  return JSON.parse(await catalog("reading the local catalog", ["show"], state));
}

/**
 * Compiles the catalog again, because another build has compiled it with a layout that this build cannot use.
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
 * Runs `edgebid catalog` and returns its JSON.
 *
 * @param {string} name
 * @param {string[]} args
 * @param {string} state
 */
function catalog(name, args, state) {
  // Node 22 needs an option to run TypeScript.
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
  // A local bidder should serve a pushed catalog at once. The interval for deployments is in wrangler.toml.
  const fresh = ["--var", "CATALOG_REFRESH_SECONDS:1"];
  // Only this machine can reach the bidder, so /explain, /report and all of /healthz are open.
  const open = ["--var", "OPERATOR:anybody", "--var", `NOTICE_KEYS:${noticeKey(state)}`];
  const colors = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const wrangler = start(
    toolNode(),
    [WRANGLER, "dev", ...where, ...fresh, ...open, "--persist-to", state],
    // Wrangler gets no keyboard, because its shortcuts would take Ctrl-C away from this process.
    { cwd: ROOT, env: { ...TOOL_ENV, ...colors }, stdio: ["ignore", "pipe", "inherit"] },
  );
  // A reader of the output, such as `head`, may close it early. Then the bidder stops.
  process.stdout.on("error", () => stop(0));
  if (wrangler.stdout) {
    createInterface(wrangler.stdout).on("line", (line) => {
      if (!POLL_LINE.test(stripVTControlCharacters(line))) process.stdout.write(`${line}\n`);
    });
  }
  const ended = new Promise((_, reject) => {
    wrangler.on("exit", () => reject(new Failure("wrangler dev has ended; see its output above")));
  });

  const url = `http://${HOST}:${port}`;
  await Promise.race([ready(url), ended]);
  const persist = state === resolve(ROOT, DEFAULT_STATE) ? "" : ` --persist-to ${state}`;
  process.stdout.write(`
The bidder answers on ${url}. Open that address in a browser to see why it bids, or not.
It serves ${shown === null ? `the example, ${EXAMPLE_CATALOG}` : servedText(shown)}.
In another terminal, from ${relative(process.cwd(), ROOT) || "this folder"}:

${shown === null ? "  a bid" : "  an answer to one of its SSPs"}
    curl -sS -H 'content-type: application/json' --data @${EXAMPLE_REQUEST} ${url}/bid/${shown?.ssps?.[0] ?? "demo"} | tee bid.json

  its win and its bill at a price of 1.50, as the exchange sends them, and the report with the spend
    ${notice("nurl")}
    ${notice("burl")}
    npx edgebid report --url ${url}

  generated traffic, and what becomes of it at ${url}/inspect#live
    npx edgebid demo --url ${url} --ssp ${shown?.ssps?.[0] ?? "demo"}

${shown === null ? EXAMPLE_HINT : "  another catalog, served within a second or two"}
    npx edgebid catalog push my-catalog.json --local${persist}
${hasToken() ? TOKEN_HINT : ""}
Ctrl-C stops it.
`);
  await Promise.race([poll(url), ended]);
}

/**
 * The command that calls a notice of `bid.json`.
 *
 * @param {"nurl" | "burl"} key
 */
function notice(key) {
  return `sed 's/.*"${key}":"\\([^"]*\\)".*/\\1/; s/\${AUCTION_PRICE}/1.50/' bid.json | xargs curl -g -sS`;
}

/**
 * The key that signs the notice URLs of this state folder. It stays the same, so that notices of earlier bids count.
 *
 * @param {string} state
 */
function noticeKey(state) {
  const file = join(state, "edgebid-notice-key");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
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
 * Polls the bidder, so that it refreshes its catalog even without requests. The first request after a push then gets
 * the pushed catalog.
 *
 * @param {string} url
 */
async function poll(url) {
  for (;;) {
    await sleep(CATALOG_POLL_MS);
    await probe(`${url}/healthz`, "HEAD");
  }
}

/**
 * Waits until the bidder has a catalog.
 *
 * @param {string} url
 */
async function ready(url) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const problem = await probe(`${url}/healthz`, "GET");
    if (!problem) return;
    if (Date.now() > deadline) throw new Failure(`${url}/healthz: ${problem}`);
    await sleep(READY_POLL_MS);
  }
}

/**
 * Why the bidder is not ready; empty if it is.
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
