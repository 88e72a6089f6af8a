//! Counts the WebAssembly instructions that features cost: decisions of the mix with 1,000 campaigns that use a
//! feature, beside decisions of the same catalog without it.

import { readFileSync } from "node:fs";
import type { InitOutput as Pacing } from "../../crates/pacer-wasm/pkg/pacer_wasm.js";
import { Instance } from "../../shared/wasm/instance.ts";
import { instrumented } from "../build.ts";
import type { Document } from "../catalogs/generate.ts";
import { bidsOf, billOf, SETTINGS } from "../notices/ways.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import { Decisions } from "./count.ts";

const CAMPAIGNS = 1000;
/** All requests: `WHOLE` in `crates/pacing/src/shares.rs`. */
const WHOLE = 2 ** 32 - 1;
/** The values of the shared list. */
const VALUES = 100_000;
/** The ranges of the list of addresses. */
const RANGES = 1_000_000;
/** How often the pacer hears the bids of the mix, so that it knows enough of each at. */
const HEARD = 100;
/** The share of requests in production that get a bid. */
const BID_SHARE = 0.1;

type Campaign = Document["campaigns"][number];

/** Every campaign has a budget and bids on all requests, within a bound, so matches and bids are counted. */
export function budgetChecks(): Record<string, number> {
  const wasm = instrumented("count");
  const on = new Decisions(
    wasm,
    CAMPAIGNS,
    eachCampaign((campaign) => ({ ...campaign, budget: { daily: "1000" } })),
  );
  const off = new Decisions(wasm, CAMPAIGNS);
  on.useShares(({ key }) => `${key} ${WHOLE}\nmost ${Number.MAX_SAFE_INTEGER}`);
  const texts = mix();
  const isEqual = JSON.stringify(on.responses(texts)) === JSON.stringify(off.responses(texts));
  if (!isEqual) throw new Error("a share of all requests changes a response");
  return { "decide.budgets_on_vs_off": on.mean(texts) / off.mean(texts) };
}

/**
 * Half of the campaigns use attributes that few campaigns have; half of them target context, screens, addresses and
 * first-party data; all campaigns exclude a shared list; all campaigns ask for
 * authorised sellers, which no file refuses.
 */
export function attributeChecks(): Record<string, number> {
  const wasm = instrumented("count");
  const texts = mix();
  const mean = (change?: (document: Document) => Document) => new Decisions(wasm, CAMPAIGNS, change).mean(texts);
  return {
    "decide.half_with_new_attributes": mean(eachCampaign(withAttributes)) / mean(),
    "decide.half_with_context": mean(withContext) / mean(),
    // The list in place of a rule with one value, so that only the list differs.
    "decide.list_vs_value": mean(excluding(VALUES)) / mean(excluding(1)),
    "decide.supply_on_vs_off": mean(authorised(VALUES)) / mean(),
  };
}

/**
 * What it costs that a request's address is looked up: the mean instructions more of a decision of the mix, in which each
 * request has an address, if all campaigns exclude a list of a million ranges, and of one range.
 */
