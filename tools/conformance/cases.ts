//! The cases of the conformance run: the bodies to post, what is known about each, and the rules for their answers. The
//! checks do not know the right bids: the status must suit the request, and a response must obey the rules for all
//! responses, including those of the judge crate.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isObject, parsedJson } from "../../cli/input.ts";
import { initSync, judge } from "../../crates/judge/pkg/judge.js";

initSync({ module: readFileSync(new URL("../../crates/judge/pkg/judge_bg.wasm", import.meta.url)) });

/** The deepest JSON that the module reads: its `MAX_DEPTH`. */
export const MAX_DEPTH = 64;

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
  const isFile = statSync(folder).isFile();
  const names = isFile ? [""] : readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const paths = names.map((name) => join(folder, name)).filter((path) => isFile || /\.(json|txt)$/.test(path));
  return paths.flatMap((path): Case[] => {
    const name = isFile ? basename(path) : relative(folder, path);
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

/** The Worker's answer to one body. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** All rules that the answer breaks; empty if it breaks none. */
export function broken(request: Uint8Array, answer: Answer): string[] {
  const { status, body } = answer;
  const expected = allowedStatuses(request);
  if (!expected.includes(status)) return [`status ${status}, expected ${expected.join(" or ")}`];
  if (status !== 200) return body.byteLength === 0 ? [] : [`status ${status} with a body`];
  return brokenByResponse(request, answer);
}

/** The allowed statuses: 400 if the request is not JSON or has no `id` or `imp`, otherwise 200 or 204. */
function allowedStatuses(request: Uint8Array): number[] {
  const value = parsedJson(request);
  if (!isObject(value) || depth(value) > MAX_DEPTH) return [400];
  const { id, imp } = value;
  const hasId = typeof id === "string" || typeof id === "number";
  const hasImp = (isObject(imp) && Object.keys(imp).length > 0) || (Array.isArray(imp) && imp.some(isObject));
  return hasId && hasImp ? [200, 204] : [400];
}

function brokenByResponse(request: Uint8Array, { headers, body }: Answer): string[] {
  const found: string[] = [];
  if (headers.get("content-type") !== "application/json") found.push("content-type is not application/json");
  if (headers.get("content-length") !== String(body.byteLength)) found.push("content-length is absent or wrong");
  const response = parsedJson(body);
  if (!isObject(response)) return [...found, "the body is not a JSON object"];
  const text = new TextDecoder();
  const offered = parsedJson(request) as { imp: unknown };
  const imps = new Set([offered.imp].flat().map((imp) => String((imp as { id?: unknown } | null)?.id)));
  for (const { impid } of bids(response)) {
    if (!imps.has(impid)) found.push(`impid ${JSON.stringify(impid)} is not in the request`);
  }
  return [...found, ...JSON.parse(judge(text.decode(request), text.decode(body)))];
}

/** All bids of a response. */
export function bids(response: unknown): { impid: string; price: number; id: string }[] {
  const seatbid = isObject(response) ? response["seatbid"] : undefined;
  if (!Array.isArray(seatbid)) return [];
  return seatbid.flatMap((seat) => (isObject(seat) && Array.isArray(seat["bid"]) ? seat["bid"] : []));
}

function depth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest: number, inner) => Math.max(deepest, depth(inner)), 0);
}
