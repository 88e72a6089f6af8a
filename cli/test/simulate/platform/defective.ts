//! Builds the bidder's module with a change of its code, in a copy of a checkout below `target`. The copy stays, so that
//! the next change is built in seconds.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../../build/process.mjs";
import type { Change } from "./change.ts";
import { changed } from "./change.ts";

/** What Cargo needs of a checkout, and what a world needs besides. */
const COPIED = [
  ...["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo", "crates", "worker/src", "shared"],
  ...["bench/load", "bench/measured", "bench/pacing", "bench/shading"],
];

/** A checkout with this change, whose module is built. */
export function defective(checkout: string, change: Change): string {
  const copy = join(checkout, "target/defective");
  // Cargo builds again what has a new time.
  const isOther = (from: string, to: string) => !existsSync(to) || !readFileSync(from).equals(readFileSync(to));
  const filter = (from: string, to: string) => statSync(from).isDirectory() || isOther(from, to);
  for (const path of COPIED) cpSync(join(checkout, path), join(copy, path), { recursive: true, filter });
  const path = join(copy, change.file);
  writeFileSync(path, changed(readFileSync(path, "utf8"), change));
  // Without the slow optimizations: an hour of a world decides on some thousand requests.
  const { status, stderr } = spawnSync("cargo", ["xtask", "bidder", "wasm-quick"], {
    cwd: copy,
    // Cargo takes packages with the same place in their workspace for the same, so the copy has a target of its own.
    env: { ...process.env, CARGO_TARGET_DIR: join(copy, "target") },
    encoding: "utf8",
  });
  if (status !== 0) throw new Failure(`the defect in ${change.file} does not compile:\n${stderr}`);
  return copy;
}
