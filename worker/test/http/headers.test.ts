//! Which type a client gets, by its header Accept.

import { expect, it } from "vitest";
import { preferredType } from "../../src/http/headers.ts";

const TYPES = ["application/json", "text/csv", "application/x-protobuf"];

it.each([
  [null, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/csv", "text/csv"],
  ["Text/CSV; charset=utf-8", "text/csv"],
  ["text/*", "text/csv"],
  ["text/html, application/xml;q=0.9, */*;q=0.8", "application/json"],
  ["application/x-protobuf, text/csv", "text/csv"],
  ["application/json;q=0.5, text/csv;q=0.8", "text/csv"],
  ["application/json ; Q=0.5 , application/x-protobuf;q=0.501", "application/x-protobuf"],
  ["*/*, application/json;q=0", "text/csv"],
  ["application/*;q=0.9, application/json;q=0.1, text/csv;q=0.2", "application/x-protobuf"],
  ["text/html", null],
  ["application/json;q=0", null],
  ["application/json;q=0.000, text/csv;q=0", null],
  ["application/json;q=nonsense", null],
  ["*", null],
  ["/", null],
])("Accept %j: %s", (accept, type) => {
  expect(preferredType(accept, TYPES)).toBe(type);
});
