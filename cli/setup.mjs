//! Installs what a fresh clone is missing, and builds what is out of date: the Rust toolchain of rust-toolchain.toml,
//! the packages of package-lock.json, the WebAssembly modules and the inspector's page. If nothing is missing, it takes
//! about a second.
//!
//!     node cli/setup.mjs            sets up what `npm start` needs
//!     node cli/setup.mjs --judge    also builds the judge, which the tests need
//!
//! Plain Node 20 without dependencies, because it runs before node_modules exists. It does not install rustup or Node.
//! Outside this folder it changes only the toolchains of rustup.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Failure, runScript, step } from "./process.mjs";

const SELF = fileURLToPath(import.meta.url);

export const ROOT = dirname(dirname(SELF));

/** The version that wrangler and vitest need. These scripts themselves need only version 20. */
const NODE_FOR_TOOLS = [22, 12];
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

/** @param {{ judge: boolean }} options */
export async function setup({ judge }) {
  await ensureToolchain();
  await ensurePackages();
  toolNode();
  await step("building the bidder", "cargo", ["xtask", "wasm"], { cwd: ROOT });
  await step("building the inspector", toolNode(), ["cli/inspector.mjs"], { cwd: ROOT });
  if (judge) await step("building the judge", "cargo", ["xtask", "judge"], { cwd: ROOT });
}

/**
 * The Node that runs wrangler and vitest: this one if it is new enough, otherwise the one that npm has installed here.
 */
export function toolNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = NODE_FOR_TOOLS;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) {
    return process.execPath;
  }
  const installed = join(BIN, "node");
  if (existsSync(installed)) return installed;
  throw new Failure(
    `this platform needs Node ${NODE_FOR_TOOLS.join(".")} or newer (this is ${process.versions.node}): install it from https://nodejs.org`,
  );
}

async function ensureToolchain() {
  if (spawnSync("rustup", ["--version"]).error) {
    throw new Failure("rustup is missing: install it from https://rustup.rs, then open a new terminal");
  }
  const wanted = wantedToolchain();
  const listed = spawnSync("rustup", ["component", "list", "--installed", "--toolchain", wanted.channel], {
    encoding: "utf8",
    env: { ...process.env, RUSTUP_AUTO_INSTALL: "0" },
  });
  const installed = listed.status === 0 ? listed.stdout.split("\n") : [];
  const needed = ["cargo", ...wanted.components, ...wanted.targets.map((target) => `rust-std-${target}`)];
  if (needed.every((name) => installed.some((component) => component.startsWith(name)))) return;

  // Cargo does not install the toolchain if rustup's automatic installation is off.
  await step(`installing Rust ${wanted.channel}`, "rustup", [
    "toolchain",
    "install",
    wanted.channel,
    "--no-self-update",
    "--profile",
    wanted.profile,
    ...wanted.components.flatMap((name) => ["--component", name]),
    ...wanted.targets.flatMap((name) => ["--target", name]),
  ]);
}

function wantedToolchain() {
  const text = readFileSync(join(ROOT, "rust-toolchain.toml"), "utf8");
  /** @param {string} key */
  const value = (key) => text.match(new RegExp(`^${key} = (.*)$`, "m"))?.[1] ?? "";
  /** @param {string} key */
  const strings = (key) => [...value(key).matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
  const [channel] = strings("channel");
  const [profile] = strings("profile");
  if (!channel || !profile) throw new Failure("rust-toolchain.toml names no channel or profile");
  return { channel, profile, components: strings("components"), targets: strings("targets") };
}

/** The stamp holds the hash of the lock file that was installed, so that a changed lock file is installed again. */
async function ensurePackages() {
  const lock = readFileSync(join(ROOT, "package-lock.json"));
  const wanted = createHash("sha256").update(lock).digest("hex");
  const stamp = join(ROOT, "node_modules/.edgebid-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;

  // The tools are development dependencies, and their Node is an optional one. A person's npm settings may leave out
  // both.
  const args = ["ci", "--include=dev", "--include=optional", "--loglevel=error"];
  await step("installing packages", "npm", args, { cwd: ROOT });
  writeFileSync(stamp, wanted);
}

if (process.argv[1] === SELF) {
  await runScript(async () => {
    const args = process.argv.slice(2);
    const unknown = args.find((arg) => arg !== "--judge");
    if (unknown) throw new Failure(`unknown option ${unknown}; the only one is --judge`);
    await setup({ judge: args.includes("--judge") });
  });
}
