//! Catalogs that are hard for an index: every campaign matches, or only the cheapest one does.

import { Random } from "../../tools/traffic/random.ts";
import { banner, type Creative, native, video } from "./creatives.ts";
import { type Campaign, COMMON, type Document } from "./generate.ts";

const SIZES = [
  [300, 250],
  [320, 50],
  [728, 90],
  [160, 600],
  [300, 600],
  [970, 250],
  [320, 100],
  [336, 280],
  [320, 480],
] as const;

/** Targeting that no measured request meets and that the index cannot decide: version ranges, circles, metrics. */
const NEVER = [
  { osv: { min: "99" } },
  { radius: { include: [{ lat: "-89.9", lon: "0", metres: 1000 }] } },
  { metric: [{ type: "viewability", min: "1.1" }] },
] as const;

/** A catalog whose campaigns have no targeting and creatives of every usual size. All prices differ. */
export function everythingMatches(count: number): Document {
  return document(count, () => ({}));
}

/** A catalog in which only the last campaign, which is the cheapest, can match. */
export function onlyTheLastMatches(count: number): Document {
  return document(count, (at) => (at < count - 1 ? { target: NEVER[at % NEVER.length] } : {}));
}

function document(count: number, rest: (at: number) => Partial<Campaign>): Document {
  const random = new Random(count);
  const creatives: Creative[] = [
    ...SIZES.map((size, at) => banner(random, `b${at}`, size)),
    video(random, "v0"),
    native(random, "n0"),
  ].map(({ api: _, attr: __, ...creative }) => creative as Creative);
  const campaigns = Array.from({ length: count }, (_, at) => ({
    cid: `c${at}`,
    seat: `seat-${at % 100}`,
    adomain: [`brand${at % 1000}.example`],
    max_cpm: (20 - at * 0.0003).toFixed(4),
    creatives: creatives.map(({ crid }) => crid),
    ...rest(at),
  }));
  return { ...COMMON, creatives, campaigns };
}
