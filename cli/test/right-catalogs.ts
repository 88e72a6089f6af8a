//! Draws catalogs as a careful person writes them: each value is one that exchanges send, every rule leaves requests
//! that it matches, and campaigns have zones, budgets and deals that their SSPs list.

import { type Creative, creative } from "../../bench/catalogs/creatives.ts";
import { type City, cityNamed } from "../../tools/traffic/countries.ts";
import { between, chance } from "../../tools/traffic/draw.ts";
import { Random } from "../../tools/traffic/random.ts";
import { CATEGORIES, DOMAINS, PUBLISHERS, SEGMENTS } from "../../tools/traffic/vocabulary.ts";

type Names = readonly [string, string, string];

/** Cities with their country and a time zone in which its campaigns may think. */
const CITIES: [Names, ...Names[]] = [
  ["Berlin", "DEU", "Europe/Berlin"],
  ["Hamburg", "DEU", "UTC"],
  ["Paris", "FRA", "Europe/Paris"],
  ["London", "GBR", "Europe/London"],
  ["Denver", "USA", "America/Denver"],
  ["New York", "USA", "America/New_York"],
];
/** Names that contain words for the other side, as parts of other words. */
const INCLUDED = ["blockbuster", "news-sites", "denyse", "unblockable2026"] as const;
const EXCLUDED = ["disallowed", "shallow-content", "brand-safety", "Competitors"] as const;
/** Operating systems with the maker of a device and an app of their store. */
const SYSTEMS: [Names, ...Names[]] = [
  ["iOS", "Apple", "1234567890"],
  ["Android", "Samsung", "com.example.weather"],
];

/** A catalog without a mistake. Equal seeds give equal catalogs. */
export function rightCatalog(seed: number): object {
  const random = new Random(seed);
  const ssps = ["demo", "east", "west"].slice(0, between(random, 1, 3)).map((id, at) => ({
    id,
    ...(chance(random, 0.5) && { credentials: [random.hex(64)] }),
    ...(chance(random, 0.3) && { gzip: true }),
    ...(chance(random, 0.3) && { notice_hours: between(random, 1, 48) }),
    deals: [`deal-${at}`, `private-${at}`],
  }));
  const creatives = Array.from({ length: between(random, 1, 4) }, (_, at) => creative(random, at));
  const orders = chance(random, 0.3) ? [{ id: "io-1", ...budget(random), cur: "EUR", zone: "Europe/Berlin" }] : [];
  const [included, excluded] = [random.pick(INCLUDED), random.pick(EXCLUDED)];
  const lists = [
    { id: included, values: DOMAINS.several(random, 5) },
    { id: excluded, values: ["casino.example", "gossip.example"] },
  ];
  // Each creative is shown, each list and order is used, and the first campaign buys from every SSP.
  const campaigns = creatives.map((own, at) =>
    campaign(random, {
      ...{
        at,
        own,
        creatives,
        ssps,
        domain: at === 0 ? { include_lists: [included], exclude_lists: [excluded] } : null,
      },
      order: at === 0 ? orders[0]?.id : undefined,
    }),
  );
  return {
    format: 1,
    privacy: { vendor_id: between(random, 1, 1500) },
    rates: [
      { cur: "EUR", usd: `1.0${between(random, 10, 99)}` },
      { cur: "GBP", usd: `1.2${between(random, 10, 99)}` },
    ],
    ...{ ssps, lists, orders, creatives, campaigns },
  };
}

interface Given {
  at: number;
  own: Creative;
  creatives: Creative[];
  ssps: { id: string; deals: string[] }[];
  domain: object | null;
  order: string | undefined;
}

function campaign(random: Random, { at, own, creatives, ssps, domain, order }: Given): object {
  const ssp = ssps[random.below(ssps.length)];
  const price = between(random, 50, 900) / 100;
  const more = creatives[random.below(creatives.length)]?.crid ?? own.crid;
  const cur = order === undefined ? random.pick(["USD", "EUR", "GBP"]) : "EUR";
  const sites = target(random, domain);
  const when = { when: { devicetype: { include: [4] } }, times: `1.${between(random, 1, 9)}` };
  return {
    cid: `campaign-${at}`,
    seat: "agency-1",
    adomain: [`brand${at}.example`],
    cat: [CATEGORIES.draw(random)],
    ...{ max_cpm: price.toFixed(2), cur, target: sites, creatives: [...new Set([own.crid, more])] },
    ...(order === undefined ? budget(random) : { budget_of: order }),
    ...(at > 0 &&
      chance(random, 0.3) &&
      ssp && { ssps: [ssp.id], deals: [ssp.deals[0], { id: ssp.deals[1], max_cpm: "9.00" }] }),
    ...(chance(random, 0.3) && { shading: { typical: (price * 0.6).toFixed(2), steepness: between(random, 1, 4) } }),
    ...(chance(random, 0.3) && !("devicetype" in sites) && { bids: [when] }),
    ...(chance(random, 0.4) && { caps: [{ n: between(random, 1, 5), per: random.pick(["hour", "day", "week"]) }] }),
    ...(chance(random, 0.3) && { start: "2094-01-01T00:00Z", end: "2094-02-01T00:00Z" }),
    ...(chance(random, 0.1) && { paused: true }),
  };
}

/** A budget of which a thousand impressions are a small part. */
function budget(random: Random): object {
  const daily = between(random, 100, 5000);
  return { budget: { daily: `${daily}`, ...(chance(random, 0.5) && { total: `${daily * between(random, 7, 90)}` }) } };
}

function target(random: Random, domain: object | null): object {
  const [name, country, zone] = random.pick(CITIES);
  const { region, city, zips, lat, lon } = cityNamed(name) as City;
  const [os, make, app] = random.pick(SYSTEMS);
  const near = random.pick<object>([
    {},
    { region: { include: [region] } },
    { city: { include: [city] } },
    { zip: { include: [`${zips}01`, `${zips}02`] } },
    { radius: { include: [{ lat: `${lat}`, lon: `${lon}`, metres: between(random, 1, 50) * 1000 }] } },
  ]);
  const channels = [
    {},
    { domain: { include: DOMAINS.several(random, 3), exclude: ["gossip.example"] } },
    { channel: ["app"], os: { include: [os] }, bundle: { include: [app] } },
    { publisher: { include: PUBLISHERS.several(random, 2) } },
  ] as const;
  const from = between(random, 0, 20);
  return {
    country: { include: [country] },
    ...near,
    ...(domain === null ? random.pick(channels) : { domain }),
    zone,
    ...(chance(random, 0.4) && { hours: [{ days: [1, 2, 3, 4, 5], from, to: between(random, from + 1, 24) }] }),
    ...(chance(random, 0.2) && { os: { include: [os] }, make: { include: [make] } }),
    ...(chance(random, 0.2) && { devicetype: { include: [4, 5] } }),
    ...(chance(random, 0.2) && { connectiontype: { include: [2, 6, 7] } }),
    ...(chance(random, 0.2) && { segment: { include: SEGMENTS.several(random, 2) } }),
    ...(chance(random, 0.2) && { yob: { min: 1960, max: 2004 } }),
    ...(chance(random, 0.2) && { language: { include: ["de", "en", "fr"] } }),
    ...(chance(random, 0.2) && { metric: [{ type: "viewability", min: "0.7" }] }),
  };
}
