//! The device of a request: type, system with version, user agent, client hints, network, location.

import type { Country } from "./countries.ts";
import type { Wish } from "./demand.ts";
import { between, chance, shares, Weighted } from "./draw.ts";
import type { Random } from "./random.ts";
import { DEVICE_TYPES, SYSTEMS } from "./vocabulary.ts";

const PHONE = 4;
const TABLET = 5;
const COMPUTER = 2;
const TVS = [3, 7];
/** AdCOM's type of a screen in public. */
const SCREEN = 8;

/** A version of a system, with its share of the devices. */
const VERSIONS: Readonly<Record<string, Weighted<string>>> = {
  Android: shares("16 8, 15 30, 14 27, 13 16, 12 9, 11.0 6, 9 3, 8.1.0 1"),
  iOS: shares("26.1 10, 18.6.2 35, 18.5 20, 17.6.1 15, 16.7.10 12, 15.8.3 5, 12.5 3"),
  Windows: shares("10 55, 11 42, 8.1 3"),
  macOS: shares("15.5 55, 14.7 30, 10.15.7 15"),
  Linux: new Weighted([["", 1]]),
  Tizen: shares("8.0 60, 6.5 40"),
  webOS: shares("24.0 1"),
  Roku: shares("14.5.4 1"),
};

const MODELS: Readonly<Record<string, Weighted<string>>> = {
  Android: shares(
    "Samsung SM-S921B 35, Samsung SM-A546B 25, Xiaomi 23090RA98G 20, Google Pixel 8 15, OnePlus CPH2581 5",
  ),
  iOS: shares("Apple iPhone 60, Apple iPhone15,3 25, Apple iPhone14,5 15"),
  Tizen: shares("Samsung UN55TU7000 1"),
  webOS: shares("LG OLED55C3 1"),
  Roku: shares("Roku Ultra 1"),
};

const TV_SYSTEMS = shares("Tizen 40, Roku 35, webOS 25");

const WIFI = 2;
const MOBILE_NETWORKS = [4, 5, 6, 7] as const;

export interface Device {
  devicetype: number;
  [attribute: string]: unknown;
}

/** Whether ads on the device are shown on a television. */
export function isTv({ devicetype }: Device): boolean {
  return TVS.includes(devicetype);
}

/** A device that opens the channel, in the country with this code. */
export function device(random: Random, channel: string, country: Country, code: string, wish: Wish): Device {
  if (channel === "dooh") return screen(random, country, code);
  const devicetype = wish.devicetype ?? typeOf(random, channel);
  const os = wish.os ?? system(random, devicetype, channel);
  const osv = VERSIONS[os]?.draw(random) ?? "";
  const [make = "", ...words] = (MODELS[os]?.draw(random) ?? "").split(" ");
  const model = words.join(" ");
  const isLimited = chance(random, os === "iOS" ? 0.6 : 0.08);
  const isMobile = devicetype === PHONE && chance(random, 0.4);
  const [carrier, mccmnc] = country.carriers[random.below(country.carriers.length)] ?? ["", ""];
  const withHints = channel === "site" && os !== "iOS" && chance(random, 0.5);
  return {
    ua: agent(os, osv, model, channel),
    ...(chance(random, 0.9)
      ? { ip: address(random) }
      : { ipv6: `2001:db8:${random.hex(4)}:${random.hex(4)}::${1 + random.below(9)}` }),
    geo: geo(random, country, code, wish),
    devicetype,
    ...(make && { make, model }),
    os,
    ...(osv && { osv }),
    ...dimensions(random, devicetype),
    js: 1,
    language: wish.language ?? (chance(random, 0.88) ? country.language : "en"),
    ...(isMobile
      ? { carrier, mccmnc, connectiontype: MOBILE_NETWORKS[random.below(4)] }
      : chance(random, 0.7) && { connectiontype: WIFI }),
    ...(chance(random, 0.8) && { dnt: Number(chance(random, 0.05)) }),
    lmt: Number(isLimited),
    ...(channel === "app" && {
      ifa: isLimited ? "00000000-0000-0000-0000-000000000000" : random.uuid(),
      ...(os === "iOS" && { ext: { atts: isLimited ? 2 : 3 } }),
    }),
    ...(withHints && { sua: hints(os, osv, model, devicetype) }),
  };
}

