//! Bid requests and answers in protobuf, for tests and benchmarks: by protobufjs, and by the schema of the native tests.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import protobufjs from "protobufjs";

const SCHEMA = new URL("../../crates/bidder-wasm/tests/protobuf/openrtb.proto", import.meta.url);
const { root } = protobufjs.parse(readFileSync(SCHEMA, "utf8"), { keepCase: true });
const [bidRequest, bidResponse] = [root.lookupType("BidRequest"), root.lookupType("BidResponse")];

/** A request as protobuf. Members that the schema does not have are left out. */
export function encoded(request: object): Uint8Array {
  return bidRequest.encode(bidRequest.fromObject(request)).finish();
}

/** An answer in protobuf as an object. */
export function decoded(answer: Uint8Array): Record<string, unknown> {
  return bidResponse.toObject(bidResponse.decode(answer));
}

/** What protobuf has of an answer. */
export function known(answer: object): Record<string, unknown> {
  return bidResponse.toObject(bidResponse.fromObject(answer));
}

/** Whether protobuf has every member of a request, with values of the same types. A flag may be 0 or 1. */
export function isKnown(request: object): boolean {
  const flags = (value: unknown): unknown => {
    if (typeof value === "boolean") return Number(value);
    if (Array.isArray(value)) return value.map(flags);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, flags(item)]));
  };
  try {
    return isDeepStrictEqual(flags(bidRequest.toObject(bidRequest.fromObject(request))), flags(request));
  } catch {
    // A single value in place of a list.
    return false;
  }
}
