//! Pushes a bidder's own catalog to the local KV before `wrangler dev` starts, unless another catalog was pushed there.
//!
//! Plain Node 20 without dependencies, because `npm start` of a clone runs it.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { step } from "./process.mjs";
import { ROOT, TOOL_ENV, toolNode } from "./tools.mjs";

/** The modules count as a part of a catalog, because another build of them may use another layout of snapshots. */
const MODULES = ["crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", "crates/compiler-wasm/pkg/compiler_wasm_bg.wasm"];

/**
 * A bidder on this machine.
 *
 * @typedef {{
 *   folder: string,
 *   state: string,
 *   catalog: string,
 *   request: string,
 *   isExample: boolean,
 *   program: string[],
 * }} LocalBidder
 *
 * `folder` has its wrangler.toml, `state` its local KV. `catalog` and `request` are paths from `folder`. `program` is
 * the `edgebid` command, as arguments of Node.
 *
 * @typedef {{
 *   version: string | null,
 *   problem: string | null,
 *   ssps?: string[],
 *   served?: { since: string, note?: string },
 *   isOwn: boolean,
 * }} Served
 */

/**
 * Pushes the bidder's catalog if there is none, or only an older one that was pushed here. The stamp file in the state
 * folder holds the hash of the last catalog that was pushed here, and its version.
 *
 * @param {LocalBidder} bidder
 * @param {boolean} reseed push it in place of any other catalog
 * @returns {Promise<Served>}
 */
export async function seed(bidder, reseed) {
  const { state } = bidder;
  const stamp = join(state, "edgebid-seed");
  const own = digest([...filesOf(join(bidder.folder, bidder.catalog)), ...MODULES.map((file) => join(ROOT, file))]);
  const [seeded, version] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];

  if (!reseed && existsSync(join(state, "v3/kv"))) {
    const current = await show(bidder);
    if (current.version !== null && current.version !== version) {
      if (current.problem === null) return { ...current, isOwn: false };
      await compileAgain(bidder);
      return { ...(await show(bidder)), isOwn: false };
    }
    if (seeded === own && current.version !== null) return { ...current, isOwn: true };
  }
  mkdirSync(state, { recursive: true });
  const what = bidder.isExample ? "the example" : bidder.catalog;
  const push = ["push", bidder.catalog, "--note", what, ...(reseed ? ["--force"] : [])];
  const pushed = await catalog(bidder, `pushing ${bidder.isExample ? "the example catalog" : what}`, push);
  const result = JSON.parse(pushed);
  writeFileSync(stamp, `${own} ${result.version}`);
  return { version: result.version, problem: null, ssps: result.ssps, isOwn: true };
}

/**
 * @param {LocalBidder} bidder
 * @returns {Promise<Omit<Served, "isOwn">>}
 */
async function show(bidder) {
  return JSON.parse(await catalog(bidder, "reading the local catalog", ["show"]));
}

/**
 * Compiles the catalog again, because another build has compiled it with a layout that this build cannot use.
 *
 * @param {LocalBidder} bidder
 */
async function compileAgain(bidder) {
  const source = join(bidder.state, "edgebid-source.json");
  await catalog(bidder, "fetching its source", ["pull", "--out", source]);
  await catalog(bidder, "compiling it for this build", ["push", source, "--note", "compiled again by npm start"]);
  rmSync(source);
}

/**
 * Runs `edgebid catalog` and returns its JSON.
 *
 * @param {LocalBidder} bidder
 * @param {string} name
 * @param {string[]} args
 */
function catalog({ folder, state, program }, name, args) {
  const where = ["--local", "--persist-to", state, "--json"];
  return step(name, toolNode(), [...program, "catalog", ...args, ...where], { cwd: folder, env: TOOL_ENV });
}

/**
 * A file, or the files of a folder.
 *
 * @param {string} path
 */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name));
}

/** @param {string[]} files */
function digest(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}
