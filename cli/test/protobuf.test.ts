//! Requests and answers in protobuf, which protobufjs writes and reads, get and say the same as in JSON.

import { describe, expect, it } from "vitest";
import type { Bidder } from "../../worker/src/wasm/bidder.ts";
import { bidderOf } from "./bidder.ts";
import { catalogDocument, FIXTURES } from "./fixtures.ts";
import { decoded, encoded, isKnown, known } from "./openrtb-protobuf.ts";

const NOW = Date.UTC(2026, 10, 18, 12);

const bidders = new Map<string, Bidder>();

/** The decision on a request in JSON or protobuf. */
function decide(body: Uint8Array, catalog: string | null, protobuf: boolean) {
  const document = catalog ?? catalogDocument;
  const bidder = bidders.get(document) ?? bidderOf(document);
  bidders.set(document, bidder);
  const outcome = bidder.decide(body, bidder.ssp("demo") ?? -1, NOW, 0, 7, 1, protobuf);
  const [answer, records] = [outcome.body, outcome.records].map((bytes) =>
    new TextDecoder().decode(bytes ?? undefined),
  );
  // A text may be escaped in several ways, so values are compared.
  const events = records?.split("\n").map((line) => line && JSON.parse(line));
  return { ...outcome, bidder, answer: answer && JSON.parse(answer), events };
}

const requests = FIXTURES.filter(({ kind }) => kind !== "malformed");

describe("a request that protobuf can say", () => {
  const known = requests.filter(({ name, request }) => {
    // The text of its native answer has the id with other escapes.
    return name !== "macros-filled-in-native-markup" && isKnown(JSON.parse(request.toString()));
  });

  it("is the usual one", () => expect(known.length).toBeGreaterThan(500));

  it.each(known)("gets the same answer: $kind/$name", ({ request, catalog }) => {
    const json = decide(request, catalog, false);
    const protobuf = decide(encoded(JSON.parse(request.toString())), catalog, true);
    expect([protobuf.count, protobuf.answer]).toEqual([json.count, json.answer]);
    expect(protobuf.events).toEqual(json.events);
  });
});

it.each(requests.filter(({ response }) => response !== null))("an answer is complete: $kind/$name", (fixture) => {
  const { bidder, body, answer } = decide(fixture.request, fixture.catalog, false);
  const message = body && bidder.encode(body);
  expect(message && decoded(message)).toEqual(known(answer));
});

it("a request has the same lot in both formats", () => {
  const bidder = bidderOf(catalogDocument);
  const request = { id: "r", imp: [{ id: "1" }] };
  expect(bidder.lot(encoded(request), true)).toBe(bidder.lot(Buffer.from(JSON.stringify(request))));
});
