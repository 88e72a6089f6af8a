//! Finds the files of edgebid, the person's bidder, and the installed tools: wrangler and its Node.
//!
//! Plain Node 20 without dependencies, because `npm start` of a clone uses it before node_modules exists.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Failure } from "./failure.mjs";

/** The folder of edgebid itself: a clone, or the package in a node_modules. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The package.json of edgebid itself. */
export function ownPackage() {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
}

/** The catalog that the clone serves, and a request on which it bids. */
export const EXAMPLE = { catalog: "fixtures/catalog.json", request: "fixtures/bid/simple-banner.json" };

/** The folder of the local KV, from the folder with wrangler.toml. */
export const DEFAULT_STATE = ".wrangler/state";

/**
 * The path of a page of the documents, such as `ssp.md#credentials`, from the working folder. The clone and the package
 * both have the documents.
 *
 * @param {string} name
 */
export function page(name) {
  return relative(process.cwd(), join(ROOT, "docs", name));
}

/** The names that wrangler accepts for its configuration. */
const CONFIGURATIONS = ["wrangler.toml", "wrangler.jsonc", "wrangler.json"];

/** The version that the commands, wrangler and vitest need. The scripts of a clone themselves need only version 20. */
export const NODE_FOR_TOOLS = [22, 12];
const BIN = join(ROOT, "node_modules/.bin");

/**
 * The environment of programs that are started from here. The project's own tools come first on the PATH, and wrangler
 * makes no requests of its own: no usage reports, no check for updates, no download of a sample `cf` object.
 */
export const TOOL_ENV = {
  ...process.env,
  PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}`,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/**
 * The configuration of the bidder that commands work on: the nearest one in or above the working folder, otherwise that
 * of the clone. Throws {@link Failure} if there is none.
 */
export function configuration() {
  const found = nearestConfiguration() ?? configurationIn(ROOT);
  if (found) return found;
  throw new Failure(
    "there is no wrangler.toml in this folder or above it; npx edgebid init my-bidder writes a folder with one",
  );
}

/** The nearest configuration in or above the working folder. */
export function nearestConfiguration() {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const found = configurationIn(folder);
    if (found || folder === dirname(folder)) return found;
  }
}

/** @param {string} folder */
function configurationIn(folder) {
  return CONFIGURATIONS.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** The program of wrangler that is installed for the bidder. Throws {@link Failure} if there is none. */
export function wranglerProgram() {
  return join(dirname(resolved("wrangler/package.json")), "bin/wrangler.js");
}

/**
 * Loads wrangler as a library. Throws {@link Failure} if it is not installed. It is CommonJS: `import` would search its
 * megabytes for the format first.
 *
 * @returns {typeof import("wrangler")}
 */
export function loadWrangler() {
  const file = resolved("wrangler");
  return createRequire(file)(file);
}

/**
 * Loads the Miniflare that `wrangler dev` of the bidder runs on. Throws {@link Failure} if wrangler is not installed.
 *
 * @returns {typeof import("miniflare")}
 */
export function loadMiniflare() {
  return createRequire(resolved("wrangler"))("miniflare");
}

/**
 * The file of a module that is installed for the bidder, or with edgebid.
 *
 * @param {string} name
 */
function resolved(name) {
  for (const file of [configuration(), fileURLToPath(import.meta.url)]) {
    try {
      return createRequire(file).resolve(name);
    } catch {
      // The module may be in the other folder.
    }
  }
  throw new Failure("wrangler is not installed here; npm install installs what package.json names");
}

/**
 * The Node that runs wrangler and vitest: this one if it is new enough, otherwise the one that npm has installed here.
 */
export function toolNode() {
  if (isNewEnough()) return process.execPath;
  const installed = join(BIN, "node");
  if (existsSync(installed)) return installed;
  throw tooOld();
}

export function tooOld() {
  const wanted = NODE_FOR_TOOLS.join(".");
  return new Failure(
    `this needs Node ${wanted} or newer (this is ${process.versions.node}): https://nodejs.org has it`,
  );
}

/** Whether this Node can run wrangler. */
export function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = NODE_FOR_TOOLS;
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
