//! Requests in protobuf get the answer, the events and the lot of the same requests in JSON. Here protobufjs writes and
//! reads the messages; `crates/auction/tests/protobuf` compares the fixtures with an encoder of its own.

import { expect, it } from "vitest";
import { FORMAT, type Format } from "../../shared/wasm/abi.ts";
import { bidderOf, bytesOf } from "./bidder.ts";
import { catalogDocument, FIXTURES, type Fixture } from "./fixtures.ts";
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
  const decide = (body: Uint8Array, format: Format) =>
    bidder.decide({ body, ssp: bidder.ssp("demo") ?? -1, now: 0, seed: [0, 7], weight: 1, format });
  const json = decide(bytesOf(text), FORMAT.JSON);
  expect(json.count).toBe("bid");
  expect(decide(message, FORMAT.PROTOBUF)).toEqual(json);
  const answer = json.body ?? new Uint8Array();
  expect(decoded(bidder.encode(answer, FORMAT.PROTOBUF) ?? new Uint8Array())).toEqual(
    JSON.parse(new TextDecoder().decode(answer)),
  );
  expect(bidder.lot(message, FORMAT.PROTOBUF)).toBe(bidder.lot(bytesOf(text)));
});

/** Fixtures that get another answer in protobuf, by the reason. */
const DIFFERENT: Record<string, string[]> = {
  "openrtb.proto has nothing of Prebid": [
    "excluded-gpid-as-pbadslot",
    "factor-for-first-party-data",
    "first-party-category-of-the-content-beside-the-rest",
    "first-party-data-for-everyone",
    "first-party-data-of-the-impression",
    "first-party-data-of-the-person",
    "first-party-data-of-the-person-from-the-server",
    "first-party-data-of-the-screen",
    "first-party-data-of-two-paths",
    "first-party-keywords-addressed-to-us",
    "first-party-keywords-where-the-request-has-no-user",
    "first-party-keywords-where-the-user-is-null",
    "first-party-name-with-an-escape",
    "first-party-null-removes-a-category",
    "first-party-number-and-truth-by-their-json",
    "first-party-section-of-the-app",
    "first-party-section-that-is-excluded",
    "first-party-section-that-is-targeted",
    "first-party-section-that-the-server-replaces",
    "first-party-segment-where-the-request-has-no-user",
    "first-party-value-in-a-list",
    "targeted-gpid-as-pbadslot",
    "targeted-rewarded-as-prebid-names-it",
    "unwanted-rewarded-as-prebid-names-it",
  ],
  "openrtb.proto has dsa and gpc only in regs.ext": [
    "dsa-required-and-shown-by-the-publisher",
    "dsa-required-by-a-platform-and-not-told",
    "ids-unused-under-global-privacy-control",
  ],
  "openrtb.proto has nothing of live events": ["targeted-firstbroadcast", "targeted-realtime"],
  "the messages have no device.ext.sua": ["empty-user-agent-does-not-hide-the-one-in-ext"],
  "the messages have no regs.ext.gpp_sid": ["ids-unused-where-gpp-sid-in-ext-lists-a-section"],
  "openrtb.proto has no message around the native request": ["native-request-as-object"],
  'protobufjs turns a list into a text, and the text "0" into true': [
    "floor-in-a-currency-that-is-a-list",
    "floor-that-is-a-list",
    "gdpr-that-neither-place-applies",
  ],
  "a field has one type: protobufjs leaves other values out": [
    "blocked-advertisers-as-objects-that-nobody-can-read",
    "impressions-of-a-showing-in-a-list",
    "longest-duration-in-words",
    "private-auction-in-a-list",
    "source-of-the-multiplier-that-cannot-be-read-where-it-must-be-told",
    "episode-of-the-content-that-cannot-be-read-where-it-must-be-told",
    "width-that-is-an-empty-object",
  ],
  "openrtb.proto has ifa_type only in device.ext": ["other-kind-of-the-devices-id"],
  "openrtb.proto has cids only in data.ext": [
    "segment-of-the-content-in-the-second-of-two-channels",
    "targeted-cid-of-the-provider",
    "excluded-cid",
  ],
  "openrtb.proto has no segtax of data": [
    "targeted-segment-by-the-providers-name-in-the-taxonomy",
    "targeted-segment-in-a-taxonomy-as-text",
    "targeted-segment-in-the-taxonomy",
    "targeted-segment-of-any-provider-in-the-taxonomy",
    "targeted-segment-of-the-content-in-the-taxonomy",
    "taxonomy-alone-tells-a-segment-where-it-must-be-told",
    "excluded-segment-in-the-taxonomy",
  ],
};

/** protobufjs refuses another value in place of a list. */
const REFUSED = [
  "allowed-seats-as-a-numbered-object",
  "allowed-seats-in-one-text",
  "blocked-advertisers-as-a-numbered-object",
  "blocked-attributes-in-one-text",
  "required-durations-in-one-text",
  "restrictions-that-say-nothing",
  "sizes-in-words",
  "targeted-genre-in-one-text",
  "types-as-found-in-the-wild",
  "venue-of-a-taxonomy-that-cannot-be-read-where-it-must-be-told",
];

const COMPARED = FIXTURES.filter(({ kind, name }) => kind !== "malformed" && !REFUSED.includes(name));

it("every fixture gets the same decision in both formats, but for those that protobuf cannot say", () => {
  const found = COMPARED.filter((fixture) => !isSameInBoth(fixture)).map(({ name }) => name);
  expect(found.sort()).toEqual(Object.values(DIFFERENT).flat().sort());
  expect(COMPARED.length).toBeGreaterThan(700);
});

/** Whether the decision, the values of its answer, and the lot are the same. */
function isSameInBoth({ request, catalog }: Fixture): boolean {
  const [text, bidder] = [String(request), bidderOf(catalog ?? catalogDocument)];
  const both = [bytesOf(text), encoded(JSON.parse(text))].map((body, at) => {
    const [ssp, format] = [bidder.ssp("demo") ?? -1, at === 1 ? FORMAT.PROTOBUF : FORMAT.JSON];
    const decision = bidder.decide({ body, ssp, now: 0, seed: [0, 7], weight: 1, format });
    // The answer may escape an id in several ways, and so have another length.
    const answer = decision.body && JSON.parse(new TextDecoder().decode(decision.body));
    return JSON.stringify([decision.count, answer, bidder.lot(body, format)]);
  });
  return both[0] === both[1];
}
