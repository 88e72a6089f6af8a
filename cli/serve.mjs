//! Runs `wrangler dev` for a bidder on this machine, shows how to get a bid, and keeps its catalog fresh.
//!
//! Plain Node 20 without dependencies, because `npm start` of a clone runs it. Listens on 127.0.0.1 only and needs no
//! account.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { causeOf } from "../build/failure.mjs";
import { EXIT, Failure, start, stop } from "../build/process.mjs";
import { DEFAULT_STATE, TOOL_ENV, toolNode, wranglerProgram } from "../build/tools.mjs";
import { requestLog } from "./requests.mjs";

/** A request that the inspector opens on goes to wrangler as an argument, of which Linux takes 128 KiB. */
const MAX_ARGUMENT_BYTES = 100_000;

/**
 * A bidder on this machine. `folder` has its wrangler.toml, `state` its local KV. `catalog` and `request` are paths
 * from `folder`.
 *
 * @typedef {{ folder: string, state: string, catalog: string, request: string, isExample: boolean }} LocalBidder
 *
 * The version that the bidder serves, and whether it is the bidder's own catalog.
 *
 * @typedef {{
 *   version: string | null,
 *   problem: string | null,
 *   ssps?: string[],
 *   served?: { since: string, note?: string | undefined } | undefined,
 *   isOwn: boolean,
 * }} Served
 */

export const HOST = "127.0.0.1";
export const DEFAULT_PORT = 8787;
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 250;
const CATALOG_POLL_MS = 1_000;

/** Secrets that `npm start` sets itself, and what it sets. */
const OWN_SECRETS = {
  OPERATOR_TOKEN: "every caller of localhost is the operator",
  NOTICE_KEYS: "it has a key of its own",
};

/**
 * The value of `--port`.
 *
 * @param {unknown} text
 */
export function portOf(text) {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Failure(`--port needs a number from 1 to 65535, as in: npm start -- --port 8788`);
}

