//! Builds the programs and modules that the suites measure, with the settings of the deployed module.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { step } from "../build/process.mjs";
import { ROOT, TOOL_ENV } from "../build/tools.mjs";
import { compiler } from "../cli/module.ts";
import { compile } from "../shared/catalog/compile.ts";
import { isQuick } from "../shared/wasm/instance.ts";

const DEPLOYED = "wasm-release";
/**
 * The tests of the suites measure nothing, so they build fast. `cargo test` has built most of the programs with this
 * profile, for all packages of the workspace: one package alone has other features.
 */
const IS_FAST = process.env["BUILT_FAST"] !== undefined;
const FOLDER = join(ROOT, "target/bench");

/** Path of the built module that serves. */
export const MODULE = join(ROOT, "crates/bidder-wasm/pkg/bidder_wasm_bg.wasm");

/** Compiles a catalog document as a push does. */
export function snapshotOf(document: object): Uint8Array<ArrayBuffer> {
  return compile(new TextEncoder().encode(JSON.stringify(document)), compiler).snapshot;
}

/** Builds the module that holds the readers and the bidder with a counting allocator. */
export async function buildModule(): Promise<void> {
  const args = ["xtask", "bench", IS_FAST ? "wasm-quick" : DEPLOYED];
  await step("building the module of the benchmarks", "cargo", args, { cwd: ROOT, env: TOOL_ENV });
}

/** Builds the native program of a package and returns its path. */
export async function buildProgram(name: string): Promise<string> {
  const from = IS_FAST ? ["--profile", "test", "--workspace"] : ["--profile", DEPLOYED, "--package", name];
  const args = ["build", "--locked", ...from, "--bin", name];
  const messages = await step(
    `building ${name} for this machine`,
    "cargo",
    [...args, "--message-format=json-render-diagnostics"],
    { cwd: ROOT, env: TOOL_ENV },
  );
  const executables = messages.split("\n").flatMap((line) => {
    const message = line.startsWith("{") ? JSON.parse(line) : {};
    return typeof message.executable === "string" ? [message.executable as string] : [];
  });
  return executables.at(-1) ?? "";
}

/**
 * A built module, changed to count its instructions in the global `executed`, or to tell what code and data it touches.
 * See `crates/xtask/src`.
 */
export function instrumented(command: "count" | "touch", path = MODULE): WebAssembly.Module {
  if (isQuick(new WebAssembly.Module(readFileSync(path))))
    throw new Error("counts of the quick modules mean nothing; run npm run build first");
  const changed = save(`${command}.wasm`, "");
  execFileSync("cargo", ["xtask", command, path, changed], { cwd: ROOT, env: TOOL_ENV, stdio: "pipe" });
  return new WebAssembly.Module(readFileSync(changed));
}

/** Writes a file for a program and returns its path. */
export function save(name: string, content: string | Uint8Array): string {
  const path = join(FOLDER, name);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, content);
  return path;
}
