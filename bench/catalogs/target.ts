//! Generates targeting. A fixed share of the campaigns targets each dimension (the head of `generate.ts` lists them). A
//! rule lists a few values of `vocabulary.ts`, and frequent values are drawn more often.

import { between, chance } from "../../tools/traffic/draw.ts";
import type { Random } from "../../tools/traffic/random.ts";
import {
  BUNDLES,
  CATEGORIES,
  CITIES,
  COUNTRIES,
  DEVICE_TYPES,
  DOMAINS,
  KEYWORDS,
  PUBLISHERS,
  SEGMENTS,
  SYSTEMS,
} from "../../tools/traffic/vocabulary.ts";

/** The targeting of a campaign; undefined for a campaign that bids everywhere. */
export function target(random: Random): object | undefined {
  const rules = {
    ...(chance(random, 0.85) && { country: { include: COUNTRIES.several(random, countryCount(random)) } }),
    ...(chance(random, 0.3) && { devicetype: { include: DEVICE_TYPES.several(random, between(random, 1, 2)) } }),
    ...(chance(random, 0.2) && { os: { include: SYSTEMS.several(random, between(random, 1, 2)) } }),
    ...(chance(random, 0.03) && { osv: { min: String(between(random, 10, 18)) } }),
    ...(chance(random, 0.25) && locations(random)),
    ...(chance(random, 0.25) && {
      segment: {
        include: SEGMENTS.several(random, between(random, 1, 3)),
        ...(chance(random, 0.2) && { exclude: [SEGMENTS.draw(random)] }),
      },
    }),
    ...(chance(random, 0.2) && { cat: { include: CATEGORIES.several(random, between(random, 1, 4)) } }),
    ...(chance(random, 0.05) && local(random)),
    ...(chance(random, 0.1) && hours(random)),
    ...(chance(random, 0.03) && { keywords: { include: KEYWORDS.several(random, between(random, 1, 3)) } }),
    ...(chance(random, 0.15) && { channel: [random.pick(["site", "site", "app"])] }),
    ...(chance(random, 0.03) && { language: { include: [random.pick(["de", "en", "fr", "ja"])] } }),
    ...(chance(random, 0.02) && { pos: { include: [1, 3] } }),
  };
  // Domains to avoid.
  if (chance(random, 0.2)) {
    const listed = rules as { domain?: object };
    listed.domain = { ...listed.domain, exclude: DOMAINS.several(random, between(random, 3, 9)) };
  }
  return Object.keys(rules).length > 0 ? rules : undefined;
}

/** One country in 70 % of the cases, two or three in 20 %, four to eight in 10 %. */
function countryCount(random: Random): number {
  if (chance(random, 0.7)) return 1;
  return chance(random, 2 / 3) ? between(random, 2, 3) : between(random, 4, 8);
}

/** Publishers in one of ten cases, app bundles in three, otherwise domains. */
function locations(random: Random): object {
  const count = between(random, 2, 8);
  const kind = random.below(10);
  if (kind === 0) return { publisher: { include: PUBLISHERS.several(random, count) } };
  if (kind < 4) return { bundle: { include: BUNDLES.several(random, count) } };
  return { domain: { include: DOMAINS.several(random, count) } };
}

function local(random: Random): object {
  const { city, zips, lat, lon } = random.pick(CITIES);
  switch (random.below(3)) {
    case 0:
      return { city: { include: [city] } };
    case 1:
      return { zip: { include: Array.from({ length: 5 }, () => `${zips}${random.text(2, "0123456789")}`) } };
    default:
      return { radius: { include: [{ lat: String(lat), lon: String(lon), metres: between(random, 2, 60) * 1000 }] } };
  }
}

/** Hours of the day, in the user's own time or in a named zone. */
function hours(random: Random): object {
  const from = between(random, 5, 16);
  return {
    hours: [{ ...(chance(random, 0.5) && { days: [1, 2, 3, 4, 5] }), from, to: between(random, from + 2, 24) }],
    ...(chance(random, 0.7) && { zone: "Europe/Berlin" }),
  };
}
