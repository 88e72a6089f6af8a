//! A captured request is decided like the request it was made from, unless an identifier or a place decided. All
//! fixtures are decided twice; those that differ lack an identifier or a place that a campaign targets.

import { expect, it } from "vitest";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { Redactor } from "../../src/tail/tap.ts";
import { bidderOf, catalogDocument, type Fixture, fixtures, text } from "../support/fixtures.ts";

/** 2026-11-18 12:00 UTC, as in the fixture tests. */
const NOW = Date.UTC(2026, 10, 18, 12);

/** Why a captured request may get no bid although the original gets one, or another reason: what was left out. */
const LEFT_OUT = ["buyeruid", "data", "eids", "inserter", "ip", "matcher", "radius", "zip"];
/** The campaign excludes what was left out, or pays more for it, so the captured request gets another bid. */
const EXCLUDED = [
  "extended-ids-of-both-places-count",
  "factor-for-first-party-data",
  "address-in-an-excluded-range",
  "one-of-two-addresses-in-an-excluded-range",
  "first-party-section-that-is-excluded",
  "first-party-value-of-a-list-is-excluded",
];

const redactor = new Redactor();
const bidders = new Map<string, Bidder>();

/** What is compared of bids: no markup, because it may repeat what was left out. */
const COMPARED = "seat group bid impid price dealid cid crid w h dur".split(" ");

/** The outcome and the bids. */
function decided(fixture: Fixture, body: Uint8Array): { count: string; bids: string } {
  const catalog = fixture.catalog ?? catalogDocument;
  const bidder = bidders.get(text(catalog)) ?? bidderOf(catalog);
  bidders.set(text(catalog), bidder);
  const { count, body: answer } = bidder.decide({ body, ssp: bidder.ssp("demo") ?? 0, now: NOW, seed: [1, 2] });
  const { seatbid = [] }: { seatbid?: object[] } = answer ? JSON.parse(text(answer)) : {};
  return { count, bids: JSON.stringify(seatbid, COMPARED) };
}

function captured(fixture: Fixture): Uint8Array | null {
  const line = redactor.line({ ssp: "demo", at: NOW, outcome: "bid", body: fixture.request });
  // Not parsed: JavaScript would change numbers.
  return line === null ? null : new TextEncoder().encode(line.slice(line.indexOf('"request":') + 10, -1));
}

it("captured fixtures are decided like the originals, unless an identifier or a place decided", () => {
  const all = [...fixtures("bid"), ...fixtures("no-bid")];
  const different = all.flatMap((fixture) => {
    const [one, two] = [decided(fixture, fixture.request), decided(fixture, captured(fixture) ?? new Uint8Array())];
    return one.count === two.count && one.bids === two.bids ? [] : [{ name: fixture.name, ...two }];
  });
  expect(different.filter(({ name, count }) => !EXCLUDED.includes(name) && !LEFT_OUT.includes(count))).toEqual([]);
  expect(new Set(different.map(({ count }) => count))).toEqual(new Set([...LEFT_OUT, "bid"]));
  expect(different.length).toBeLessThan(60);
  expect(all.length).toBeGreaterThan(600);
}, 60_000);

it("a malformed body is captured only if it is a JSON object, and stays malformed", () => {
  for (const fixture of fixtures("malformed")) {
    const body = captured(fixture);
    if (body !== null) expect(decided(fixture, body).count, fixture.name).toBe("bad-request");
  }
});
