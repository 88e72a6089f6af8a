//! Builds the programs and modules that the suites measure, with the settings of the deployed module.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { step } from "../cli/process.mjs";
import { ROOT, TOOL_ENV } from "../cli/tools.mjs";

const PROFILE = "wasm-release";

/**
 * Builds the Wasm module of the readers or of the writers. The readers' module also holds the bidder with a counting
 * allocator.
 */
export async function buildModule(name: "readers" | "writers"): Promise<void> {
  await step(`building the ${name} for workerd`, "cargo", ["xtask", name], { cwd: ROOT, env: TOOL_ENV });
}

/** Builds the native program `name` of a package and returns its path. */
export async function buildProgram(packageName: string, name: string): Promise<string> {
  const messages = await step(
    `building ${packageName} for this machine`,
    "cargo",
    [
      "build",
      "--locked",
      "--profile",
      PROFILE,
      "--package",
      packageName,
      "--bin",
      name,
      "--message-format=json-render-diagnostics",
    ],
    { cwd: ROOT, env: TOOL_ENV },
  );
  const executables = messages.split("\n").flatMap((line) => {
    const message = line.startsWith("{") ? JSON.parse(line) : {};
    return typeof message.executable === "string" ? [message.executable as string] : [];
  });
  return executables.at(-1) ?? join(ROOT, "target", PROFILE, name);
}

/** Writes a file for a program and returns its path. */
export function save(name: string, content: string | Uint8Array): string {
  const folder = join(ROOT, "target/bench");
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, content);
  return path;
}
