//! The conformance run expects what the module does with deeply nested JSON.

import { expect, test } from "vitest";
import { broken, MAX_DEPTH, splice } from "../../tools/conformance/cases.ts";
import { bidderOf, catalogText } from "./bidder.ts";

/** Levels around a spliced value: the request's object, and its `ext`. */
const AROUND = 2;

/** A request whose JSON is nested this deep. */
function nested(depth: number): Uint8Array {
  const arrays = depth - AROUND;
  return splice(new TextEncoder().encode("[".repeat(arrays) + "]".repeat(arrays)));
}

test("the module reads JSON up to the depth that the conformance run expects, and no deeper", () => {
  const bidder = bidderOf(catalogText);
  const status = (depth: number) =>
    bidder.decide({ body: nested(depth), ssp: bidder.ssp("demo") ?? -1, now: 0 }).status;
  expect([status(MAX_DEPTH), status(MAX_DEPTH + 1)]).toEqual([200, 400]);
  const answer = { status: 204, headers: new Headers(), body: new Uint8Array() };
  expect(broken(nested(MAX_DEPTH), answer)).toEqual([]);
  expect(broken(nested(MAX_DEPTH + 1), answer)).toEqual(["status 204, expected 400"]);
});