/** @param {number} port */
export async function assertPortFree(port) {
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
 * Serves until wrangler ends.
 *
 * @param {LocalBidder} bidder
 * @param {Served} served
 * @param {number} port
 */
export async function serve(bidder, served, port) {
  const { folder, state, isExample } = bidder;
  const where = ["--ip", HOST, "--port", String(port), "--inspector-port", "0"];
  // A local bidder should serve a pushed catalog at once. The interval for deployments is in wrangler.toml.
  const fresh = ["--var", "CATALOG_REFRESH_SECONDS:1"];
  // Only this machine can reach the bidder, so /explain, /report and all of /healthz are open to callers that use its
  // name.
  const open = ["--var", "OPERATOR:local", "--var", `NOTICE_KEYS:${noticeKey(state)}`];
  // Commands that the bidder and its page print lead to this KV.
  const kv = ["--var", `LOCAL_KV:${kvOptions(bidder)}`];
  // The inspector has the requests of the example already.
  const request = join(folder, bidder.request);
  const isShown = !isExample && existsSync(request) && statSync(request).size <= MAX_ARGUMENT_BYTES;
  const own = !isShown ? [] : ["--var", `REQUEST:${readFileSync(request, "utf8")}`];
  const colors = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const wrangler = start(
    toolNode(),
    [wranglerProgram(), "dev", ...where, ...fresh, ...open, ...kv, ...own, "--persist-to", state],
    // Wrangler gets no keyboard, because its shortcuts would take Ctrl-C away from this process.
    { cwd: folder, env: { ...TOOL_ENV, ...colors }, stdio: ["ignore", "pipe", "inherit"] },
  );
  // A reader of the output, such as `head`, may close it early. Then the bidder stops.
  process.stdout.on("error", () => stop(0));
  if (wrangler.stdout) {
    // As bytes: in a text, the colours of wrangler would be shown as escapes.
    const log = requestLog((line) => process.stdout.write(Buffer.from(`${line}\n`)));
    createInterface(wrangler.stdout).on("line", log);
  }
  const ended = new Promise((_, reject) => {
    wrangler.on("exit", () => reject(new Failure("wrangler dev has ended; see its output above", EXIT.unreachable)));
  });

  const url = `http://${HOST}:${port}`;
  await Promise.race([ready(url), ended]);
  process.stdout.write(welcome(bidder, served, url));
  await Promise.race([poll(url), ended]);
}

/**
 * The welcome text: what a person can do now.
 *
 * @param {LocalBidder} bidder
 * @param {Served} served
 * @param {string} url
 */
function welcome(bidder, served, url) {
  const { folder, catalog, request } = bidder;
  const ssp = served.ssps?.[0] ?? "demo";
  const own = bidder.isExample ? `the example, ${catalog}` : catalog;
  return `
The bidder answers on ${url}. Open that address in a browser to see why it bids, or not.
It serves ${served.isOwn ? own : otherText(bidder, served)}.
In another terminal, from ${relative(process.cwd(), folder) || "this folder"}:

${served.isOwn ? "  a bid" : "  an answer to one of its SSPs"}
    curl -sS -H 'content-type: application/json' --data @${request} ${url}/bid/${ssp} | tee bid.json

  its win and its bill at a price of 1.50, as the exchange sends them, and the report with the spend
    ${notice("nurl")}
    ${notice("burl")}
    npx edgebid report --url ${url}

  generated traffic, and what becomes of it at ${url}/inspect#live
    npx edgebid demo --url ${url} --ssp ${ssp}

${pushHint(bidder, served.isOwn)}
${unusedText(folder)}
Ctrl-C stops it.
`;
}

/**
 * The options that lead commands to the bidder's KV.
 *
 * @param {LocalBidder} bidder
 */
function kvOptions({ folder, state }) {
  if (state === join(folder, DEFAULT_STATE)) return "--local";
  return `--local --persist-to ${/^[\w.:@%+,/-]+$/.test(state) ? state : `'${state.replaceAll("'", `'\\''`)}'`}`;
}

/**
 * @param {LocalBidder} bidder
 * @param {boolean} isOwn
 */
function pushHint(bidder, isOwn) {
  const { isExample, catalog } = bidder;
  const price = "  another price, served within a second or two: change";
  const hint = !isOwn
    ? "  another catalog, served within a second or two"
    : isExample
      ? `${price} the max_cpm of acme-spring in my-catalog.json, and push it\n    cp ${catalog} my-catalog.json`
      : `${price} a max_cpm in ${catalog}, and push it`;
  return `${hint}\n    npx edgebid catalog push ${isExample ? "my-catalog.json" : catalog} ${kvOptions(bidder)}`;
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

/**
 * A line for each secret of `.dev.vars` that `npm start` does not use.
 *
 * @param {string} folder
 */
export function unusedText(folder) {
  const file = join(folder, ".dev.vars");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const unused = Object.entries(OWN_SECRETS).filter(([name]) =>
    new RegExp(`^\\s*(export\\s+)?${name}\\s*=`, "m").test(text),
  );
  const lines = unused.map(
    ([name, own]) => `npm start does not use the ${name} of .dev.vars: ${own}. npx wrangler dev uses it.\n`,
  );
  return lines.length > 0 ? `\n${lines.join("")}` : "";
}

/**
 * @param {LocalBidder} bidder
 * @param {Served} other
 */
function otherText({ isExample, catalog }, { version, served }) {
  const since = served ? `, pushed ${served.since.slice(0, 19).replace("T", " ")} UTC` : "";
  const note = served?.note ? ` ("${served.note}")` : "";
  return `${version}${since}${note}; start it with --reseed to put ${isExample ? "the example" : catalog} back`;
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
    if (Date.now() > deadline) throw new Failure(`${url}/healthz: ${problem}`, EXIT.unreachable);
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
    return String(causeOf(error));
  }
}
