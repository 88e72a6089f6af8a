//! Generates bid requests that look like the traffic of many exchanges. Equal seeds and options give equal texts.
//!
//! Knows nothing of files. Each file has the distributions of its part of a request; `vocabulary.ts` has the values
//! that catalogs and requests share. With a catalog, half of the requests take values from one of its campaigns. Ids,
//! domains and addresses are invented, or reserved for documents: nothing comes from real traffic.

import { channelObject, channelOf } from "./channels.ts";
import { countryOf } from "./countries.ts";
import { type Document, type Wish, wishesOf } from "./demand.ts";
import { device, isTv } from "./devices.ts";
import { between, chance, shares } from "./draw.ts";
import { user } from "./people.ts";
import { signals } from "./privacy.ts";
import { quirky } from "./quirks.ts";
import { Random } from "./random.ts";
import { imps } from "./slots.ts";
import { BUNDLES, COUNTRIES, DOMAINS } from "./vocabulary.ts";

export interface Options {
  /** A catalog document: requests take the values that its campaigns ask for. */
  catalog?: Document;
  /** Whether some requests deviate from the specification as those of real exchanges do. Default: true. */
  quirks?: boolean;
}

/** Share of the requests for a campaign of the catalog. */
const FOR_CAMPAIGNS = 0.5;

/** Separates the draws of quirks, so that a request is the same with and without quirks. */
const QUIRKS = 0x5f35_6495;

const AUCTIONS = shares("1 80, 2 20", Number);

const CATEGORIES = "IAB7-39 IAB8-18 IAB8-5 IAB9-9 IAB14-1 IAB24 IAB25 IAB25-3 IAB26".split(" ");

/** The texts of requests, one JSON object each, without end. Each request is at most some 20 KB. */
export function* generate(seed: number, { catalog = {}, quirks = true }: Options = {}): Generator<string, never, void> {
  const random = new Random(seed);
  const wild = new Random(seed ^ QUIRKS);
  const wishFrom = wishesOf(catalog);
  const privacyIn = signals(catalog.privacy?.vendor_id);
  for (;;) {
    const wish = chance(random, FOR_CAMPAIGNS) ? wishFrom(random) : {};
    const made = request(random, privacyIn, wish);
    yield quirks ? quirky(made, wild) : JSON.stringify(made);
  }
}

function request(random: Random, privacyIn: ReturnType<typeof signals>, wish: Wish): object {
  const code = wish.country ?? COUNTRIES.draw(random);
  const country = countryOf(code);
  const channel = channelOf(random, wish);
  const on = device(random, channel, country, code, wish);
  const privacy = privacyIn(random, country);
  const setting = { channel, isTv: isTv(on), country, wish };
  const about = user(random, channel, privacy, wish);
  return {
    id: chance(random, 0.7) ? random.uuid() : random.hex(32),
    imp: imps(random, setting),
    [channel]: channelObject(random, channel, country.language, setting.isTv, wish),
    device: on,
    ...(about && { user: about }),
    ...(chance(random, 0.85) && { at: AUCTIONS.draw(random) }),
    ...(chance(random, 0.75) && { tmax: random.pick([100, 120, 150, 200, 250, 300, 500]) }),
    ...(chance(random, 0.6) && { cur: currencies(random, country.cur) }),
    ...blocks(random),
    ...(chance(random, 0.05) && { wseat: ["Agency1", "Agency2", "seat-1"] }),
    ...(chance(random, 0.6) && { source: source(random) }),
    ...(privacy.regs && { regs: privacy.regs }),
    ...(chance(random, 0.2) && {
      ext: { prebid: { channel: { name: channel === "app" ? "app" : "pbjs", version: "v9.20.0" } } },
    }),
  };
}

/** Dollars; in one of ten requests, other currencies too or alone. */
function currencies(random: Random, own: string): string[] {
  if (chance(random, 0.9) || own === "USD") return ["USD"];
  return chance(random, 0.7) ? [own, "USD"] : [own];
}

/** The block lists. */
function blocks(random: Random): object {
  const first = random.below(CATEGORIES.length - 1);
  return {
    ...(chance(random, 0.35) && { bcat: CATEGORIES.slice(first, first + between(random, 1, 9)) }),
    ...(chance(random, 0.3) && { badv: DOMAINS.several(random, between(random, 1, 12)) }),
    ...(chance(random, 0.08) && { bapp: BUNDLES.several(random, between(random, 1, 8)) }),
  };
}

/** `source` with the supply chain, in a third of the cases where OpenRTB 2.5 has it. */
function source(random: Random): object {
  const nodes = Array.from({ length: between(random, 1, 3) }, (_, at) => ({
    asi: `exchange-${at}.example.com`,
    sid: String(between(random, 10_000, 99_999)),
    ...(chance(random, 0.4) && { rid: random.uuid() }),
    hp: 1,
  }));
  const schain = { ver: "1.0", complete: Number(chance(random, 0.93)), nodes };
  const chain = chance(random, 0.85) ? (chance(random, 0.33) ? { ext: { schain } } : { schain }) : {};
  return { fd: Number(chance(random, 0.3)), tid: random.uuid(), ...chain };
}
