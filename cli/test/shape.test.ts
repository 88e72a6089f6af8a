//! The shape of a catalog lets every request pass on which the catalog bids, for an exchange that evaluates JSON texts and
//! for one that evaluates maps; and it filters most requests for which there is no campaign.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generate } from "../../bench/catalogs/generate.ts";
import { demandOf } from "../../tools/shape/campaigns.ts";
import { MAX_KEYS, type Model } from "../../tools/shape/dte.ts";
import { filterOf, type Texts, textsOfJson, textsOfMap } from "../../tools/shape/evaluator.ts";
import { Inventory } from "../../tools/shape/inventory.ts";
import { shapeOf } from "../../tools/shape/models.ts";
import { generate as traffic } from "../../tools/traffic/generate.ts";
import { ReplayedCatalog } from "../replay/catalog.ts";
import { catalogText, snapshotOf } from "./bidder.ts";
import { narrowed, running } from "./narrow-catalogs.ts";
import { rightCatalog } from "./right-catalogs.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const encoder = new TextEncoder();

/** The texts of an exchange whose evaluator is the one in Java, which gives an empty text for what is missing. */
function withEmpty(texts: Texts): Texts {
  return (field) => {
    const found = texts(field);
    return found.length > 0 ? found : [""];
  };
}

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const sizes = fc.integer({ min: 1, max: 40 });
const catalogs = fc.oneof(
  fc.tuple(sizes, seeds).map(([count, seed]) => narrowed(generate(count), seed)),
  seeds.map((seed) => running(rightCatalog(seed))),
);

/** A catalog with its shape. `recorded`: requests with the domains and apps that the shape knows. */
function bidding(document: object, recorded: string[] = []) {
  const inventory = new Inventory();
  for (const json of recorded) inventory.see(JSON.parse(json));
  const snapshot = snapshotOf(document);
  const catalog = new ReplayedCatalog({ name: "catalog", version: "0000000000000000", snapshot });
  return { shape: shapeOf(demandOf(snapshot, "demo", NOW), inventory), catalog };
}

/** How the filters of exchanges see a request. */
function seen(json: string): Texts[] {
  const [text, map] = [textsOfJson(json), textsOfMap(json)];
  return [text, map, withEmpty(text), withEmpty(map)];
}

/** The most tuples that an evaluator makes of a request without deals. */
function mostKeys({ features }: Model): number {
  const each = features.map(({ fields, transformation }) => {
    const own = transformation.includes("ConcatenateByPair") ? fields.length / 2 : 1;
    return own + Number(transformation.includes("IncludeDefaultValue"));
  });
  return each.reduce((product, values) => product * values, 1);
}

describe("a shape", () => {
  it("lets every request pass on which a campaign bids", () => {
    let [bids, filtered] = [0, 0];
    fc.assert(
      fc.property(catalogs, seeds, (document, seed) => {
        const requests = traffic(seed, { catalog: document as never });
        const all = Array.from({ length: 60 }, () => requests.next().value);
        const { shape, catalog } = bidding(document, all.slice(0, 30));
        // Beyond, an evaluator leaves the last parts of tuples out.
        for (const model of shape.models) expect(mostKeys(model)).toBeLessThan(MAX_KEYS);
        const isFiltered = filterOf(shape.models);
        for (const [at, json] of all.entries()) {
          const out = seen(json).filter(isFiltered).length;
          filtered += Number(out > 0);
          const { outcome } = catalog.decide({ body: encoder.encode(json), ssp: "demo", now: NOW }, at);
          if (outcome !== "bid") continue;
          bids++;
          expect(out, json).toBe(0);
        }
      }),
      { numRuns: 60 },
    );
    expect(bids).toBeGreaterThan(100);
    expect(filtered).toBeGreaterThan(500);
  });
});

/** One campaign, with something in each dimension. */
const [OWN] = JSON.parse(catalogText).campaigns as [Record<string, unknown>];
const STRICT = {
  ...JSON.parse(catalogText),
  creatives: JSON.parse(catalogText).creatives.filter(({ crid }: { crid: string }) => crid === "acme-320x50"),
  campaigns: [
    {
      ...{ ...OWN, creatives: ["acme-320x50"], deals: ["deal-1"], open: true },
      target: {
        channel: ["app"],
        country: { include: ["USA"] },
        devicetype: { include: [4] },
        pos: { include: [1] },
        publisher: { include: ["77"] },
      },
    },
  ],
};

