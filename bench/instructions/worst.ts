//! The cost of deciding on hostile requests, as a multiple of the mean cost of a request of the mix
//! (`requests/mix.ts`). The cost of reading is not included.

import { Random } from "../../tools/traffic/random.ts";
import { instrumented } from "../build.ts";
import type { Document } from "../catalogs/generate.ts";
import { mix } from "../requests/mix.ts";
import { Decisions } from "./count.ts";
import { type Hostile, mutated } from "./hostile.ts";

/** A request and its cost. */
export interface Cost {
  name: string;
  bytes: number;
  instructions: number;
  /** The cost divided by the mean cost of a request of the mix. */
  share: number;
}

/** The catalog to decide with. */
export interface Setup {
  campaigns: number;
  /** Maximum size of an answer in bytes, if the SSP has one. */
  maxResponseBytes?: number;
  /** Whether the creatives and campaigns have lists as long as a buyer could push them, and many seats have names. */
  isLong?: boolean;
}

/** How many changes of the worst request are tried in each setup. */
const CLIMBS = 60;

/**
 * The costs in each setup, highest first. From the worst request on, changes are tried, and those that cost more kept.
 */
export function costs(setups: readonly Setup[], requests: readonly Hostile[]): { setup: Setup; costs: Cost[] }[] {
  const wasm = instrumented("count");
  return setups.map((setup) => {
    const mean = new Decisions(wasm, setup.campaigns).mean(mix());
    const decisions = new Decisions(wasm, setup.campaigns, (catalog) => changed(catalog, setup));
    const cost = ({ name, text }: Hostile): Cost => {
      const instructions = decisions.beyondReading([text]);
      return { name, bytes: text.length, instructions, share: instructions / mean };
    };
    const all = requests.map((request) => ({ request, own: cost(request) }));
    let worst = all.reduce((worst, one) => (one.own.share > worst.own.share ? one : worst));
    const random = new Random(1);
    for (let at = 0; at < CLIMBS; at++) {
      const request = mutated(worst.request, random);
      const own = cost(request);
      if (own.share > worst.own.share) worst = { request, own };
    }
    return { setup, costs: [...all, worst].map(({ own }) => own).sort((a, b) => b.share - a.share) };
  });
}

function changed(catalog: Document, { maxResponseBytes, isLong }: Setup): Document {
  const limit = maxResponseBytes === undefined ? {} : { max_response_bytes: maxResponseBytes };
  const own = isLong ? lengthened(catalog) : catalog;
  return { ...own, ssps: own.ssps.map((ssp) => ({ ...ssp, ...limit })) };
}

function lengthened(catalog: Document): Document {
  const many = <T>(count: number, entry: (at: number) => T) => Array.from({ length: count }, (_, at) => entry(at));
  const url = (crid: string, at: number) => `https://v.example/${crid}/${at}.mp4`;
  const numbers = many(40, (at) => at + 1);
  const companions = many(20, () => ({ w: 1, h: 1, html: "<b>x</b>", attr: numbers, api: numbers }));
  const creatives = catalog.creatives.map((creative, at) => {
    const { crid, banner, video, native } = creative as Record<string, object | undefined>;
    const media = many(100, (at) => ({ url: url(String(crid), at), mime: "video/mp4", bitrate: 900 }));
    const [macros, name] = at % 2 ? [20, "site.page"] : [2000, "imp.id"];
    const adm = many(macros, () => `<img src='https://t.example/?u={${name}}'>`).join("");
    const data = many(40, (at) => ({ type: at % 12, value: "{site.page}" }));
    return {
      ...creative,
      ...(banner && { banner: { ...banner, adm } }),
      ...(video && { video: { ...video, media, companions, companion_required: at % 3 === 0 } }),
      ...(native && { native: { ...native, data } }),
    };
  });
  const campaigns = catalog.campaigns.map((campaign) => ({
    ...campaign,
    adomain: many(20, (at) => `${campaign.cid}-${at}.example`),
    cat: many(20, (at) => `IAB${(at % 25) + 1}`),
  }));
  const seats = many(5000, (at) => ({ seat: `seat-${at + 1}`, name: `name-${at}` }));
  return { ...catalog, ssps: catalog.ssps.map((ssp) => ({ ...ssp, seats })), creatives, campaigns };
}
