//! Finds what a person may have meant by a name that does not exist, with the compiling module.

import { type Compiling, Instance } from "../../shared/wasm/instance.ts";
import { compiler } from "../module.ts";

/** `; did you mean shoes-autumn?` with the most similar of the known names; empty if none is similar. */
export function didYouMean(name: string, known: string[]): string {
  const instance = new Instance<Compiling>(compiler);
  const lines = [name, ...known].map((line) => `${line}\n`).join("");
  instance.exports.nearest(instance.put(new TextEncoder().encode(lines)));
  const found = new TextDecoder().decode(instance.output());
  return found === "" ? "" : `; did you mean ${found}?`;
}
