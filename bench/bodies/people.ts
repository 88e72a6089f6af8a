//! The parts of a request about the user and the device: `device` and `user`.

import type { Random } from "../../cli/traffic/random.ts";

const ID_SOURCES = [
  "id-graph.example.com",
  "login-id.example",
  "publisher-id.example.org",
  "page-id.example.net",
  "shared-id.example",
  "household.example.com",
  "first-party.example.fr",
  "alliance-id.example.de",
  "telco-id.example.eu",
] as const;

export function webDevice(random: Random) {
  return {
    ua: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
    ip: `198.51.100.${random.below(256)}`,
    geo: { lat: 52.52, lon: 13.405, type: 2, ipservice: 3, country: "DEU", region: "BE", city: "Berlin", zip: "10115" },
    dnt: 0,
    lmt: 0,
    devicetype: 4,
    make: "Google",
    model: "Pixel 8",
    os: "Android",
    osv: "14",
    w: 412,
    h: 915,
    pxratio: 2.625,
    js: 1,
    language: "de",
    connectiontype: 6,
  };
}

/** User-agent client hints (`device.sua`). */
export function clientHints() {
  return {
    browsers: [
      { brand: "Chromium", version: ["130", "0", "6723", "102"] },
      { brand: "Google Chrome", version: ["130", "0", "6723", "102"] },
      { brand: "Not?A_Brand", version: ["99", "0", "0", "0"] },
    ],
    platform: { brand: "Android", version: ["14", "0", "0"] },
    mobile: 1,
    model: "Pixel 8",
    source: 2,
  };
}

export function appDevice(random: Random) {
  return {
    ua: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    ip: `203.0.113.${random.below(256)}`,
    geo: {
      lat: 48.8566,
      lon: 2.3522,
      type: 1,
      country: "FRA",
      region: "IDF",
      city: "Paris",
      zip: "75011",
      utcoffset: 60,
    },
    dnt: 0,
    lmt: 1,
    devicetype: 4,
    make: "Apple",
    model: "iPhone",
    hwv: "iPhone15,3",
    os: "iOS",
    osv: "17.6",
    w: 430,
    h: 932,
    ppi: 460,
    pxratio: 3,
    js: 1,
    language: "fr",
    carrier: "Orange",
    mccmnc: "208-01",
    connectiontype: 6,
    ifa: "00000000-0000-0000-0000-000000000000",
    ext: { atts: 2, ifv: random.uuid() },
  };
}

export function eids(random: Random, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    source: ID_SOURCES[at % ID_SOURCES.length],
    uids: [
      {
        id: random.base64(28 + random.below(40)),
        atype: 1 + random.below(3),
        ext: { rtiPartner: "ID", stype: "ppuid" },
      },
    ],
  }));
}

/** `user.data`: audience segments by provider. */
export function segments(random: Random, providers: number, perProvider: number) {
  return Array.from({ length: providers }, (_, at) => ({
    id: String(1000 + at),
    name: `audiences-${at}.example.com`,
    segment: Array.from({ length: perProvider }, () => ({ id: String(100_000 + random.below(900_000)) })),
    ext: { segtax: random.pick([4, 5, 600, 601] as const) },
  }));
}
