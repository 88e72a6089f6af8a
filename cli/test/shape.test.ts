//! The shape of a catalog lets every request pass on which the catalog bids, for an exchange that evaluates JSON texts and
//! for one that evaluates maps; and it filters most requests for which there is no campaign.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generate } from "../../bench/catalogs/generate.ts";
import { ReplayedCatalog } from "../replay/catalog.ts";
import { demandOf } from "../shape/campaigns.ts";
import { filterOf, type Texts, textsOfJson, textsOfMap } from "../shape/evaluator.ts";
import { shapeOf } from "../shape/models.ts";
import { generate as traffic } from "../traffic/generate.ts";
import { snapshotOf } from "./bidder.ts";
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

function bidding(document: object) {
  const snapshot = snapshotOf(document);
  const catalog = new ReplayedCatalog({ name: "catalog", version: "0000000000000000", snapshot });
  return { shape: shapeOf(demandOf(snapshot, "demo", NOW)), catalog };
}

/** How the filters of exchanges see a request. */
function seen(json: string): Texts[] {
  const [text, map] = [textsOfJson(json), textsOfMap(json)];
  return [text, map, withEmpty(text), withEmpty(map)];
}

describe("a shape", () => {
  it("lets every request pass on which a campaign bids", () => {
    let [bids, filtered] = [0, 0];
    fc.assert(
      fc.property(catalogs, seeds, (document, seed) => {
        const { shape, catalog } = bidding(document);
        const isFiltered = filterOf(shape.models);
        const requests = traffic(seed, { catalog: document as never });
        for (let at = 0; at < 60; at++) {
          const json = requests.next().value;
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
