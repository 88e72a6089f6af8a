//! The conformance run expects what the module does with deeply nested JSON.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile } from "../../worker/src/catalog/compile.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { splice } from "../conformance/cases.ts";
import { broken, MAX_DEPTH } from "../conformance/verdict.ts";
import { compiler, module } from "../module.ts";

const CATALOG = readFileSync(join(import.meta.dirname, "../../fixtures/catalog.json"));
/** Levels around a spliced value: the request's object, and its `ext`. */
const AROUND = 2;

/** A request whose JSON is nested this deep. */
function nested(depth: number): Uint8Array {
  const arrays = depth - AROUND;
  return splice(new TextEncoder().encode("[".repeat(arrays) + "]".repeat(arrays)));
}

test("the module reads JSON up to the depth that the conformance run expects, and no deeper", () => {
  const bidder = new Bidder(compile(CATALOG, compiler).snapshot, module);
  const status = (depth: number) => bidder.decide(nested(depth), bidder.ssp("demo") ?? -1, 0, 0, 0).status;
  expect([status(MAX_DEPTH), status(MAX_DEPTH + 1)]).toEqual([200, 400]);
  const answer = { status: 204, headers: new Headers(), body: new Uint8Array() };
  expect(broken(nested(MAX_DEPTH), answer)).toEqual([]);
  expect(broken(nested(MAX_DEPTH + 1), answer)).toEqual(["status 204, expected 400"]);
});
