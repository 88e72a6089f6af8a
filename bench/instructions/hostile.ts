//! Requests that cause as much work as possible. They have long lists of everything that a decision loops over, one
//! list alone or several together, on one impression or on many. Equal seeds give equal requests.

import { Random } from "../../tools/traffic/random.ts";
import { BUNDLES, CATEGORIES, DEALS, DOMAINS, SEGMENTS } from "../../tools/traffic/vocabulary.ts";

export interface Hostile {
  name: string;
  text: string;
  imps: number;
  /** The lists that it has, each with its number of entries. */
  fills: Fills;
}

type Fills = readonly (readonly [string, number])[];

// biome-ignore lint/suspicious/noExplicitAny: parts of requests, of any shape
type Part = any;

type Fill = (request: Part, count: number, random: Random) => unknown;

/** An entry of a list: of its position, of how long the list is, and of random numbers. */
type Entry = (at: number, count: number, random: Random) => unknown;

const VIDEO = { mimes: ["video/mp4"], protocols: [2, 3, 5, 6, 7, 8], w: 640, h: 360, minduration: 1, maxduration: 120 };
const NATIVE_ASSETS = [{ id: 1, title: { len: 90 } }];
const OUR_ASSETS = [{ title: { len: 90 } }, { img: { type: 3, wmin: 1, hmin: 1 } }, { data: { type: 12 } }];

/**
 * Functions that each fill one list of a request with `count` entries. The order is part of the random combinations.
 */
const FILLS: Record<string, Fill> = {
  acat: at("acat", (at) => (at % 2 ? "IAB1" : `IAB${at % 26}-${at % 40}`)),
  acatOfOurs: at("acat", (_at, _count, random) => CATEGORIES.draw(random)),
  bcat: at("bcat", (at) => `IAB${at % 90}`),
  badv: at("badv", (at) => `brand${at}.example`),
  bapp: at("bapp", (at) => `com.app.number${at}`),
  wseat: at("wseat", (at) => `seat-${at}`),
  wlang: at("wlang", lastly("en", "zz")),
  wlangb: at("wlangb", () => "zz-ZZ"),
  bundles: at("bapp", (_at, _count, random) => BUNDLES.draw(random)),
  keywords: set("site.keywords", (count) => list(count, (at) => `k${at % 50}`).join(",")),
  kwarray: at("site.kwarray", (at) => `keyword-${at}`),
  cat: at("site.cat", (at) => `IAB${at % 26}-${at % 40}`),
  segments: set("user.data", (count, random) => {
    const drawn = Map.groupBy(
      list(count, () => SEGMENTS.draw(random)),
      ({ provider }) => provider,
    );
    return [...drawn].map(([id, segments]) => ({ id, segment: segments.map(({ id }) => ({ id })) }));
  }),
  eids: at("user.eids", (at) => ({ source: `id${at}.example`, uids: [{ id: "x" }], mm: at % 6 })),
  nodes: set("source.schain", (count) => {
    return { ver: "1.0", complete: 1, nodes: list(count, (at) => ({ asi: `a${at}.example`, sid: "1" })) };
  }),
  browsers: at("device.sua.browsers", (at) => ({ brand: `Browser ${at}`, version: ["1"] })),
  osv: set("device.osv", (count) => list(count, () => "1").join(".")),
  domain: set("site.domain", (count) => list(count, () => "a").join(".")),
  format: onEach(at("banner.format", (at) => ({ w: 300 + (at % 700), h: 250 + (at % 600) }))),
  ratios: onEach(at("banner.format", (at) => ({ wratio: 1 + (at % 30), hratio: 7, wmin: 1 }))),
  bannerMimes: onEach(at("banner.mimes", lastly("text/html", "image/nothing"))),
  btype: onEach(at("banner.btype", () => 9)),
  battr: onEach(at("banner.battr", () => 99)),
  api: onEach(at("banner.api", () => 99)),
  expdir: onEach(at("banner.expdir", () => 9)),
  metric: onEach(at("metric", () => ({ type: "viewability", value: 0.01, vendor: "EXCHANGE" }))),
  deals: onEach(at("pmp.deals", (_at, _count, random) => ({ id: DEALS.draw(random) }))),
  wadomain: onEach(
    set("pmp", (count) => ({ deals: [{ id: "deal-1", wadomain: list(count, (at) => `no${at}.example`) }] })),
  ),
  videoMimes: onVideo(at("mimes", lastly("video/mp4", "video/none"))),
  rqddurs: onVideo(at("rqddurs", () => 7)),
  protocols: onVideo(at("protocols", () => 77)),
  delivery: onVideo(at("delivery", () => 9)),
  playbackmethod: onVideo(at("playbackmethod", () => 3)),
  durfloors: onVideo(at("durfloors", () => ({ mindur: 500, maxdur: 501, bidfloor: 0.1 }))),
  companionad: onVideo(at("companionad", () => ({}))),
  companionLists: onVideo(
    set("companionad", (count) => {
      const numbers = list(Math.ceil(Math.sqrt(count) / 2), (at) => at + 41);
      const slot = { battr: numbers, api: [...numbers, ...list(39, (at) => at + 1)] };
      return list(Math.ceil(Math.sqrt(count)), () => slot);
    }),
  ),
  companionFormats: onVideo(set("companionad", (count) => [{ format: list(count, () => ({ w: 1, h: 1 })) }])),
  poddedupe: onVideo((video, count) =>
    Object.assign(video, { podid: "pod", poddedupe: list(count, (at) => 4 - (at % 4)) }),
  ),
  pod: onVideo((video) => Object.assign(video, { podid: "pod", poddur: 600, maxseq: 8 })),
  page: set("site.page", (count) => `https://a.example/${"&".repeat(2 * count)}`),
  assetsOfOurs: onNative((count) => list(count, (at) => ({ id: at, ...OUR_ASSETS[at % 3] }))),
  assets: onNative((count) => {
    const required = { id: 0, required: 1, img: { type: 3, w: 1, h: 1 } };
    return [...list(count, (at) => ({ id: at })), required];
  }),
  videoAssets: onNative((count) => {
    const video = { mimes: list(count, () => "video/none"), minduration: 1, maxduration: 9, protocols: [2] };
    return [...NATIVE_ASSETS, { id: 2, required: 1, video }];
  }),
  withoutBanner: onEach((imp) => {
    if (imp.video || imp.native) delete imp.banner;
  }),
  withFloor: onEach(set("bidfloor", () => 1000)),
  dupes: at("cur", lastly("USD", "XXX"), 1),
};

