//! Compiles the module of that path in a process that has compiled nothing yet, and prints how many
//! milliseconds it took, and how many the instance after it.

import { readFileSync } from "node:fs";
import process from "node:process";

const bytes = readFileSync(process.argv[2] ?? "");
const began = performance.now();
const module = new WebAssembly.Module(bytes);
const compiled = performance.now();
new WebAssembly.Instance(module, {});
process.stdout.write(`${compiled - began} ${performance.now() - compiled}\n`);
