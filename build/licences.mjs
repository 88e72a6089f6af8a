//! The licences of the libraries in the package: the crates that are compiled into the WebAssembly modules, and the
//! libraries that npm installs with the package. Checks the licences, and writes the notices for the package.
//!
//! Needs no network: the crates' sources are in cargo's folder since the modules were built from them.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Failure } from "./failure.mjs";
import { ROOT } from "./tools.mjs";

/** The licences that code of other authors may have here: the list of `deny.toml`. */
export const ALLOWED = licencesIn(readFileSync(join(ROOT, "deny.toml"), "utf8"));

/** The modules of the package. Their crates are listed once for all of them. */
const MODULES = ["bidder-wasm", "compiler-wasm", "pacer-wasm"];
const TARGET = "wasm32-unknown-unknown";
/** The standard library is compiled into the modules too. Its notices come with the toolchain, as a page. */
export const RUST_NOTICES = "THIRD-PARTY-NOTICES.rust.html";
const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicen[cs]e)/i;

/**
 * A crate or npm package of another author.
 *
 * @typedef {{ name: string, version: string, licence: string, folder: string }} Library
 */

/**
 * Whether an SPDX expression can be met with allowed licences only. `/` means `OR`, as in old crates.
 *
 * @param {string} expression
 */
export function isAllowed(expression) {
  // An exception (WITH) only permits more.
  /** @param {string} licence */
  const isIn = (licence) => ALLOWED.includes(licence.trim().replace(/ WITH \S+$/, ""));
  /** @param {string} text */
  const isMet = (text) => text.split(" OR ").some((part) => part.split(" AND ").every(isIn));
  const bracket = /\(([^()]*)\)/;
  let text = expression.replaceAll("/", " OR ");
  while (bracket.test(text)) text = text.replace(bracket, (_, inside) => (isMet(inside) ? (ALLOWED[0] ?? "") : "none"));
  return isMet(text);
}

/** @param {string} deny */
function licencesIn(deny) {
  const [, list = ""] = /^\[licenses\]$[^[]*?^allow = \[([^\]]*)\]$/ms.exec(deny) ?? [];
  return [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
}

/**
 * The crates of other authors that are compiled into the modules. Macros that only write code during the build are not
 * included.
 *
 * @returns {Library[]}
 */
export function crates() {
  const packages = MODULES.flatMap((name) => ["--package", name]);
  const options = ["--target", TARGET, "--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe"];
  const format = ["--format", "{p}\t{l}", "--locked", "--offline"];
  const listed = execFileSync("cargo", ["tree", ...packages, ...options, ...format], { cwd: ROOT, encoding: "utf8" });
  const lines = [...new Set(listed.split("\n").filter((line) => line !== ""))].sort();
  return lines.flatMap((line) => {
    // Our own crates have a path after their version.
    const [, name = "", version = "", licence = ""] = /^(\S+) v(\S+)\t(.*)$/.exec(line) ?? [];
    return name ? [{ name, version, licence, folder: sourceOf(name, version) }] : [];
  });
}

/**
 * The libraries that npm installs with the package: these, and what they need themselves.
 *
 * @param {string[]} names
 * @returns {Library[]}
 */
export function npmLibraries(names) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  /** @type {Map<string, Library>} */
  const found = new Map();
  const waiting = [...names];
  for (const name of waiting) {
    const path = `node_modules/${name}`;
    const { version, license = "", dependencies = {} } = packages[path] ?? {};
    if (found.has(name)) continue;
    found.set(name, { name, version, licence: license, folder: join(ROOT, path) });
    waiting.push(...Object.keys(dependencies));
  }
  return [...found.values()];
}

/**
 * The notices of the crates: a list, and below it each text of a licence once with the crates that have it.
 *
 * @param {Library[]} libraries
 */
export function notices(libraries) {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const { name, version, folder } of libraries) {
    const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    if (files.length === 0) throw new Failure(`${name} ${version} has no file with its licence`);
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
      texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
    }
  }
  const list = libraries.map(({ name, version, licence }) => `  ${name} ${version}: ${licence}`);
  const parts = [...texts].map(([text, names]) => `${"-".repeat(80)}\n${names.join(", ")}\n\n${text}\n`);
  return `The WebAssembly modules of edgebid contain these libraries of others:

${list.join("\n")}

They also contain the standard library of Rust: ${RUST_NOTICES} has its notices.
The texts of the licences follow, each with the libraries that it is of.

${parts.join("\n")}`;
}

/** The page with the notices of Rust's standard library. Throws {@link Failure} if the toolchain has none. */
export function rustNotices() {
  const root = execFileSync("rustc", ["--print", "sysroot"], { cwd: ROOT, encoding: "utf8" }).trim();
  const file = join(root, "share/doc/rust/COPYRIGHT-library.html");
  if (!existsSync(file)) throw new Failure(`the toolchain has no ${file}; install it again with rustup`);
  return file;
}

/**
 * The folder with the source of a crate.
 *
 * @param {string} name
 * @param {string} version
 */
function sourceOf(name, version) {
  const registries = join(process.env["CARGO_HOME"] ?? join(homedir(), ".cargo"), "registry/src");
  const all = existsSync(registries) ? readdirSync(registries) : [];
  const folder = all.map((one) => join(registries, one, `${name}-${version}`)).find((path) => existsSync(path));
  if (folder === undefined) throw new Failure(`the source of ${name} ${version} is not in ${registries}; build first`);
  return folder;
}
