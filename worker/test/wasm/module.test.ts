//! The built module in workerd gives each fixture exactly the answer that the native tests expect, and that rtblint has
//! checked there.

import { expect, it } from "vitest";
import { Bidder } from "../../../shared/wasm/bidder.ts";
import { bidderOf, catalogDocument, type Fixture, fixtures, text } from "../support/fixtures.ts";
import trappingModule from "../support/trapping.wasm";

/** The time and seed of the native fixture tests. */
const NOW_AND_SEED = { now: Date.UTC(2026, 10, 18, 12), seed: [0x01234567, 0x89abcdef] satisfies [number, number] };

const bidder = bidderOf(catalogDocument);
const demo = bidder.ssp("demo") ?? -1;

function decide({ request, catalog }: Fixture) {
  const own = catalog ? bidderOf(catalog) : bidder;
  return own.decide({ body: request, ssp: own.ssp("demo") ?? -1, ...NOW_AND_SEED });
}

it.each(fixtures("bid"))("bid: $name", (fixture) => {
  const outcome = decide(fixture);
  expect(outcome).toMatchObject({ status: 200, count: "bid" });
  expect(text(outcome.body ?? new Uint8Array())).toBe(fixture.response);
});

it.each(fixtures("no-bid"))("no bid: $name", (fixture) => {
  const { status, body, count } = decide(fixture);
  const response = body && text(body);
  expect({ status, response, count }).toEqual({
    status: fixture.response === null ? 204 : 200,
    response: fixture.response,
    count: fixture.reason,
  });
});

it.each(fixtures("malformed"))("malformed: $name", ({ request }) => {
  expect(bidder.decide({ body: request, ssp: demo, ...NOW_AND_SEED })).toMatchObject({
    status: 400,
    body: null,
    count: "bad-request",
  });
});

it.each([
  [64, false],
  [65, true],
])("reports more impressions than the module reads: %i", (imps, hasMoreImps) => {
  const imp = (at: number) => ({ id: `${at}`, ...(at === imps && { banner: { w: 300, h: 250 } }) });
  const request = JSON.stringify({ id: "r", imp: Array.from({ length: imps }, (_, at) => imp(at + 1)) });
  const outcome = bidder.decide({ body: new TextEncoder().encode(request), ssp: demo, ...NOW_AND_SEED });
  expect(outcome).toMatchObject({ hasMoreImps, status: hasMoreImps ? 204 : 200, test: false, gaveUp: false });
});

it("ids with lone surrogates come back unchanged", () => {
  const request = String.raw`{"id":"a\ud800","imp":[{"id":"\udfff\ud83d\ude00","banner":{"w":300,"h":250}}]}`;
  const { body } = bidder.decide({ body: new TextEncoder().encode(request), ssp: demo, ...NOW_AND_SEED });
  const response = JSON.parse(text(body ?? new Uint8Array()));
  expect([response.id, response.seatbid[0].bid[0].impid]).toEqual(["a\ud800", "\udfff\u{1f600}"]);
});

it("a trap costs one answer, and the instance is replaced", () => {
  const trapping = new Bidder(new Uint8Array(8), trappingModule);
  for (let n = 0; n < 2; n++) {
    const outcome = trapping.decide({ body: new Uint8Array(3), ssp: 0, ...NOW_AND_SEED });
    expect(outcome).toMatchObject({ status: 204, body: null, count: "trap" });
  }
});
