//! Generates targeting. A fixed share of the campaigns targets each dimension. A rule lists a few values of
//! `vocabulary.ts`, and frequent values are drawn more often.

import { between, chance, type Weighted } from "../../cli/traffic/draw.ts";
import type { Random } from "../../cli/traffic/random.ts";
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
} from "../../cli/traffic/vocabulary.ts";

/** The share of campaigns that target each dimension. */
const SHARES = {
  country: 0.85,
  devicetype: 0.3,
  os: 0.2,
  osv: 0.03,
  /** Domains, app bundles or publishers to bid on. */
  places: 0.25,
  /** Domains to avoid. */
  blocked: 0.2,
  segment: 0.25,
  cat: 0.2,
  /** A city, postal codes or a circle. */
  local: 0.05,
  hours: 0.1,
  keywords: 0.03,
  channel: 0.15,
  language: 0.03,
  position: 0.02,
} as const;

/** The targeting of a campaign; undefined for a campaign that bids everywhere. */
export function target(random: Random): object | undefined {
  const wants = (dimension: keyof typeof SHARES) => chance(random, SHARES[dimension]);
  const rules = {
    ...(wants("country") && { country: { include: COUNTRIES.several(random, countryCount(random)) } }),
    ...(wants("devicetype") && { devicetype: { include: DEVICE_TYPES.several(random, between(random, 1, 2)) } }),
    ...(wants("os") && { os: { include: SYSTEMS.several(random, between(random, 1, 2)) } }),
    ...(wants("osv") && { osv: { min: String(between(random, 10, 18)) } }),
    ...(wants("places") && places(random)),
    ...(wants("segment") && {
      segment: {
        include: SEGMENTS.several(random, between(random, 1, 3)),
        ...(chance(random, 0.2) && { exclude: [SEGMENTS.draw(random)] }),
      },
    }),
    ...(wants("cat") && among(random, CATEGORIES, between(random, 1, 4))),
    ...(wants("local") && local(random)),
    ...(wants("hours") && hours(random)),
    ...(wants("keywords") && { keywords: { include: KEYWORDS.several(random, between(random, 1, 3)) } }),
    ...(wants("channel") && { channel: [random.pick(["site", "site", "app"])] }),
    ...(wants("language") && { language: { include: [random.pick(["de", "en", "fr", "ja"])] } }),
    ...(wants("position") && { pos: { include: [1, 3] } }),
  };
  if (wants("blocked")) {
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

function among(random: Random, categories: Weighted<string>, count: number): object {
  return { cat: { include: categories.several(random, count) } };
}

function places(random: Random): object {
  const count = between(random, 2, 8);
  switch (random.below(10)) {
    case 0:
      return { publisher: { include: PUBLISHERS.several(random, count) } };
    case 1:
    case 2:
    case 3:
      return { bundle: { include: BUNDLES.several(random, count) } };
    default:
      return { domain: { include: DOMAINS.several(random, count) } };
  }
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
