//! The TypeScript twin makes the same bids as edgebid. Otherwise a comparison of their times would compare different
//! work. The twin must pass the fixtures of edgebid and give the same answers to the mix on generated catalogs. It does
//! not report no-bid reasons or `nbr`.

import { describe, expect, it } from "vitest";
import { compiler, module } from "../../cli/module.ts";
import { catalogDocument, FIXTURES, type Fixture, type Kind } from "../../cli/test/fixtures.ts";
import { generate } from "../catalogs/generate.ts";
import { everythingMatches, onlyTheLastMatches } from "../catalogs/hostile.ts";
import { ZONES } from "../catalogs/zones.ts";
import { Bidder } from "../decide/module.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import { createTwin } from "../twin/twin.ts";

const DOMAINS = "the twin does not know that `xn--` forms are domains with other letters";
const DEALS = "the twin takes each deal of an impression for another one";
const ADVERTISERS = "the twin does not know the advertiser of a creative";

/** Fixtures in which the twin differs: the platform reads its requests, and its rules are frozen. */
const EXCLUDED = new Map([
  ["nested-too-deep", "JSON.parse has no depth limit"],
  ["not-utf-8", "Request.text() replaces what is not UTF-8"],
  ["other-hardware-version", "the twin does not know `hwv`"],
  ["paused", "the twin does not know `paused`"],
  ["starts-a-second-later", "the twin does not know `start`"],
  ["ends-now", "the twin does not know `end`"],
  ["blocked-international-domain", DOMAINS],
  ["blocked-ascii-form-of-an-international-domain", DOMAINS],
  ["similar-international-domain-is-not-blocked", DOMAINS],
  ["deal-twice-with-a-floor-above-the-price", DEALS],
  ["deal-twice-with-a-later-floor-above-the-price", DEALS],
  ["deal-twice-costs-its-higher-fixed-price", DEALS],
  ["plain-http-behind-references-on-a-secure-imp", "the twin decodes no references"],
  ["plain-http-in-split-sections-on-a-secure-imp", "the twin joins no sections"],
  ["ids-unused-where-gpp-sid-in-ext-lists-a-section", "the twin reads one of two places of `gpp_sid`"],
  ["creative-in-place-of-one-of-a-blocked-advertiser", ADVERTISERS],
  ["creative-of-an-allowed-category", ADVERTISERS],
  ["creative-tells-its-own-advertiser", ADVERTISERS],
  ["creatives-of-blocked-advertisers", ADVERTISERS],
]);

/** Attributes of a catalog, and macros, that the twin does not know. */
const UNKNOWN = new RegExp(
  [
    /"(?:bids|weight|rotation|flights|budget|budget_of|skadn)":/,
    /"(?:exclude_unknown|include_lists|exclude_lists)":/,
    /"(?:tracking|error|clicktracking|skipoffset|verification|interactive)":|"api": ?"VPAID"/,
    /"deals": ?\[[^\]]*\{/,
    /\{[a-z_]+(?:\.[a-z_]+)*\}/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Attributes of an SSP that the twin does not implement. */
const WAYS = [
  "cur",
  "seat",
  "seats",
  "max_response_bytes",
  "price_macro",
  "fill_macros",
  "auction",
  "floors",
  "max_multiplier",
  "one_bid_per_imp",
  "bid_ext",
];

/** The fixtures of a kind, each after its name, so that the title of a test shows the name. */
function fixtures(kind: Kind): [string, Fixture][] {
  const ofKind = FIXTURES.filter((fixture) => fixture.kind === kind);
  const isKnown = ({ name, catalog }: Fixture) => !EXCLUDED.has(name) && !UNKNOWN.test(catalog ?? "");
  const alike = ofKind.filter((fixture) => isKnown(fixture) && !hasWays(fixture));
  return alike.map((fixture) => [fixture.name, fixture]);
}

function hasWays({ catalog }: Fixture): boolean {
  if (catalog === null) return false;
  const { ssps, version_in_bids } = JSON.parse(catalog);
  return version_in_bids === true || ssps.some((ssp: object) => WAYS.some((way) => way in ssp));
}

function decide({ catalog, request }: Fixture) {
  return createTwin(JSON.parse(catalog ?? catalogDocument), [])("demo", request.toString(), NOW_MS);
}

interface Response {
  bidid?: string;
  seatbid: { bid: { id?: string; adm: string }[] }[];
}

/** The response without bid ids: edgebid makes them from a seed, the twin from a counter. */
function content(body?: string | null): Response {
  const response: Response = JSON.parse(body ?? "null");
  delete response.bidid;
  for (const { bid } of response.seatbid) {
    for (const one of bid) {
      delete one.id;
      one.adm = one.adm.replace(/<AdServingId>[^<]*/g, "<AdServingId>");
    }
  }
  return response;
}

describe("the twin answers the fixtures like edgebid", () => {
  it.each(fixtures("bid"))("bid: %s", (_, fixture) => {
    const { status, body } = decide(fixture);
    expect(status).toBe(200);
    expect(content(body)).toEqual(content(fixture.response));
  });

  it.each(fixtures("no-bid"))("no bid: %s", (_, fixture) => {
    expect(decide(fixture)).toEqual({ status: 204 });
  });

  it.each(fixtures("malformed"))("malformed: %s", (_, fixture) => {
    expect(decide(fixture)).toEqual({ status: 400 });
  });
});

describe("both answer the mix alike on generated catalogs", () => {
  const requests = mix();

  it.each([
    ["10 campaigns", generate(10)],
    ["1,000 campaigns", generate(1000)],
    ["2,000 campaigns", generate(2000)],
    ["everything matches", everythingMatches(100)],
    ["only the last matches", onlyTheLastMatches(100)],
  ])("%s", (_, catalog) => {
    const document = JSON.stringify(catalog);
    const bidder = new Bidder(module, compiler, new TextEncoder().encode(document), ZONES);
    const twin = createTwin(JSON.parse(document), ZONES.zones);
    let [bids, cutOff] = [0, 0];
    for (const request of requests) {
      const ours = bidder.decide(new TextEncoder().encode(request), NOW_MS);
      if (ours.isCutOff) {
        // The twin has no limit on its work.
        cutOff++;
        continue;
      }
      const twins = twin("demo", request, NOW_MS);
      expect(twins.status, request).toBe(ours.status);
      if (ours.body === null) continue;
      expect(content(twins.body), request).toEqual(content(new TextDecoder().decode(ours.body)));
      bids++;
    }
    expect(cutOff).toBeLessThan(requests.length / 50);
    // Some requests get a bid and some do not: catalog and mix share their vocabulary.
    expect(bids).toBeGreaterThan(20);
    expect(bids).toBeLessThan(requests.length - 20);
  });
});
