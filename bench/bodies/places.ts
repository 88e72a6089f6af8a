//! The parts of a request about the placement: `site`, `app`, `source`, `imp`.

import type { Random } from "../../cli/traffic/random.ts";

export function site(random: Random) {
  return {
    id: "184372",
    name: "Abendblatt",
    domain: "abendblatt.example",
    cat: ["IAB12", "IAB12-2", "IAB1-7"],
    pagecat: ["IAB12-2"],
    page: `https://www.abendblatt.example/kultur/2026/11/das-konzert-im-hof-${random.below(1_000_000)}.html?utm_source=start&utm_medium=teaser`,
    ref: "https://www.abendblatt.example/",
    mobile: 1,
    privacypolicy: 1,
    publisher: { id: "pub-7781", name: "Abendblatt Verlag GmbH", domain: "verlag.example" },
    keywords: "konzert,hof,kultur,berlin",
  };
}

export function app(random: Random) {
  return {
    id: "a-55012",
    name: "Mots & Cie",
    bundle: "1234567890",
    domain: "motsetcie.example",
    storeurl: "https://apps.example/fr/app/mots-et-cie/id1234567890",
    cat: ["IAB9", "IAB9-30"],
    ver: "5.12.0",
    privacypolicy: 1,
    paid: 0,
    publisher: { id: String(880_000 + random.below(9_999)), name: "Atelier Mots", domain: "motsetcie.example" },
  };
}

/** `source` with a supply chain of `hops` sellers. */
export function source(random: Random, hops: number) {
  const nodes = Array.from({ length: hops }, (_, at) => ({
    asi: `exchange-${at}.example.com`,
    sid: String(10_000 + random.below(90_000)),
    rid: random.uuid(),
    hp: 1,
  }));
  return { fd: 1, tid: random.uuid(), schain: { ver: "1.0", complete: 1, nodes } };
}

const SIZES = [
  { w: 300, h: 250 },
  { w: 336, h: 280 },
  { w: 320, h: 100 },
  { w: 320, h: 50 },
  { w: 970, h: 250 },
  { w: 728, h: 90 },
] as const;

export function banner(random: Random, id: string, sizes: number) {
  return {
    id,
    banner: {
      format: SIZES.slice(0, sizes),
      w: 300,
      h: 250,
      pos: 1,
      battr: [1, 2, 3, 8, 13],
      btype: [1],
      api: [5, 7],
      topframe: 1,
    },
    tagid: `/184372/abendblatt/kultur/${id}`,
    bidfloor: random.floor(),
    bidfloorcur: "USD",
    secure: 1,
    exp: 300,
    ext: {
      gpid: `/184372/abendblatt/kultur/${id}`,
      tid: random.uuid(),
      data: { pbadslot: `/184372/abendblatt/kultur/${id}` },
    },
  };
}

export function video(random: Random, id: string) {
  return {
    id,
    video: {
      mimes: ["video/mp4", "video/webm", "application/javascript"],
      minduration: 5,
      maxduration: 30,
      protocols: [2, 3, 5, 6, 7, 8],
      w: 640,
      h: 360,
      startdelay: 0,
      plcmt: 1,
      linearity: 1,
      skip: 1,
      skipmin: 6,
      skipafter: 5,
      playbackmethod: [2, 6],
      delivery: [2],
      pos: 1,
      battr: [8, 17],
      api: [7],
    },
    pmp: {
      private_auction: 0,
      deals: [
        {
          id: `deal-${random.hex(10)}`,
          bidfloor: random.floor(),
          bidfloorcur: "USD",
          at: 1,
          wseat: ["seat-4", "seat-9"],
        },
        {
          id: `deal-${random.hex(10)}`,
          bidfloor: random.floor(),
          bidfloorcur: "EUR",
          at: 3,
          wadomain: ["schuhe.example"],
        },
      ],
    },
    tagid: `preroll-${id}`,
    bidfloor: random.floor(),
    secure: 1,
    ext: { gpid: `/184372/abendblatt/video/${id}`, tid: random.uuid() },
  };
}

/** A native imp. Its Native Ads request is a string, as the specification says. */
export function native(random: Random, id: string) {
  const request = {
    ver: "1.2",
    context: 1,
    plcmttype: 1,
    assets: [
      { id: 1, required: 1, title: { len: 80 } },
      { id: 2, required: 1, img: { type: 3, wmin: 600, hmin: 314 } },
      { id: 3, img: { type: 1, w: 80, h: 80 } },
      { id: 4, required: 0, data: { type: 1, len: 25 } },
      { id: 5, required: 0, data: { type: 12, len: 15 } },
    ],
    eventtrackers: [{ event: 1, methods: [1, 2] }],
  };
  return {
    id,
    native: { request: JSON.stringify(request), ver: "1.2", api: [7], battr: [8] },
    tagid: `feed-${id}`,
    bidfloor: random.floor(),
    secure: 1,
    ext: { gpid: `/184372/abendblatt/feed/${id}` },
  };
}
