//! Installs what a fresh clone is missing, and builds what is out of date: the Rust toolchain of rust-toolchain.toml,
//! the packages of package-lock.json, the WebAssembly modules and the inspector's page. If nothing is missing, it takes
//! about a second.
//!
//!     node build/setup.mjs            builds the modules as they are deployed and measured
//!     node build/setup.mjs --quick    builds them in less time: the same decisions, larger and slower
//!     node build/setup.mjs --judge    also builds the judge, which the tests need
//!
//! Plain Node 20 without dependencies, because it runs before node_modules exists. It does not install rustup or Node.
//! Outside this folder it changes only the toolchains of rustup.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Failure, runScript, step } from "./process.mjs";
import { ROOT, toolNode } from "./tools.mjs";

const SELF = fileURLToPath(import.meta.url);
const OPTIONS = ["--judge", "--quick"];

/** @param {{ judge: boolean, quick: boolean }} options */
export async function setup({ judge, quick }) {
  await ensureToolchain();
  const packages = ensurePackages();
  // The modules that are deployed need a package, `wasm-opt`. Quick ones are compiled while npm downloads.
  if (!quick) await packages;
  await Promise.all([packages.then(buildPage), buildModules(judge, quick)]);
}

/**
 * @param {boolean} judge
 * @param {boolean} quick
 */
async function buildModules(judge, quick) {
  const [how, ...options] = quick ? ["quickly, not for deployment", "quick"] : ["for deployment"];
  await step(`building the bidder ${how}`, "cargo", ["xtask", "wasm", ...options], { cwd: ROOT });
  if (judge) await step("building the judge", "cargo", ["xtask", "judge"], { cwd: ROOT });
}

async function buildPage() {
  await step("building the inspector", toolNode(), ["build/inspector.mjs"], { cwd: ROOT });
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
  const options = `toolchain install ${wanted.channel} --no-self-update --profile ${wanted.profile}`.split(" ");
  const parts = [
    ...wanted.components.flatMap((name) => ["--component", name]),
    ...wanted.targets.flatMap((name) => ["--target", name]),
  ];
  await step(`installing Rust ${wanted.channel}`, "rustup", [...options, ...parts]);
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
    const unknown = args.find((arg) => !OPTIONS.includes(arg));
    if (unknown) throw new Failure(`unknown option ${unknown}; the options are ${OPTIONS.join(" and ")}`);
    await setup({ judge: args.includes("--judge"), quick: args.includes("--quick") });
  });
}
