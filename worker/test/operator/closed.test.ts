//! The operator's routes are closed to everybody else, and have one method.

import { beforeAll, expect, it } from "vitest";
import { cheap } from "../support/catalogs.ts";
import { fresh, type Isolate, OPERATOR } from "../support/isolate.ts";

let isolate: Isolate;

beforeAll(async () => {
  isolate = await fresh(cheap);
});

// The last column is the operator's answer. Some calls are wrong, so that they cost nothing.
it.each([
  ["POST", "/explain/demo", 415],
  ["POST", "/explain/demo?version=0123456789abcdef", 415],
  ["GET", "/inspect/api/versions", 200],
  ["GET", "/inspect/api/catalog", 200],
  ["GET", "/inspect/api/diff", 400],
  ["GET", "/report?from=x", 400],
  ["GET", "/tail?seconds=0", 400],
  ["GET", "/budget?cid=a", 200],
  ["POST", "/forget", 400],
])("%s %s", async (method, path, status) => {
  const statusOf = async (init: RequestInit, vars: object = {}) => {
    const sent = { method, ...(method === "POST" && { body: "{}" }), ...init };
    const response = await isolate.fetch(path, sent, vars);
    return response.status;
  };
  expect(await statusOf(OPERATOR)).toBe(status);
  expect(await statusOf({}, { OPERATOR: "anybody" })).toBe(status);
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ headers: { authorization: "Bearer operato" } })).toBe(401);
  expect(await statusOf(OPERATOR, { OPERATOR_TOKEN: "" })).toBe(404);
  expect(await statusOf({ ...OPERATOR, method: method === "GET" ? "POST" : "PUT" })).toBe(405);
});
