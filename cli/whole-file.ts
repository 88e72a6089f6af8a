//! Writes a file whole or not at all: an interruption leaves the old file or the new one.

import { chmodSync, existsSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";

/** A link stays a link, and an old file keeps its mode. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  writeFileSync(`${target}.new`, content);
  if (existsSync(target)) chmodSync(`${target}.new`, statSync(target).mode);
  renameSync(`${target}.new`, target);
}
