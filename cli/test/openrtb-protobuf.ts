//! Bid requests and answers in protobuf, for tests and benchmarks: by protobufjs, and by the schema of the native tests.

import { readFileSync } from "node:fs";
import protobufjs from "protobufjs";

const SCHEMA = new URL("../../crates/auction/tests/protobuf/openrtb.proto", import.meta.url);
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
