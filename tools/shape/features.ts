//! How the evaluators of DTE see what the bidder targets. They compare texts as they are in the request; the bidder reads
//! more: numbers as texts and 320.0, two-letter countries, null. So each dimension has the spellings of its values, and
//! the *plain* texts, on which both agree. A request with any other text is not filtered.

import { COUNTRIES } from "./countries.ts";
import { ANY, type Feature } from "./dte.ts";
import { type Inventory, SEEN, type Seen, UNSEEN } from "./inventory.ts";

/** Where an ad appears. Rows that restrict other inventory are in other models. */
export const INVENTORY = ["publisher", ...SEEN] as const;
/** What a tuple may restrict, besides deals. Size and position are those of the first impression. */
export const DIMENSIONS = [...INVENTORY, "country", "devicetype", "size", "pos"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What has to be in a request besides: an object of the first impression, a deal of it, or a second impression. */
export type Slot = "banner" | "video" | "audio" | "native" | "deal" | "several";

export const CHANNELS = ["site", "app", "dooh"] as const;
export type Channel = (typeof CHANNELS)[number] | "any";

/** The most formats of a banner that are looked at. A request with more is not filtered by size. */
export const MAX_FORMATS = 6;

/** The most deals of an impression that are looked at: fewer than the evaluators try. */
const MAX_DEALS = 90;

const numbers = (last: number) => Array.from({ length: last + 1 }, (_, number) => `${number}`);

/** Common sizes of banners. Other lengths than those of these and of the campaigns' own sizes are not plain. */
const SIZES =
  "88x31 120x20 120x60 120x240 120x600 125x125 160x600 168x28 180x150 200x200 216x36 234x60 240x400 250x250 250x360 " +
  "300x50 300x100 300x250 300x300 300x600 300x1050 320x50 320x100 320x240 320x250 320x320 320x480 336x280 360x640 " +
  "375x667 400x300 414x736 468x60 480x320 480x640 580x400 600x500 640x360 640x480 728x90 768x1024 800x250 930x180 " +
  "950x90 960x90 970x66 970x90 970x250 980x120 1024x768 1080x1920 1280x720 1920x1080";

/** Where the texts of a dimension are. */
const FIELDS: Record<Exclude<Dimension, "size" | "pos">, string[]> = {
  publisher: CHANNELS.map((channel) => `$.${channel}.publisher.id`),
  domain: CHANNELS.map((channel) => `$.${channel}.domain`),
  bundle: CHANNELS.map((channel) => `$.${channel}.bundle`),
  country: ["$.device.geo.country", "$.user.geo.country"],
  devicetype: ["$.device.devicetype"],
};

const formats = Array.from({ length: MAX_FORMATS }, (_, at) => `$.imp[0].banner.format[${at}]`);
const SIDES = [...formats, "$.imp[0].banner"].map((owner) => [`${owner}.w`, `${owner}.h`] as const);

/** Ids without characters that writers of JSON escape: an evaluator compares the escaped text. */
const PLAIN_ID = /^[\w.:~@-]{1,256}$/;

/** 1 if the request has the attribute, else 0. */
function presence(field: string): Feature {
  return { name: field, fields: [field], transformation: ["GetFirstNotEmpty", "Exists"] };
}

/** `k` for a plain text, `none` for no text, and `?` for any other. */
function plain(fields: string[], texts: Iterable<string>, none = "k"): Feature {
  const mapping = { "": none, ...Object.fromEntries([...texts].map((text) => [text, "k"])) };
  const transformation: Feature["transformation"] = ["GetFirstNotEmpty", "ApplyMappings"];
  return { name: `plain ${fields[0]}`, fields, transformation, mapping, mappingDefaultValue: "?" };
}

/** A part of the tuples of a model: features, and the combinations of their values. */
export interface Part {
  features: Feature[];
  allowed: string[][];
}

const one = (feature: Feature, value: string): Part => ({ features: [feature], allowed: [[value]] });

/** What a request must be like in any case, so that the evaluators and the bidder read the same. */
export const ALWAYS: Part[] = [
  one(presence("$.imp[0]"), "1"),
  // First-party data can replace attributes of the request.
  one(presence("$.ext.prebid.bidderconfig"), "0"),
];

/** The same for a dimension that a shape uses. */
export function plainPart(dimension: Dimension, values: Iterable<string>): Part[] {
  if (dimension === "publisher" || dimension === "bundle") return [];
  // The domain may come from other attributes of the site, and an app beside it has another one.
  if (dimension === "domain") return [ONE_CHANNEL];
  if (dimension === "country") {
    const spellings = [...COUNTRIES.values()].flatMap(({ spellings }) => spellings);
    return [one(plain(FIELDS.country, spellings), "k")];
  }
  // The bidder takes 0 and null for unknown.
  if (dimension === "devicetype") return [one(plain(FIELDS.devicetype, ["null", ...numbers(8)]), "k")];
  if (dimension === "pos")
    return ["banner", "video"].map((slot) => one(plain([`$.imp[0].${slot}.pos`], ["null", ...numbers(7)]), "k"));
  return [plainSizes(values)];
}

const ONE_CHANNEL: Part = {
  features: CHANNELS.map((channel) => presence(`$.${channel}`)),
  allowed: ["000", "100", "010", "001"].map((has) => [...has]),
};

/**
 * No banner; or one with sizes that are all whole: the formats without a gap, and its own width and height. A banner
 * without any size takes every size.
 */
function plainSizes(own: Iterable<string>): Part {
  const lengths = new Set([...SIZES.split(" "), ...own].flatMap((size) => size.split("x")));
  const sides = SIDES.flat().map((side) => plain([side], lengths, "-"));
  const lists = ["", ".format", `.format[${MAX_FORMATS}]`].map((path) => presence(`$.imp[0].banner${path}`));
  const features = [...lists, ...sides];
  const size = (has: boolean) => (has ? ["k", "k"] : ["-", "-"]);
  const row = (banner: string, count: number, has: boolean) => [
    ...[banner, count > 0 ? "1" : "0", "0"],
    ...formats.flatMap((_, at) => size(at < count)),
    ...size(has),
  ];
  const counts = numbers(MAX_FORMATS).map(Number);
  const some = counts.flatMap((count) => (count > 0 ? [row("1", count, false)] : []).concat([row("1", count, true)]));
  return { features, allowed: [row("0", 0, false), ...some] };
}

/** The same for deals: a list, and not too long. */
export const PLAIN_DEALS: Part = {
  features: ["", "[0]", `[${MAX_DEALS}]`].map((at) => presence(`$.imp[0].pmp.deals${at}`)),
  allowed: [
    ["0", "0", "0"],
    ["1", "1", "0"],
  ],
};

/** What has to be there for a channel and a slot. An evaluator also finds null there, so these only let more through. */
export function required(channel: Channel, slot: Slot): Part[] {
  const paths = [
    ...(channel === "any" ? [] : [`$.${channel}`]),
    ...(slot === "deal" ? [] : [slot === "several" ? "$.imp[1]" : `$.imp[0].${slot}`]),
  ];
  return paths.map((path) => one(presence(path), "1"));
}

/** The ids of deals. */
export const DEALS: Feature = { name: "deal", fields: ["$.imp[0].pmp.deals[*].id"], transformation: [] };

/**
 * The feature of a dimension with these values. `open`: some tuples take any value. `inventory`: the texts that were seen.
 */
export function feature(
  dimension: Dimension,
  slot: Slot,
  values: Iterable<string>,
  open: boolean,
  inventory?: Inventory,
): Feature {
  const fields =
    dimension === "size" ? SIDES.flat() : dimension === "pos" ? [`$.imp[0].${slot}.pos`] : FIELDS[dimension];
  const own = [...values].flatMap((value) => spellingsOf(dimension, value).map((text) => [text, value]));
  const others = isSeen(dimension) ? [...(inventory?.texts[dimension] ?? [])].map((text) => [text, "-"]) : [];
  const none = dimension === "bundle" ? [["", "-"]] : [];
  return {
    name: dimension,
    fields,
    transformation: [
      dimension === "size" ? "ConcatenateByPair" : "GetFirstNotEmpty",
      "ApplyMappings",
      ...(open ? (["IncludeDefaultValue"] as const) : []),
    ],
    mapping: Object.fromEntries([...none, ...others, ...own]),
    mappingDefaultValue: isSeen(dimension) ? UNSEEN : open ? ANY : "-",
  };
}

export function isSeen(dimension: string): dimension is Seen {
  return SEEN.some((kind) => kind === dimension);
}

function spellingsOf(dimension: Dimension, value: string): string[] {
  return dimension === "country" ? (COUNTRIES.get(value)?.spellings ?? []) : [value];
}

/**
 * The values as in tuples, from those of a campaign; null if they cannot be told from others. A value that is never a
 * plain text is left out: requests with it are not filtered.
 */
export function tupleValues(dimension: Dimension | "deal", values: string[]): string[] | null {
  if (dimension === "deal" || dimension === "publisher") return values.every((id) => PLAIN_ID.test(id)) ? values : null;
  if (dimension === "country") {
    const codes = values.map((code) => code.toUpperCase());
    return codes.every((code) => COUNTRIES.has(code)) ? codes : null;
  }
  return values;
}