const REQUEST = {
  id: "1",
  imp: [{ id: "1", banner: { w: 320, h: 50, pos: 1 } }],
  app: { publisher: { id: "77" } },
  device: { devicetype: 4, geo: { country: "USA" } },
};

/** The request with changes of its text, one after the other. */
function changed(...changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, JSON.stringify(REQUEST));
}

const IMP = '{"id":"1","banner":{"w":320,"h":50,"pos":1}}';
const OTHER = '{"id":"0","banner":{"w":300,"h":250}}';
const BANNER = '"w":320,"h":50';
const withDeals = (deals: string) => `${IMP.slice(0, -1)},"pmp":{"private_auction":1,"deals":${deals}}}`;

describe("what the bidder reads and an evaluator does not", () => {
  const { shape, catalog } = bidding(STRICT);
  const isFiltered = filterOf(shape.models);
  const outcome = (json: string) => catalog.decide({ body: encoder.encode(json), ssp: "demo", now: NOW }, 0).outcome;

  it.each<[string, ...[from: string, to: string][]]>([
    ["nothing else"],
    ["a country of two letters", ['"USA"', '"US"']],
    ["a country in small letters", ['"USA"', '"usa"']],
    ["a country in mixed letters", ['"USA"', '"Usa"']],
    ["a country with an escape", ['"USA"', '"\\u0055SA"']],
    [
      "the country of the user",
      ['"device":{', '"user":{"geo":{"country":"USA"}},"device":{'],
      [',"geo":{"country":"USA"}}', "}"],
    ],
    ["a device type as a text", ['"devicetype":4', '"devicetype":"4"']],
    ["a device type with a fraction", ['"devicetype":4', '"devicetype":4.0']],
    ["a device type with an exponent", ['"devicetype":4', '"devicetype":4e0']],
    ["a device type with spaces", ['"devicetype":4', '"devicetype":" 4 "']],
    ["a position as a text", ['"pos":1', '"pos":"1"']],
    ["a position that is true", ['"pos":1', '"pos":true']],
    ["a publisher's id as a number", ['"id":"77"', '"id":77']],
    ["no site", ['"app":{', '"site":null,"app":{']],
    ["an impression that is no list", [`[${IMP}]`, IMP]],
    ["a second impression", [IMP, `${OTHER},${IMP}`]],
    ["a first impression that is null", [IMP, `null,${IMP}`]],
    [
      "other media too",
      ['"banner":', '"video":{"mimes":["video/mp4"],"pos":3},"native":{"request":"{}"},"audio":null,"banner":'],
    ],
    ["sizes as texts", [BANNER, '"w":"320","h":"50"']],
    ["sizes with fractions", [BANNER, '"w":320.0,"h":5e1']],
    ["no size", [`${BANNER},`, ""]],
    ["sizes that are 0", [BANNER, '"w":0,"h":0']],
    ["only a width", [BANNER, '"w":320']],
    ["a size among formats", [BANNER, '"format":[{"w":300,"h":250},{"w":320,"h":50}]']],
    ["a format without a height", [BANNER, '"format":[{"w":300},{"w":320,"h":50}]']],
    ["a format that is no list", [BANNER, '"w":300,"h":250,"format":{"w":320,"h":50}']],
    ["a format that is null", [BANNER, '"format":[null,{"w":320,"h":50}]']],
    ["a format with a ratio", [BANNER, '"format":[{"wratio":16,"hratio":9},{"w":320,"h":50}]']],
    ["sides that would make another pair", [BANNER, '"format":[{"h":250},{"w":300,"h":50},{"w":320,"h":50}]']],
    ["many formats", [BANNER, `"format":[${'{"w":300,"h":250},'.repeat(9)}{"w":320,"h":50}]`]],
    ["own sizes besides formats", [BANNER, '"w":320,"h":50,"format":[{"w":300,"h":250}]']],
    ["an uncommon size", [BANNER, '"format":[{"w":123,"h":456},{"w":320,"h":50}]']],
    ["a private auction", [IMP, withDeals('[{"id":"deal-1"}]')]],
    ["an escape in a name", ['"country"', '"countr\\u0079"']],
    ["line breaks", ['{"id":"1","imp"', '{\n  "id" : "1" ,\n  "imp"']],
  ])("%s", (_, ...changes) => {
    const json = changed(...changes);
    expect(outcome(json)).toBe("bid");
    expect(seen(json).map(isFiltered)).toEqual([false, false, false, false]);
  });

  it.each<[string, ...[from: string, to: string][]]>([
    ["another country", ['"USA"', '"FRA"']],
    ["no country", [',"geo":{"country":"USA"}', ""]],
    ["another device", ['"devicetype":4', '"devicetype":2']],
    ["another position", ['"pos":1', '"pos":3']],
    ["another publisher", ['"id":"77"', '"id":"78"']],
    ["a site", ['"app":{', '"site":{']],
    ["another size", [BANNER, '"w":300,"h":250']],
    ["other formats", [BANNER, '"format":[{"w":300,"h":250},{"w":728,"h":90}]']],
    ["another medium", ['"banner":', '"video":']],
    ["two impressions in another country", [IMP, `${OTHER},${IMP}`], ['"USA"', '"FRA"']],
  ])("%s is filtered", (_, ...changes) => {
    const json = changed(...changes);
    expect(outcome(json)).not.toBe("bid");
    expect(seen(json).map(isFiltered)).toEqual([true, true, true, true]);
  });
});

