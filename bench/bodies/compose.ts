//! Writes the request bodies beside this file: `node bench/bodies/compose.ts` (Node ≥ 22.18).
//!
//! The bodies are committed because the native benchmarks read them too. A second run writes the same bytes. They are
//! written for the project: no real traffic, no real ids. They are minified, as real traffic is.

import { writeFileSync } from "node:fs";
import { consent } from "../../cli/traffic/consent.ts";
import { Random } from "../../cli/traffic/random.ts";
import { appDevice, clientHints, eids, segments, webDevice } from "./people.ts";
import { app, banner, native, site, source, video } from "./places.ts";
import { text } from "./text.ts";

/** The smallest usual request: a banner on a mobile page. */
function body600() {
  const random = new Random(600);
  const { domain, page, ref, publisher } = site(random);
  return {
    id: random.uuid(),
    imp: [{ id: "1", banner: { w: 320, h: 50, pos: 1 }, bidfloor: random.floor(), secure: 1 }],
    site: { domain, page, ref, publisher: { id: publisher.id } },
    device: { ua: webDevice(random).ua, ip: "198.51.100.7", devicetype: 4, geo: { country: "DEU" } },
    user: { id: random.hex(16) },
    at: 1,
    tmax: 120,
    cur: ["USD"],
  };
}

/** A banner on a page, one user id, no consent string. */
function body1300() {
  const random = new Random(1300);
  const { keywords: _, pagecat: __, ...place } = site(random);
  const imp = banner(random, "top", 3);
  return {
    id: random.uuid(),
    imp: [{ ...imp, exp: undefined, ext: undefined }],
    site: place,
    device: webDevice(random),
    user: { id: random.hex(16), eids: eids(random, 1) },
    at: 1,
    tmax: 150,
    cur: ["USD"],
  };
}

/** A typical web request: two imps, supply chain, ids, segments, consent. */
function body3800() {
  const random = new Random(3800);
  return {
    id: random.uuid(),
    imp: [banner(random, "top", 3), banner(random, "side", 2)],
    site: site(random),
    device: { ...webDevice(random), sua: clientHints() },
    user: {
      id: random.hex(16),
      buyeruid: random.uuid(),
      consent: consent(random),
      eids: eids(random, 4),
      data: segments(random, 1, 3),
    },
    at: 1,
    tmax: 200,
    cur: ["USD", "EUR"],
    bcat: ["IAB7-39", "IAB8-18", "IAB25", "IAB26"],
    badv: ["rivale.example", "wetten.example"],
    source: source(random, 2),
    regs: { gdpr: 1, ext: { gdpr: 1 } },
    ext: { prebid: { channel: { name: "web", version: "v9.20.0" } } },
  };
}

/** The most common traffic: a valid request without a bid (an app without consent, many blocks). */
function bodyNoBid() {
  const random = new Random(204);
  const slot = video(random, "reward");
  return {
    id: random.uuid(),
    imp: [{ ...slot, instl: 1, rwdd: 1, bidfloor: 18.5 }],
    app: app(random),
    device: appDevice(random),
    user: { id: random.hex(32), consent: "" },
    at: 1,
    tmax: 250,
    cur: ["EUR"],
    bcat: Array.from({ length: 26 }, (_, at) => `IAB${at + 1}`),
    source: source(random, 1),
    regs: { coppa: 0, gdpr: 1, gpp: "DBAA", gpp_sid: [-1] },
  };
}

/** A page with many slots of every kind and much user data. */
function bodyLarge(seed: number, size: { imps: number; ids: number; segments: number; blocked: number }) {
  const random = new Random(seed);
  const makers = [banner, banner, video, banner, native] as const;
  const imps = Array.from({ length: size.imps }, (_, at) =>
    (makers[at % makers.length] ?? banner)(random, `slot-${at}`, 6),
  );
  return {
    id: random.uuid(),
    imp: imps,
    site: {
      ...site(random),
      content: { title: "Das Konzert im Hof – Übertragung für alle", language: "de", livestream: 1 },
    },
    device: { ...webDevice(random), sua: clientHints() },
    user: {
      id: random.hex(16),
      buyeruid: random.uuid(),
      consent: consent(random),
      eids: eids(random, size.ids),
      data: segments(random, 8, size.segments),
    },
    at: 1,
    tmax: 300,
    cur: ["USD", "EUR", "GBP"],
    bcat: Array.from({ length: 60 }, (_, at) => `IAB${7 + (at % 20)}-${1 + at}`),
    badv: Array.from({ length: size.blocked }, () => `${random.text(9, "abcdefghiklmnoprstuvwz")}.example`),
    bapp: Array.from({ length: size.blocked }, () => `com.${random.text(8, "abcdeiklmnorstu")}.app`),
    source: source(random, 4),
    regs: { gdpr: 1, ext: { gdpr: 1, us_privacy: "1---", dsa: { dsarequired: 1, pubrender: 0, datatopub: 2 } } },
    ext: { prebid: { channel: { name: "web", version: "v9.20.0" }, auctiontimestamp: 1_795_000_000_000 } },
  };
}

const bodies = {
  "0.6k": body600(),
  "1.3k": body1300(),
  "3.8k": body3800(),
  "25k": bodyLarge(25, { imps: 22, ids: 12, segments: 36, blocked: 70 }),
  "100k": bodyLarge(1002, { imps: 62, ids: 48, segments: 290, blocked: 520 }),
  "no-bid": bodyNoBid(),
};

for (const [name, body] of Object.entries(bodies)) {
  const sent = text(body);
  writeFileSync(new URL(`${name}.json`, import.meta.url), sent);
  console.error(`${name}: ${new TextEncoder().encode(sent).byteLength} bytes, ${body.imp.length} imps`);
}