/** A screen in public: no person, no user agent of a browser. */
function screen(random: Random, country: Country, code: string): Device {
  const portrait = chance(random, 0.6);
  return {
    ua: "Mozilla/5.0 (X11; Linux x86_64) DoohPlayer/7.2",
    ip: address(random),
    geo: { ...geo(random, country, code, {}), type: 3 },
    devicetype: SCREEN,
    make: "BrightSign",
    model: "XT1144",
    os: "Linux",
    w: portrait ? 1080 : 1920,
    h: portrait ? 1920 : 1080,
    ifa: random.uuid(),
    ext: { ifa_type: "dpid" },
  };
}

function typeOf(random: Random, channel: string): number {
  const drawn = DEVICE_TYPES.draw(random);
  // Nearly every television shows apps, and nearly no computer does.
  if (channel === "site") return TVS.includes(drawn) ? COMPUTER : drawn;
  return drawn === COMPUTER ? PHONE : drawn;
}

function system(random: Random, devicetype: number, channel: string): string {
  if (TVS.includes(devicetype)) return TV_SYSTEMS.draw(random);
  for (;;) {
    const os = SYSTEMS.draw(random);
    const isMobile = os === "Android" || os === "iOS";
    if (channel === "app" ? isMobile : isMobile === (devicetype === PHONE || devicetype === TABLET)) return os;
  }
}

function agent(os: string, osv: string, model: string, channel: string): string {
  const dashed = osv.replaceAll(".", "_");
  switch (os) {
    case "Android":
      return `Mozilla/5.0 (Linux; Android ${osv}; ${model}${channel === "app" ? "; wv" : ""}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36`;
    case "iOS":
      return `Mozilla/5.0 (iPhone; CPU iPhone OS ${dashed} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)${channel === "app" ? "" : " Version/18.5"} Mobile/15E148`;
    case "macOS":
      return "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15";
    case "Windows":
      return "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
    case "Tizen":
      return `Mozilla/5.0 (SMART-TV; LINUX; Tizen ${osv}) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/6.5 TV Safari/537.36`;
    case "Roku":
      return `Roku/DVP-14.5 (${osv})`;
    default:
      return "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
  }
}

function dimensions(random: Random, devicetype: number) {
  if (TVS.includes(devicetype)) return { w: 1920, h: 1080 };
  if (devicetype === COMPUTER) return { w: 1920, h: between(random, 900, 1200) };
  if (devicetype === TABLET) return { w: 820, h: 1180, pxratio: 2 };
  return { w: between(random, 360, 430), h: between(random, 640, 932), pxratio: random.pick([2, 2.625, 3]) };
}

function hints(os: string, osv: string, model: string, devicetype: number) {
  return {
    browsers: [
      { brand: "Chromium", version: ["141", "0", "7390", "54"] },
      { brand: "Google Chrome", version: ["141", "0", "7390", "54"] },
    ],
    platform: { brand: os, ...(osv && { version: osv.split(".") }) },
    mobile: Number(devicetype === PHONE),
    ...(model && { model }),
    source: 2,
  };
}

function geo(random: Random, country: Country, code: string, wish: Wish) {
  const known = country.cities;
  const wished = known.find(({ city }) => city === wish.city);
  const town = wished ?? (chance(random, 0.6) ? known[random.below(known.length)] : undefined);
  if (!town) return { country: code, type: 2 };
  const { region, city, zips, lat, lon, utcoffset } = town;
  const near = (degrees: number) => Number((degrees + (random.below(2000) - 1000) / 10_000).toFixed(4));
  return {
    country: code,
    region,
    city,
    zip: `${zips}${random.text(2, "0123456789")}`,
    lat: near(lat),
    lon: near(lon),
    type: chance(random, 0.15) ? 1 : 2,
    ...(chance(random, 0.5) && { utcoffset }),
  };
}

/** An address of the networks that are reserved for documents. */
function address(random: Random): string {
  return `${random.pick(["198.51.100", "203.0.113", "192.0.2"])}.${random.below(256)}`;
}
