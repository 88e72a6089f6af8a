//! Reads the files that commands take, and texts that may be JSON.

import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { Failure } from "../build/failure.mjs";
import { isObject } from "../shared/compare/entry.ts";

export { isObject };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of a file; `-` is standard input. Throws {@link Failure} if there is no such file, or if it is too long. */
export function readInput(path: string): Uint8Array<ArrayBuffer> {
  if (path !== "-" && isFolder(path)) throw new Failure(`${path} is a folder; expected a file`);
  try {
    return new Uint8Array(readFileSync(path === "-" ? 0 : path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_FS_FILE_TOO_LARGE") throw error;
    throw new Failure(`${path} is too long; expected at most 2 GiB`);
  }
}

/**
 * The bytes of an ordinary file in a folder; otherwise in words why there are none: a link may lead out of the folder, and
 * a pipe never ends.
 */
export function readInside(folder: string, name: string): Uint8Array<ArrayBuffer> | string {
  const path = join(folder, name);
  if (!existsSync(path)) return "a link to nothing; expected a file";
  const [home, file] = [folder, path].map((one) => realpathSync(one)) as [string, string];
  if (!file.startsWith(join(home, sep))) return "a link out of the folder; expected a file in it";
  return statSync(file).isFile() ? readInput(file) : "no ordinary file; expected one, not a pipe or a folder";
}

/** Whether the path is a folder. Throws {@link Failure} if it does not exist. */
export function isFolder(path: string): boolean {
  if (!existsSync(path)) throw new Failure(`${path} does not exist`);
  return statSync(path).isDirectory();
}

/** The value of a JSON text, or of a text's bytes in UTF-8; undefined if it is not JSON. */
export function parsedJson<T = unknown>(text: string | Uint8Array): T | undefined {
  try {
    return JSON.parse(typeof text === "string" ? text : decoder.decode(text));
  } catch {
    return undefined;
  }
}

/** The probable kind of a document, for a hint about the right command; null if it is probably neither. */
export function kindOf(document: Uint8Array): "bid request" | "catalog" | null {
  const value = parsedJson(document);
  if (!isObject(value)) return null;
  if ("campaigns" in value || "ssps" in value) return "catalog";
  return "imp" in value ? "bid request" : null;
}
