//! Compiles the module at the given path in a new process, and prints the milliseconds that it took.

import { readFileSync } from "node:fs";
import process from "node:process";

const bytes = readFileSync(process.argv[2] ?? "");
const began = performance.now();
new WebAssembly.Module(bytes);
process.stdout.write(`${performance.now() - began}\n`);
