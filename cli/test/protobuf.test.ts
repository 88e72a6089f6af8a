//! Requests in protobuf get the answer, the events and the lot of the same requests in JSON. Here protobufjs writes and
//! reads the messages; `crates/bidder-wasm/tests/protobuf` compares all fixtures.

import { expect, it } from "vitest";
import { bidderOf, bytesOf } from "./bidder.ts";
import { catalogDocument, FIXTURES } from "./fixtures.ts";
import { decoded, encoded } from "./openrtb-protobuf.ts";

const NAMES = [
  "simple-banner",
  "audio",
  "deal-for-our-seat-and-domain",
  "companions-of-the-slots-sizes",
  "duration-floor-of-its-range",
  "categories-of-two-taxonomies-repeat-nothing",
  "factor-for-a-segment-of-the-person",
];

it.each(NAMES)("the fixture %s says the same in both formats", (wanted) => {
  const { request, catalog } = FIXTURES.find(({ kind, name }) => kind === "bid" && name === wanted) ?? {};
  const [text, bidder] = [String(request), bidderOf(catalog ?? catalogDocument)];
  const message = encoded(JSON.parse(text));
  const decide = (body: Uint8Array, isProtobuf: boolean) =>
    bidder.decide(body, bidder.ssp("demo") ?? -1, 0, 0, 7, 1, isProtobuf);
  const json = decide(bytesOf(text), false);
  expect(json.count).toBe("bid");
  expect(decide(message, true)).toEqual(json);
  const answer = json.body ?? new Uint8Array();
  expect(decoded(bidder.encode(answer) ?? new Uint8Array())).toEqual(JSON.parse(new TextDecoder().decode(answer)));
  expect(bidder.lot(message, true)).toBe(bidder.lot(bytesOf(text)));
});