describe("a campaign that bids in deals only", () => {
  const campaigns = [{ ...OWN, creatives: ["acme-320x50"], deals: ["deal-1", "77"], open: false }];
  const { shape, catalog } = bidding({ ...STRICT, campaigns });
  const isFiltered = filterOf(shape.models);
  const others = (count: number) => Array.from({ length: count }, (_, at) => `{"id":"d${at}"},`).join("");

  it.each<[string, deals: string, bids: boolean]>([
    ["its deal", '[{"id":"deal-1"}]', true],
    ["its deal among others", `[${others(80)}{"id":"deal-1"}]`, true],
    ["its deal among more than an evaluator tries", `[${others(120)}{"id":"deal-1"}]`, true],
    ["a deal whose id is a number", '[{"id":77}]', true],
    ["null and its deal", '[null,{"id":"deal-1"}]', true],
    ["other deals", `[${others(3)}{"id":"deal-2"}]`, false],
    ["no deals", "[]", false],
  ])("%s", (_, deals, bids) => {
    const json = changed([IMP, withDeals(deals)]);
    const { outcome } = catalog.decide({ body: encoder.encode(json), ssp: "demo", now: NOW }, 0);
    expect(outcome === "bid").toBe(bids);
    // An empty list is not plain.
    const out = !bids && deals !== "[]";
    expect(seen(json).map(isFiltered)).toEqual([out, out, out, out]);
  });
});

describe("domains and apps", () => {
  const target = (where: object) => ({ ...STRICT, campaigns: [{ ...OWN, creatives: ["acme-320x50"], target: where }] });
  const site = (members: object) => JSON.stringify({ ...REQUEST, app: undefined, site: members });
  const app = (members: object) => JSON.stringify({ ...REQUEST, app: members });
  const seenSites = ["news.example", "sport.news.example", "other.example"].map((domain) => site({ domain }));
  const onSites = bidding(target({ domain: { include: ["news.example"] } }), seenSites);
  const inApps = bidding(target({ bundle: { include: ["com.example.app"] } }), [
    app({ bundle: "com.Example.App" }),
    app({ bundle: "123" }),
  ]);

  it.each<[string, typeof onSites, json: string, bids: boolean, filtered: boolean]>([
    ["the domain", onSites, site({ domain: "news.example" }), true, false],
    ["a subdomain", onSites, site({ domain: "sport.news.example" }), true, false],
    ["a subdomain that was not seen", onSites, site({ domain: "www.NEWS.example" }), true, false],
    ["a URL", onSites, site({ domain: "https://news.example/a" }), true, false],
    ["only the page", onSites, site({ page: "https://news.example/a" }), true, false],
    [
      "a site beside an app",
      onSites,
      JSON.stringify({ ...REQUEST, site: { page: "https://news.example" }, app: { domain: "other.example" } }),
      true,
      false,
    ],
    ["another domain", onSites, site({ domain: "other.example" }), false, true],
    ["another domain that was not seen", onSites, site({ domain: "third.example" }), false, false],
    ["the app", inApps, app({ bundle: "com.Example.App" }), true, false],
    ["the app in other letters", inApps, app({ bundle: "COM.example.app" }), true, false],
    ["another app, as a number", inApps, app({ bundle: 123 }), false, true],
    ["no app", inApps, app({}), false, true],
  ])("%s", (_, { shape, catalog }, json, bids, filtered) => {
    const { outcome } = catalog.decide({ body: encoder.encode(json), ssp: "demo", now: NOW }, 0);
    expect(outcome === "bid").toBe(bids);
    expect(seen(json).map(filterOf(shape.models))).toEqual(Array(4).fill(filtered));
  });
});
