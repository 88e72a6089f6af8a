//! Makes the *mix*: the list of requests on which whole decisions are measured.
//!
//! - Each request of `fixtures/bid` and `fixtures/no-bid` once, varied: some 400 small requests, each for one rule.
//! - The bodies in `bench/bodies/`, varied: 64 each of 0.6, 1.3 and 3.8 KB and of the no-bid, 8 of 25 KB, one of
//!   100 KB, because large requests are rare in traffic. Country (in 7 of 10), domain, bundle, publisher, segments and
//!   deals come from the vocabulary of the generated catalogs. Consent strings are valid.
//!
//! The order is random, but equal in every run. Varying keeps sizes, lengths and types, so the mix gets as many bids as
//! the original requests.

import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { consent } from "../../tools/traffic/consent.ts";
import { chance } from "../../tools/traffic/draw.ts";
import { Random } from "../../tools/traffic/random.ts";
import { BUNDLES, COUNTRIES, DEALS, DOMAINS, PUBLISHERS, SEGMENTS } from "../../tools/traffic/vocabulary.ts";
import { text, varied } from "../bodies/vary.ts";

const COPIES = { "0.6k": 64, "1.3k": 64, "3.8k": 64, "no-bid": 64, "25k": 8, "100k": 1 };

const FIXED = new Set(
  (
    "w h wmin hmin len mimes tmax minduration maxduration rqddurs poddur mindur maxdur cur bcat acat cat sectioncat " +
    "pagecat bundle domain consent gpp gpp_sid us_privacy osv startdelay exp dt bidders wlang wlangb yob"
  ).split(" "),
);

/** The texts in sending order. */
export function mix(): string[] {
  const random = new Random(628);
  const bench = new URL("../", import.meta.url);
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, bench), "utf8"));
  const fixtures = ["bid", "no-bid"].flatMap((kind) => {
    const folder = `../fixtures/${kind}`;
    const names = readdirSync(new URL(folder, bench)).map((file) => basename(file, ".json"));
    return names.sort().map((name) => varied(read(`${folder}/${name}.json`), random, FIXED));
  });
  const bodies = Object.entries(COPIES).flatMap(([name, count]) => {
    const body = read(`bodies/${name}.json`);
    return Array.from({ length: count }, () => relocated(varied(body, random, FIXED) as Body, random));
  });
  return shuffled([...fixtures, ...bodies].map(text), random);
}

/** The attributes that `relocated` changes. */
interface Body {
  imp: { pmp?: { deals?: { id: string }[] } }[];
  site?: { domain?: string; publisher?: { id?: string } };
  app?: { bundle?: string };
  device?: { geo?: { country?: string } };
  user?: { consent?: string; data?: { id?: string; segment?: { id: string }[] }[] };
}

/** The request with another location and another user. */
function relocated(body: Body, random: Random): Body {
  const { site, app, device, user } = body;
  if (site) {
    site.domain = DOMAINS.draw(random);
    site.publisher = { ...site.publisher, id: PUBLISHERS.draw(random) };
  }
  if (app) app.bundle = BUNDLES.draw(random);
  // A city or postal code would contradict the new country, so the rest of `geo` goes.
  if (device?.geo && chance(random, 0.7)) device.geo = { country: COUNTRIES.draw(random) };
  if (user?.consent) user.consent = consent(random);
  for (const data of user?.data ?? []) {
    const first = SEGMENTS.draw(random);
    data.id = first.provider;
    // In the vocabulary, every eighth segment has the same provider.
    data.segment = data.segment?.map((_, at) => ({ id: String(Number(first.id) + 8 * at) })) ?? [];
  }
  for (const { pmp } of body.imp) for (const deal of pmp?.deals ?? []) deal.id = DEALS.draw(random);
  return body;
}

function shuffled<T>(items: T[], random: Random): T[] {
  const order = items.map((item) => ({ item, lot: random.below(2 ** 32) }));
  return order.sort((a, b) => a.lot - b.lot).map(({ item }) => item);
}
