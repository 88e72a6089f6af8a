//! The catalogs that a forecast asks: the campaign alone, and the campaign without one of its attributes at a time. Each
//! is a small document, which the module compiles and decides with, so no rule of bidding is written here again.
//!
//! Budgets, shares, shading, flights and pauses are left out: they do not change which requests match.

import { Failure } from "../../build/failure.mjs";
import { didYouMean } from "../../cli/catalog/nearest.ts";
import { byId, type Entry, idsIn, isObject, objectsIn, withTemplate } from "../../shared/compare/entry.ts";
import type { Cap } from "../../shared/frequency/decide.ts";

/** The catalogs of a forecast, as documents. */
export interface Documents {
  /** The campaign with the attributes of its template. */
  campaign: Entry;
  /** The order whose budget it spends. */
  order: Entry | null;
  /** Whether the campaign or one of its creatives has a frequency cap. */
  isCapped: boolean;
  /** All campaigns; this one runs now, and has no budget. */
  whole: Entry;
  /** The campaign alone. It has a frequency cap, so that the module tells the person. */
  base: Entry;
  /** The campaign without one attribute, by the attribute's name. Without frequency caps. */
  without: Map<string, Entry>;
  /** All these together. A request on which it does not bid matches none of them. */
  any: Entry;
}

/** What holds a campaign back without changing what it matches, and what is left of its template. */
const NOT_MATCHING = ["template", "id", "budget", "budget_of", "pacing", "curve", "flights", "start", "end", "paused"];
/** Attributes of the campaign, beside `target`, that take requests away. */
const NARROWING = ["ssps", "skadn", "exp"];
/** Attributes of `target` that only say how another one is read. */
const READS: Readonly<Record<string, string>> = { cattax: "cat", zone: "hours", mm: "eids" };
/** A cap that nobody reaches. */
const NO_CAP: Cap[] = [{ n: 1000, per: "lifetime" }];
/** The usual sizes of banners in pixels. */
const SIZES = (
  "300x250 728x90 320x50 160x600 300x600 970x250 320x100 320x480 336x280 468x60 970x90 300x50 120x600 " +
  "250x250 200x200 768x1024 1024x768 480x320 300x1050 234x60 180x150 125x125"
).split(" ");
/** US dollars for a thousand impressions: more than any floor. */
const ANY_PRICE = "1000000";

/** Throws {@link Failure} if the document has no such campaign. */
export function documentsFor(document: Entry, cid: string): Documents {
  const campaigns = objectsIn(document["campaigns"]);
  const listed = campaigns.find((campaign) => campaign["cid"] === cid);
  if (listed === undefined) {
    const known = idsIn(campaigns, "cid");
    throw new Failure(`the catalog has no campaign ${cid}${didYouMean(cid, known)}`);
  }
  const campaign = given(withTemplate(listed, byId(document["templates"], "id")));
  const running = omit(campaign, NOT_MATCHING);
  const { caps = NO_CAP, ...plain } = omit(running, ["shading", "learn_shading"]);
  const crids = idsIn(campaign["creatives"], "crid");
  const creatives = objectsIn(document["creatives"]).filter(({ crid }) => crids.includes(String(crid)));
  const uncapped = creatives.map((creative) => omit(creative, ["caps"]));
  const resized = inAllSizes(uncapped);
  const settings = settingsFor(document, campaign, resized);
  const without = new Map<string, Entry>();
  const add = (name: string, own: Entry, more: Entry[] = [], ceiling = {}) =>
    without.set(name, { ...settings, ...ceiling, creatives: [...uncapped, ...more], campaigns: [own] });
  const own = omit(plain, ["cap_on"]);
  const target = isObject(own["target"]) ? own["target"] : {};
  for (const name of Object.keys(target)) {
    if (READS[name] !== undefined) continue;
    const readers = Object.keys(READS).filter((reader) => READS[reader] === name);
    add(name, { ...own, target: omit(target, [name, ...readers]) });
  }
  for (const name of NARROWING) if (own[name] !== undefined) add(name, omit(own, [name]));
  if (own["open"] === false) add("deals", { ...own, open: true });
  const paying = { ...omit(own, ["bids", "cur"]), max_cpm: ANY_PRICE, deals: idsIn(own["deals"], "id") };
  add("max_cpm", paying, [], { max_cpm_ceiling: ANY_PRICE });
  const shown = [...crids, ...resized.map(({ crid }) => crid)];
  if (resized.length > 0) add("size", { ...own, creatives: shown }, resized);
  const all = [...without.values()].flatMap(({ campaigns }) => objectsIn(campaigns));
  return {
    campaign,
    order: byId(document["orders"], "id").get(String(campaign["budget_of"])) ?? null,
    isCapped: [campaign, ...creatives.map(given)].some(({ caps }) => caps !== undefined),
    whole: { ...document, campaigns: campaigns.map((other) => (other === listed ? running : other)) },
    base: { ...settings, creatives, campaigns: [{ ...plain, caps }] },
    without,
    any: {
      ...{ ...settings, max_cpm_ceiling: ANY_PRICE, creatives: [...uncapped, ...resized] },
      campaigns: [own, ...all].map((campaign, n) => ({ ...campaign, cid: `v${n}` })),
    },
  };
}

/** The document without what only other campaigns use. All SSPs take the banners in other sizes. */
function settingsFor(document: Entry, campaign: Entry, resized: Entry[]): Entry {
  const text = JSON.stringify(campaign);
  const lists = objectsIn(document["lists"]).filter(({ id }) => text.includes(JSON.stringify(id)));
  const approved = objectsIn(document["ssps"]).flatMap(({ id: ssp }) =>
    resized.map(({ crid }) => ({ ssp, crid, state: "approved" })),
  );
  const unused = ["templates", "orders", ...(text.includes('"supply"') ? [] : ["supply"])];
  return { ...omit(document, unused), lists, approvals: [...objectsIn(document["approvals"]), ...approved] };
}

/** The first banner of a fixed size in the usual sizes; none if the campaign has no such banner. */
function inAllSizes(creatives: Entry[]): Entry[] {
  const one = creatives.find(({ banner }) => isObject(banner) && banner["w"] !== undefined);
  if (one === undefined) return [];
  return SIZES.map((size, n) => {
    const [w, h] = size.split("x").map(Number);
    return { ...one, crid: `forecast-size-${n}`, banner: { ...(one["banner"] as Entry), w, h } };
  });
}

function omit(entry: Entry, names: string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}

/** Without null and empty lists, with which a campaign takes attributes of its template away. */
function given(entry: Entry): Entry {
  const own = Object.entries(entry).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(own.map(([name, value]) => [name, name === "target" ? given(value as Entry) : value]));
}