/** Each list alone in several sizes, then `count` random combinations. */
export function* hostile(seed: number, count: number): Generator<Hostile> {
  const random = new Random(seed);
  for (const name of Object.keys(FILLS)) {
    for (const [imps, entries] of [
      [1, 8000],
      [1, 300],
      [4, 1000],
      [64, 100],
      [64, 8],
    ] as const) {
      yield of(imps, [[name, entries]], random);
    }
  }
  const plain = of(4, [], random);
  yield { ...plain, name: "an id of 1 MB", text: plain.text.replace('"id":"r"', `"id":"${"x".repeat(1_000_000)}"`) };
  // Their own seed keeps the random combinations below unchanged.
  yield of(1, Object.entries({ deals: 459, wlang: 121, wlangb: 181 }), new Random(7));
  for (const imps of [1, 4, 16]) {
    yield of(imps, Object.entries({ companionLists: 1000 / imps, withoutBanner: 1 }), new Random(7));
  }
  for (let at = 0; at < count; at++) {
    const imps = random.pick([1, 1, 2, 4, 16, 64]);
    const room = random.pick([200, 2000, 8000]);
    const names = new Set(list(1 + random.below(5), () => random.pick(NAMES)));
    const fills = [...names].map((name) => [name, 1 + random.below(Math.ceil(room / names.size / imps))] as const);
    yield of(imps, fills, random);
  }
}

/** A request a little different: a list more or less, twice or half as long, or other impressions. */
export function mutated({ imps, fills }: Hostile, random: Random): Hostile {
  const at = random.below(fills.length + 1);
  const others = fills.filter((_, position) => position !== at);
  const [name, entries] = fills[at] ?? [random.pick(NAMES), 100];
  const own = random.pick([[], [Math.ceil(entries / 2)], [entries * 2], [entries + 1]]).map((n) => [name, n] as const);
  const many = own.every(([, n]) => n * imps <= 8000) ? own : fills.slice(at, at + 1);
  return of(random.pick([imps, imps, imps, 1, 8, 64]), [...others, ...many], random);
}

function of(imps: number, fills: Fills, random: Random): Hostile {
  const name = fills.map(([name, entries]) => `${name} × ${entries}`).join(", ");
  return { name: `${name}, ${imps} imps`, text: request(imps, fills, random), imps, fills };
}

/** The worst known request with 1,000 campaigns: see `bench/test/worst.test.ts`. */
export const WORST: Hostile = of(64, Object.entries({ poddedupe: 100 }), new Random(1));

/** A request with these lists, each with its number of entries. A list in `imp` is filled on every impression. */
function request(imps: number, fills: Fills, random: Random): string {
  const request: Part = {
    id: "r",
    imp: list(imps, (at) => ({ id: String(at), banner: { w: 300, h: 250 } })),
    site: { domain: DOMAINS.draw(random), cat: ["IAB1"] },
    device: { geo: { country: "DEU" }, devicetype: 4, os: "iOS", osv: "17.1" },
    user: { buyeruid: "b" },
    source: {},
    at: 2,
  };
  // `withoutBanner` goes last, because other fills write into the banner.
  const inOrder = [...fills].sort(([a], [b]) => Number(a === "withoutBanner") - Number(b === "withoutBanner"));
  for (const [name, entries] of inOrder) FILLS[name]?.(request, entries, random);
  return JSON.stringify(request);
}

const NAMES = Object.keys(FILLS) as [string, ...string[]];

function list<T>(count: number, entry: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => entry(at));
}

/** Puts a value at a path. Objects on the path are made if they are not there. */
function set(path: string, value: (count: number, random: Random) => unknown): Fill {
  const names = path.split(".");
  const last = names.pop() ?? "";
  return (part, count, random) => {
    const parent = names.reduce((object, name) => {
      object[name] ??= {};
      return object[name];
    }, part);
    parent[last] = value(count, random);
  };
}

/** Fills the list at a path, with so many entries more than asked. */
function at(path: string, entry: Entry, more = 0): Fill {
  return set(path, (count, random) => list(count + more, (at) => entry(at, count + more, random)));
}

/** One entry at the end of a list, and others before it. */
function lastly(last: string, others: string): Entry {
  return (at, count) => (at === count - 1 ? last : others);
}

function onEach(fill: Fill): Fill {
  return (request, count, random) => {
    for (const imp of request.imp) fill(imp, count, random);
  };
}

function onVideo(fill: Fill): Fill {
  return onEach((imp, count, random) => {
    imp.video ??= { ...VIDEO };
    fill(imp.video, count, random);
  });
}

function onNative(assets: (count: number) => object[]): Fill {
  return onEach(set("native", (count) => ({ request: { ver: "1.2", assets: assets(count) } })));
}
