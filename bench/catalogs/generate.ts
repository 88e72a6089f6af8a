//! Generates catalogs of any size with the distributions of real demand. Equal sizes give equal documents.
//!
//! - Country: 85 % of the campaigns, Zipf over 60 countries (exponent 1.1). Of those, 70 % name one country, 20 % two
//!   or three, 10 % four to eight.
//! - Device type 30 %, operating system 20 %, its version 3 %, channel 15 %, language 3 %, position 2 %.
//! - Lists of domains, bundles or publishers: 25 % (2 to 8 entries, Zipf). Blocked domains: 20 % (3 to 9 entries).
//! - Segments: 25 % (1 to 3 of 3,000, Zipf; every fifth of these campaigns also excludes a segment). Categories 20 %,
//!   keywords 3 %.
//! - A city, postal codes or a circle: 5 %. Hours: 10 %, most in a named time zone.
//! - Deals: 5 %; two fifths of these campaigns bid in deals only. One campaign in ten has bid shading.
//! - Prices: log-normal, median 1.80, sigma 0.7; 85 % in dollars, 10 % in euros, 5 % in pounds.
//! - Creatives: two for every five campaigns, one to three in each campaign. Banner 72 %, video 17 %, native 9 %,
//!   audio 2 %. Banner sizes are as frequent as on the web (see `vocabulary.ts`).
//! - One seat for twenty and one advertiser for three campaigns, Zipf.
//! - Every twentieth campaign has the information that the Digital Services Act asks for.
//!
//! The document has no budgets, so no campaign is paced or capped.

import { VENDOR_ID } from "../../tools/traffic/consent.ts";
import { between, chance, logNormal, Weighted, zipf } from "../../tools/traffic/draw.ts";
import { Random } from "../../tools/traffic/random.ts";
import { CATEGORIES, DEALS } from "../../tools/traffic/vocabulary.ts";
import { type Creative, creative } from "./creatives.ts";
import { target } from "./target.ts";

export interface Campaign {
  cid: string;
  max_cpm: string;
  creatives: string[];
  [attribute: string]: unknown;
}

/** A catalog document. */
export interface Document {
  format: 1;
  rates: { cur: string; usd: string }[];
  privacy: { vendor_id: number };
  ssps: { id: string }[];
  creatives: Creative[];
  campaigns: Campaign[];
}

/** The information about an ad that the Digital Services Act requires. The large request bodies ask for it. */
const DSA = {
  behalf: "Acme Ltd.",
  paid: "Agency One",
  adrender: 1,
  transparency: [{ domain: "bidder.example", dsaparams: [1, 2] }],
};

/** The part that all generated catalogs share. It has one SSP, from which all requests come. */
export const COMMON = {
  format: 1,
  rates: [
    { cur: "EUR", usd: "1.0837" },
    { cur: "GBP", usd: "1.2704" },
  ],
  privacy: { vendor_id: VENDOR_ID },
  ssps: [{ id: "demo" }],
} satisfies Partial<Document>;

const CURRENCIES = new Weighted([
  ["USD", 85],
  ["EUR", 10],
  ["GBP", 5],
]);
const MEDIAN_CPM = 1.8;
const SIGMA_CPM = 0.7;

/** A document with this many campaigns. */
export function generate(count: number): Document {
  const random = new Random(count);
  const creatives = Array.from({ length: Math.max(10, Math.ceil(count * 0.4)) }, (_, at) => creative(random, at));
  const seats = zipf(names("seat-", Math.ceil(count / 20) + 10), 0.8);
  const advertisers = zipf(names("brand", Math.ceil(count / 3) + 5, ".example"), 0.6);
  const campaigns = Array.from({ length: count }, (_, at) => {
    const cur = CURRENCIES.draw(random);
    const price = Math.max(0.05, logNormal(random, MEDIAN_CPM, SIGMA_CPM));
    const where = target(random);
    return {
      cid: `c${at}`,
      seat: seats.draw(random),
      adomain: [advertisers.draw(random)],
      cat: [CATEGORIES.draw(random)],
      max_cpm: price.toFixed(2),
      ...(cur !== "USD" && { cur }),
      ...(chance(random, 0.05) && {
        deals: DEALS.several(random, between(random, 1, 3)),
        ...(chance(random, 0.4) && { open: false }),
      }),
      ...(where && { target: where }),
      creatives: several(random, creatives),
      ...(chance(random, 0.1) && { shading: { typical: (price * 0.6 + 0.01).toFixed(2), steepness: 2 } }),
      ...(at % 20 === 0 && { dsa: DSA }),
      ...(chance(random, 0.4) && { burl: `https://t.example/b?c=${at}&p=\${AUCTION_PRICE}` }),
    };
  });
  return { ...COMMON, creatives, campaigns };
}

function several(random: Random, creatives: Creative[]): string[] {
  const wanted = random.pick([1, 1, 1, 2, 2, 3]);
  const drawn = Array.from({ length: wanted }, () => creatives[random.below(creatives.length)]?.crid ?? "");
  return [...new Set(drawn)];
}

function names(begin: string, count: number, end = ""): string[] {
  return Array.from({ length: count }, (_, at) => `${begin}${at + 1}${end}`);
}
