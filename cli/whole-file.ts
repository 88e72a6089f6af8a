//! Writes a file whole or not at all: an interruption leaves the old file or the new one.

import { renameSync, writeFileSync } from "node:fs";

export function writeWhole(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
