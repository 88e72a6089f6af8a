//! Makes a request deviate from the specification as requests of real exchanges do.
//!
//! How often each quirk occurs was counted in 194 public samples of exchanges and bidders, or for texts in 2,780
//! public requests. A quirk that finds nothing to change leaves the request as it is.

import { isObject } from "../../cli/input.ts";
import { countryOf } from "./countries.ts";
import { chance } from "./draw.ts";
import type { Random } from "./random.ts";

type Value = { [attribute: string]: unknown };

/** An attribute in a request: the object that has it, and its name. */
type Member = readonly [object: Value, key: string];

/** Changes a request in place, if it has something to change. */
type Change = (request: Value, random: Random) => void;

const IN_SAMPLES = 194;
const IN_POOL = 2780;
/** Requests with a country among the samples. */
const WITH_COUNTRY = 158;

/** Attributes that exchanges add outside `ext`. */
const UNKNOWN: readonly [path: string, key: string, value: unknown][] = [
  ["", "Xid", "x-8812"],
  ["app", "storeid", "1234567890"],
  ["user", "tz", "+01:00"],
  ["imp", "support_download", 1],
  ["device", "screen_density", "xxhdpi"],
];

/** Attributes that 2.6 has removed. */
const REMOVED: readonly [path: string, key: string, value: unknown][] = [
  ["content", "videoquality", 1],
  ["video", "protocol", 3],
  ["banner", "wmax", 728],
  ["banner", "hmin", 50],
];

const QUIRKS: readonly (readonly [share: number, change: Change])[] = [
  [64 / IN_SAMPLES, (request, random) => add(request, random, UNKNOWN)],
  [15 / IN_SAMPLES, (request, random) => add(request, random, REMOVED)],
  // A string given as a number.
  [
    9 / IN_SAMPLES,
    change("id season sid ver", (value) => (SHORT_NUMBER.test(String(value)) ? Number(value) : undefined)),
  ],
  // An integer given as a string, or as an empty one.
  [
    6 / IN_SAMPLES,
    change("w h yob secure instl tmax", (value, random) => (random.below(6) === 0 ? "" : String(value))),
  ],
  // `native.request` as an object. The share is that of native samples.
  [0.15, change("request", (value) => (typeof value === "string" ? JSON.parse(value) : undefined))],
  // 0 and 1 as booleans.
  [7 / IN_SAMPLES, change("secure dnt privacypolicy boxingallowed lmt", (value) => value === 1)],
  [5 / IN_SAMPLES, nulls],
  // One value where a list is due.
  [3 / IN_SAMPLES, change("cat mimes api", (value) => (Array.isArray(value) ? value[0] : undefined))],
  // A list where a string is due.
  [3 / IN_SAMPLES, change("keywords", (value) => String(value).split(","))],
  [1 / IN_SAMPLES, change("lat lon pxratio", String)],
  // A wrong type inside a list.
  [3 / IN_SAMPLES, change("cat battr protocols", (value) => (Array.isArray(value) ? [...value, null] : undefined))],
  [
    1 / IN_SAMPLES,
    (request) => {
      request["source"] = "/home/ubuntu/source.json";
    },
  ],
  [2 / IN_SAMPLES, emptyImpId],
  [25 / WITH_COUNTRY, change("country", (value) => countryOf(String(value)).short || undefined)],
  [352 / IN_POOL, (request, random) => empty(request, random, {})],
  [61 / IN_POOL, (request, random) => empty(request, random, [])],
];

const SHORT_NUMBER = /^[1-9]\d{0,8}$/;

/** Changes of the text, which JSON values cannot have. */
const TEXT_QUIRKS: readonly (readonly [share: number, change: (text: string, random: Random) => string])[] = [
  // Integers written 320.0.
  [3 / IN_SAMPLES, (text) => text.replace(/"(w|h|tmax|secure|type|devicetype)":(\d+)(?=[,}])/g, '"$1":$2.0')],
  // Exponents in floors.
  [20 / IN_POOL, (text) => text.replace(/"bidfloor":[\d.]+/, '"bidfloor":1.0E-5')],
  // More escapes than JSON requires.
  [9 / IN_POOL, (text) => text.replaceAll("/", "\\/")],
  [12 / 305, (text) => text.replaceAll("&", "\\u0026")],
  [1 / IN_POOL, (text) => text.replace(/"secure":1/, '"secure":1,"secure":0')],
];

/** The text of a request, with quirks in some requests. May change `request`. */
export function quirky(request: object, random: Random): string {
  for (const [share, apply] of QUIRKS) if (chance(random, share)) apply(request as Value, random);
  return TEXT_QUIRKS.reduce(
    (text, [share, apply]) => (chance(random, share) ? apply(text, random) : text),
    JSON.stringify(request),
  );
}

/** Gives one of the attributes with these names another value, where `change` has one. */
function change(names: string, change: (value: unknown, random: Random) => unknown): Change {
  const keys = names.split(" ");
  return (request, random) => {
    const members = membersOf(request).filter(([object, key]) => keys.includes(key) && object[key] !== null);
    const from = random.below(Math.max(1, members.length));
    for (const [object, key] of [...members.slice(from), ...members.slice(0, from)]) {
      // The ids of request, imps and deals stay: without its id, the object would be ignored.
      if (key === "id" && object["imp"] !== undefined) continue;
      const value = change(object[key], random);
      if (value === undefined) continue;
      object[key] = value;
      return;
    }
  };
}

/** A known attribute that is null. */
function nulls(request: Value, random: Random): void {
  if (random.below(3) > 0) change("api cat language pos battr", () => null)(request, random);
  else if (request["app"] === undefined) request["app"] = null;
}

function emptyImpId(request: Value): void {
  const [only, second] = request["imp"] as Value[];
  if (only !== undefined && second === undefined) only["id"] = "";
}

/** Adds an attribute from a table to the object that it names. */
function add(request: Value, random: Random, table: typeof UNKNOWN): void {
  const [path, key, value] = table[random.below(table.length)] ?? ["", "", null];
  const [parent, name] = membersOf({ "": request }).find(([, key]) => key === path) ?? [{}, ""];
  const found = [parent[name]].flat()[0];
  if (isObject(found)) found[key] = value;
}

/** Adds an empty object or list, like exchanges that always send some attributes. */
function empty(request: Value, random: Random, value: object): void {
  const [imp] = request["imp"] as Value[];
  const names = Array.isArray(value) ? ["bcat", "badv", "wseat"] : ["ext", "regs", "source"];
  const name = names[random.below(names.length)] ?? "";
  const owner = name === "ext" && imp ? imp : request;
  if (owner[name] === undefined) owner[name] = value;
}

/** All attributes at any depth, besides those inside `ext`. */
function membersOf(value: unknown): Member[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (!isObject(value)) return [];
  const keys = Object.keys(value).filter((key) => key !== "ext");
  return keys.flatMap((key): Member[] => [[value, key], ...membersOf(value[key])]);
}
