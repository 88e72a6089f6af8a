//! Builds the programs and modules that the suites measure, with the settings of the deployed module.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiler } from "../cli/module.ts";
import { step } from "../cli/process.mjs";
import { ROOT, TOOL_ENV } from "../cli/tools.mjs";
import { compile } from "../worker/src/catalog/compile.ts";

const DEPLOYED = "wasm-release";
/**
 * The profiles of programs and of the module. The tests of the suites set `BUILT_FAST`: they measure nothing, and cargo
 * has built most of these for other tests.
 */
const [PROGRAMS, MODULES] = process.env["BUILT_FAST"] ? ["test", "wasm-fast-build"] : [DEPLOYED, DEPLOYED];
const FOLDER = join(ROOT, "target/bench");

/** Path of the built module that serves. */
export const MODULE = join(ROOT, "crates/bidder-wasm/pkg/bidder_wasm_bg.wasm");

/** Compiles a catalog document as a push does. */
export function snapshotOf(document: object): Uint8Array<ArrayBuffer> {
  return compile(new TextEncoder().encode(JSON.stringify(document)), compiler).snapshot;
}

/** Builds the module that holds the readers, the writers, and the bidder with a counting allocator. */
export async function buildModule(): Promise<void> {
  await step("building the module of the benchmarks", "cargo", ["xtask", "bench", MODULES], {
    cwd: ROOT,
    env: TOOL_ENV,
  });
}

/** Builds the native program of a package and returns its path. */
export async function buildProgram(name: string): Promise<string> {
  // All packages of the benchmarks, because one of them alone would be built with other features than with the others.
  const args = ["build", "--locked", "--profile", PROGRAMS, "--package", "bench-*", "--bin", name];
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
