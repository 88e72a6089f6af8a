//! Reads the cases of the conformance run: the bodies to post, and what is known about each.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** One body to post. */
export interface Case {
  /** The file's path below the folder, with a note if the body is not exactly the file. */
  name: string;
  body: Uint8Array;
  /**
   * `request`: a bid request. `suite`: a value of JSONTestSuite, posted unchanged. `spliced`: such a value inside `ext`
   * of a request that gets a bid.
   */
  kind: "request" | "suite" | "spliced";
  /** JSONTestSuite's verdict on the value: y = a parser must accept it, n = must reject it, i = may do either. */
  verdict?: "y" | "n" | "i";
}

/** The cases of all `.json` and `.txt` files below `folder`, in order. `folder` may also be one file. */
export function casesOf(folder: string): Case[] {
  const paths = statSync(folder).isFile()
    ? [folder]
    : readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => /\.(json|txt)$/.test(path))
        .map((path) => join(folder, path))
        .sort();
  return paths.flatMap((path): Case[] => {
    const name = statSync(folder).isFile() ? basename(path) : relative(folder, path);
    const body = new Uint8Array(readFileSync(path));
    const verdict = /^([yni])_/.exec(basename(path))?.[1] as Case["verdict"];
    if (basename(dirname(path)) !== "test_parsing" || verdict === undefined) {
      return [{ name, body, kind: "request" }];
    }
    return [
      { name, body, kind: "suite", verdict },
      { name: `${name} in ext`, body: splice(body), kind: "spliced", verdict },
    ];
  });
}

/** A request with `value` inside its `ext`. With a harmless value, `fixtures/catalog.json` bids on it. */
export function splice(value: Uint8Array): Uint8Array {
  const [before = "", after = ""] = SPLICE.split("@");
  return new Uint8Array(Buffer.concat([Buffer.from(before), value, Buffer.from(after)]));
}

const SPLICE =
  '{"id":"splice","ext":{"v":@},"imp":[{"id":"1","banner":{"w":300,"h":250}}],"site":{"domain":"news.example"}}';
