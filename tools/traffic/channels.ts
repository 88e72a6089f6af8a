//! Where an ad is shown: a site, an app, or a screen in public.

import type { Wish } from "./demand.ts";
import { between, chance, shares } from "./draw.ts";
import type { Random } from "./random.ts";
import { BUNDLES, CATEGORIES, DOMAINS, KEYWORDS, PUBLISHERS } from "./vocabulary.ts";

/** Share of each channel. */
const CHANNELS = shares("site 54, app 44, dooh 2");

const GENRES = ["news", "drama", "sport", "comedy"] as const;
const RATINGS = ["TV-G", "TV-PG", "PG-13"] as const;

export function channelOf(random: Random, wish: Wish): string {
  if (wish.channel) return wish.channel;
  if (wish.bundle) return "app";
  if (wish.domain) return "site";
  return CHANNELS.draw(random);
}

/** The object of the channel, for the attribute of its name. */
export function channelObject(random: Random, channel: string, language: string, isTv: boolean, wish: Wish): object {
  const publisher = { id: wish.publisher ?? PUBLISHERS.draw(random) };
  if (channel === "dooh") return dooh(random, publisher);
  return channel === "app" ? app(random, publisher, language, isTv, wish) : site(random, publisher, language, wish);
}

function site(random: Random, publisher: { id: string }, language: string, wish: Wish): object {
  const domain = wish.domain ?? DOMAINS.draw(random);
  const cat = categories(random, wish);
  const page = `https://www.${domain}/${random.pick(["kultur", "sport", "news", "reise"])}/2026/11/${random.hex(8)}.html`;
  return {
    id: String(between(random, 10_000, 999_999)),
    name: domain.split(".")[0],
    ...(chance(random, 0.95) && { domain }),
    cat,
    ...(chance(random, 0.3) && { pagecat: cat.slice(0, 1) }),
    page: chance(random, 0.4) ? `${page}?utm_source=start&utm_medium=teaser&id=${random.below(1e6)}` : page,
    ...(chance(random, 0.5) && { ref: `https://www.${domain}/` }),
    ...(chance(random, 0.6) && { mobile: 1 }),
    privacypolicy: 1,
    publisher: { ...publisher, ...(chance(random, 0.6) && { name: `${domain} Media`, domain }) },
    ...(chance(random, 0.3) && keywords(random, wish)),
    ...(chance(random, 0.2) && { content: content(random, language, false) }),
  };
}

function app(random: Random, publisher: { id: string }, language: string, isTv: boolean, wish: Wish): object {
  const bundle = wish.bundle ?? BUNDLES.draw(random);
  const isApple = /^\d+$/.test(bundle);
  const store = isApple ? `https://apps.example/app/id${bundle}` : `https://play.example/details?id=${bundle}`;
  return {
    id: String(between(random, 10_000, 999_999)),
    name: bundle.split(".").at(-1),
    bundle,
    ...(chance(random, 0.5) && { domain: wish.domain ?? DOMAINS.draw(random) }),
    storeurl: store,
    cat: categories(random, wish),
    ver: `${between(random, 1, 9)}.${random.below(30)}.${random.below(10)}`,
    privacypolicy: 1,
    paid: 0,
    publisher: { ...publisher, ...(chance(random, 0.5) && { name: "App Studio" }) },
    ...(chance(random, 0.2) && keywords(random, wish)),
    ...(isTv && { content: content(random, language, true) }),
  };
}

function dooh(random: Random, publisher: { id: string }): object {
  return {
    id: `screen-${between(random, 1, 5000)}`,
    name: "Central station, hall",
    venuetype: [random.pick(["transit.train_stations.platform", "retail.grocery.shop_entrance", "outdoor.billboards"])],
    venuetypetax: 1,
    publisher,
  };
}

function categories(random: Random, wish: Wish): string[] {
  const drawn = CATEGORIES.several(random, between(random, 1, 3));
  return wish.cat ? [wish.cat, ...drawn.filter((cat) => cat !== wish.cat)] : drawn;
}

function keywords(random: Random, wish: Wish): { keywords: string } | { kwarray: string[] } {
  const words = [...(wish.keywords ? [wish.keywords] : []), ...KEYWORDS.several(random, between(random, 1, 4))];
  return chance(random, 0.8) ? { keywords: words.join(",") } : { kwarray: words };
}

function content(random: Random, language: string, isTv: boolean): object {
  return {
    title: random.pick(["Das Konzert im Hof – Übertragung für alle", "Evening news", "Les mots de la fin"]),
    language,
    ...(isTv && {
      series: "The long way home",
      season: String(between(random, 1, 9)),
      episode: between(random, 1, 24),
      genre: random.pick(GENRES),
      contentrating: random.pick(RATINGS),
      len: random.pick([1320, 2640, 5400]),
      network: { name: "Example Network" },
      channel: { name: "Example One" },
    }),
    livestream: Number(chance(random, 0.15)),
  };
}
