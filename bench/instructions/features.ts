//! Counts the WebAssembly instructions that features cost: decisions of the mix with 1,000 campaigns that use a
//! feature, beside decisions of the same catalog without it.

import { instrumented } from "../build.ts";
import type { Document } from "../catalogs/generate.ts";
import { bidsOf, billOf, SETTINGS } from "../notices/ways.ts";
import { mix } from "../requests/mix.ts";
import { Decisions } from "./count.ts";

const CAMPAIGNS = 1000;
/** All requests: `WHOLE` in `crates/pacing/src/shares.rs`. */
const WHOLE = 2 ** 32 - 1;
/** The values of the shared list. */
const VALUES = 100_000;
/** The share of requests in production that get a bid. */
const BID_SHARE = 0.1;

type Campaign = Document["campaigns"][number];

/** Every campaign has a budget and bids on all requests, so matches and bids are counted. */
export function budgetChecks(): Record<string, number> {
  const wasm = instrumented("count");
  const on = new Decisions(
    wasm,
    CAMPAIGNS,
    eachCampaign((campaign) => ({ ...campaign, budget: { daily: "1000" } })),
  );
  const off = new Decisions(wasm, CAMPAIGNS);
  on.useShares(({ key }) => `${key} ${WHOLE}`);
  const texts = mix();
  const isEqual = JSON.stringify(on.responses(texts)) === JSON.stringify(off.responses(texts));
  if (!isEqual) throw new Error("a share of all requests changes a response");
  return { "decide.budgets_on_vs_off": on.mean(texts) / off.mean(texts) };
}

/**
 * Half of the campaigns use attributes that few campaigns have; all campaigns exclude a shared list; all campaigns ask for
 * authorised sellers, which no file refuses.
 */
export function attributeChecks(): Record<string, number> {
  const wasm = instrumented("count");
  const texts = mix();
  const mean = (change?: (document: Document) => Document) => new Decisions(wasm, CAMPAIGNS, change).mean(texts);
  return {
    "decide.half_with_new_attributes": mean(eachCampaign(withAttributes)) / mean(),
    // The list in place of a rule with one value, so that only the list differs.
    "decide.list_vs_value": mean(excluding(VALUES)) / mean(excluding(1)),
    "decide.supply_on_vs_off": mean(authorised(VALUES)) / mean(),
  };
}

/** With notices, and without. */
type OnOff = Record<"on" | "off", number>;

/**
 * Mean instructions of a decision on the mix, of the same with requests weighted so that nine get no bid for each one
 * that gets a bid, and of reading a notice.
 */
export function noticeCounts(): { mix: OnOff; production: OnOff; notice: number } {
  const wasm = instrumented("count");
  const [on, off] = [new Decisions(wasm, CAMPAIGNS), new Decisions(wasm, CAMPAIGNS)];
  on.useNotices(SETTINGS);
  const texts = mix();
  const made = on.responses(texts).map(bidsOf);
  const [bids, others] = [texts.filter((_, at) => made[at]?.length), texts.filter((_, at) => !made[at]?.length)];
  const production = (one: Decisions) => BID_SHARE * one.mean(bids) + (1 - BID_SHARE) * one.mean(others);
  return {
    mix: { on: on.mean(texts), off: off.mean(texts) },
    production: { on: production(on), off: production(off) },
    notice: on.readingNotices(made.flat().map(billOf)),
  };
}

function eachCampaign(change: (campaign: Campaign, place: number) => object): (document: Document) => Document {
  return (document) => ({ ...document, campaigns: document.campaigns.map(change) as Campaign[] });
}

/** Of each four campaigns, one has multipliers and weights, and one has flights and a sequence. */
function withAttributes(campaign: Campaign, place: number): object {
  if (place % 2 === 0) return campaign;
  const bids = [
    { when: { country: { include: ["DEU"] }, devicetype: { include: [4] } }, times: "0.9" },
    { when: { hours: [{ from: 0, to: 6 }], zone: "Europe/Berlin" }, times: "0.7" },
  ];
  const flights = [{ start: "2026-01-01T00:00Z", end: "2026-06-01T00:00Z" }, { start: "2026-07-01T00:00Z" }];
  const creatives = campaign.creatives.map((crid, at) => ({ crid, weight: at + 1 }));
  return { ...campaign, ...(place % 4 === 1 ? { bids, creatives } : { flights, rotation: "sequence" }) };
}

/** All campaigns exclude a list with so many domains, which no request has. */
function excluding(count: number): (document: Document) => Document {
  const values = Array.from({ length: count }, (_, number) => `site-${number}.never.example`);
  const change = eachCampaign((campaign) => {
    const target = (campaign["target"] ?? {}) as { domain?: object };
    return { ...campaign, target: { ...target, domain: { ...target.domain, exclude_lists: ["never"] } } };
  });
  return (document) => ({ ...change(document), lists: [{ id: "never", values }] }) as Document;
}

/** The files of so many sites, none of them a site of the mix, so that the same bids are made. */
function authorised(count: number): (document: Document) => Document {
  const change = eachCampaign((campaign) => {
    return { ...campaign, target: { ...(campaign["target"] ?? {}), supply: { authorised: "known" } } };
  });
  const ads = Array.from({ length: count }, (_, number) => `site-${number}.never.example,0D:pub-${number}`);
  const supply = { date: "2026-11-01", systems: [{ domain: "exchange.example" }], ads };
  return (document) => {
    const ssps = document.ssps.map((ssp) => ({ ...ssp, domain: "exchange.example" }));
    return { ...change(document), ssps, supply } as Document;
  };
}
