//! Counts the WebAssembly instructions of decisions of a catalog in which half of the campaigns use attributes that few
//! campaigns have, and of the same catalog without these attributes; and of decisions with a shared list.

import { instrumented } from "../build.ts";
import type { Document } from "../catalogs/generate.ts";
import { mix } from "../requests/mix.ts";
import { Decisions } from "./count.ts";

/** The values of the shared list. */
const VALUES = 100_000;

/** The checks for the goals: the mix with 1,000 campaigns. */
export function attributeChecks(): Record<string, number> {
  const wasm = instrumented("count");
  const texts = mix();
  const mean = (change?: (document: Document) => Document) => new Decisions(wasm, 1000, change).mean(texts);
  const plain = mean();
  return {
    "decide.half_with_new_attributes": mean(halfWithAttributes) / plain,
    // The list in place of a rule with one value, so that only the list differs.
    "decide.list_vs_value": mean(excluding(VALUES)) / mean(excluding(1)),
  };
}

/** Of each four campaigns, one has multipliers and weights, and one has flights and a sequence. */
function halfWithAttributes(document: Document): Document {
  const bids = [
    { when: { country: { include: ["DEU"] }, devicetype: { include: [4] } }, times: "0.9" },
    { when: { hours: [{ from: 0, to: 6 }], zone: "Europe/Berlin" }, times: "0.7" },
  ];
  const flights = [{ start: "2026-01-01T00:00Z", end: "2026-06-01T00:00Z" }, { start: "2026-07-01T00:00Z" }];
  const campaigns = document.campaigns.map((campaign, place) => {
    if (place % 2 === 0) return campaign;
    const creatives = campaign.creatives.map((crid, at) => ({ crid, weight: at + 1 }));
    return { ...campaign, ...(place % 4 === 1 ? { bids, creatives } : { flights, rotation: "sequence" }) };
  });
  return { ...document, campaigns } as Document;
}

/** All campaigns exclude a list with so many domains, which no request has. */
function excluding(count: number): (document: Document) => Document {
  const values = Array.from({ length: count }, (_, number) => `site-${number}.never.example`);
  return (document) => {
    const campaigns = document.campaigns.map((campaign) => {
      const target = (campaign["target"] ?? {}) as { domain?: object };
      return { ...campaign, target: { ...target, domain: { ...target.domain, exclude_lists: ["never"] } } };
    });
    return { ...document, lists: [{ id: "never", values }], campaigns } as Document;
  };
}