export function addressCounts(): { million: number; one: number } {
  const wasm = instrumented("count");
  const texts = mix().map(withAddress);
  const mean = (change?: (document: Document) => Document) => new Decisions(wasm, CAMPAIGNS, change).mean(texts);
  const without = mean();
  return { million: mean(excludingRanges(RANGES)) - without, one: mean(excludingRanges(1)) - without };
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

/**
 * Every campaign learns prices, and the pacer has made curves of all spots of the mix; both have notices. Learned bids are
 * lower, so the search looks at more campaigns before it knows that none bids more: `_same_bids` is without this part.
 */
export function shadingChecks(): Record<string, number> {
  const wasm = instrumented("count");
  const on = new Decisions(
    wasm,
    CAMPAIGNS,
    eachCampaign((campaign) => ({ ...campaign, learn_shading: true })),
  );
  const off = new Decisions(wasm, CAMPAIGNS);
  for (const one of [on, off]) one.useNotices(SETTINGS);
  const texts = mix();
  const without = off.mean(texts);
  const same = on.mean(texts);
  on.instance.exports.set_shares(on.instance.putText(learnedShares(on, texts)));
  if (mean(prices(on.responses(texts))) >= mean(prices(off.responses(texts)))) throw new Error("no bid is learned");
  return {
    "decide.shading_on_vs_off": on.mean(texts) / without,
    "decide.shading_same_bids_vs_off": same / without,
  };
}

/** What the pacer sends after it has heard of the bids on these requests often, of which half were billed. */
function learnedShares(bidder: Decisions, texts: string[]): string {
  const pacer = new Instance<Pacing>(
    new WebAssembly.Module(readFileSync(new URL("../../crates/pacer-wasm/pkg/pacer_wasm_bg.wasm", import.meta.url))),
  );
  bidder.responses(texts);
  bidder.instance.exports.take_counts(NOW_MS);
  const counts = new TextDecoder().decode(bidder.instance.output());
  // A line ends with what it tells and how often; see `crates/shading/src/told.rs`.
  const won = (told: string) => (Number.parseInt(told, 16) - 0x8000).toString(16).padStart(5, "0");
  const bills = counts.replaceAll(/0[c-f][0-9a-f]{3}(?= \d+$)/gm, won);
  for (let n = 0; n < HEARD; n++) {
    pacer.exports.report(pacer.putText(counts));
    if (n % 2 === 0) pacer.exports.report(pacer.putText(bills));
  }
  pacer.exports.tick(NOW_MS);
  return new TextDecoder().decode(pacer.output());
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function prices(responses: (string | null)[]): number[] {
  return responses.flatMap(bidsOf).map(({ price }) => price);
}

function eachCampaign(change: (campaign: Campaign, at: number) => object): (document: Document) => Document {
  return (document) => ({ ...document, campaigns: document.campaigns.map(change) as Campaign[] });
}

/** Of each four campaigns, one has multipliers and weights, and one has flights and a sequence. */
function withAttributes(campaign: Campaign, at: number): object {
  if (at % 2 === 0) return campaign;
  const bids = [
    { when: { country: { include: ["DEU"] }, devicetype: { include: [4] } }, times: "0.9" },
    { when: { hours: [{ from: 0, to: 6 }], zone: "Europe/Berlin" }, times: "0.7" },
  ];
  const flights = [{ start: "2026-01-01T00:00Z", end: "2026-06-01T00:00Z" }, { start: "2026-07-01T00:00Z" }];
  const creatives = campaign.creatives.map((crid, at) => ({ crid, weight: at + 1 }));
  return { ...campaign, ...(at % 4 === 1 ? { bids, creatives } : { flights, rotation: "sequence" }) };
}

/** Every other campaign excludes values, which no request has, of all attributes about context, screens and addresses. */
function withContext(document: Document): Document {
  const texts = { exclude: ["never"] };
  const numbers = { exclude: [99] };
  const segments = { exclude: [{ provider: "never", id: "never" }] };
  const never = {
    ...{ content_id: texts, title: texts, series: texts, season: texts, episode: numbers, artist: texts, album: texts },
    ...{ isrc: texts, gtax: numbers, venuetype: texts, sourcetype: numbers, qty_vendor: texts, ifa_type: texts },
    ...{ inserter: texts, matcher: texts, cids: segments, ip: { exclude_lists: ["never"] } },
    segment: { exclude: [{ segtax: 4, id: "never" }] },
    content_segment: { exclude: [{ segtax: 7, id: "never" }] },
    data: [{ path: "site.ext.data.section", exclude: ["never"] }],
  };
  const change = eachCampaign((campaign, at) =>
    at % 2 === 0 ? campaign : { ...campaign, target: { ...never, ...(campaign["target"] ?? {}) } },
  );
  return { ...change(document), lists: [{ id: "never", values: ["192.0.2.0/24"] }] } as Document;
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

/** The request with an address, which no range has. */
function withAddress(text: string, at: number): string {
  const request = JSON.parse(text);
  return JSON.stringify({ ...request, device: { ...request.device, ip: `203.0.${at % 256}.7` } });
}

/** All campaigns exclude a list of so many single addresses that do not touch. */
function excludingRanges(count: number): (document: Document) => Document {
  const values = Array.from({ length: count }, (_, at) => `${16 + (at >> 15)}.${(at >> 7) & 255}.${(at << 1) & 255}.1`);
  const change = eachCampaign((campaign) => {
    return { ...campaign, target: { ...(campaign["target"] ?? {}), ip: { exclude_lists: ["ranges"] } } };
  });
  return (document) => ({ ...change(document), lists: [{ id: "ranges", values }] }) as Document;
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
