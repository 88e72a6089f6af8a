//! The attributes of a request that targeting uses. The frequent ones are read at once, the others when a campaign
//! first needs them.

import { alpha3 } from "./country.ts";
import {
  flag,
  integer,
  integerOrZero,
  items,
  type Json,
  knownFlag,
  type Members,
  object,
  objects,
  text,
  texts,
} from "./json.ts";
import { microsDown } from "./money.ts";
import { FREE, PERSONAL, type Verdict } from "./privacy/level.ts";
import { hostOf, languageOf, parentCategory } from "./text.ts";

export interface Point {
  /** In degrees. */
  lat: number;
  lon: number;
}

export interface Chain {
  complete: boolean;
  /** In lower case. */
  asis: string[];
}

export interface Eid {
  /** In lower case. */
  source: string;
  /** Match method; 0 if unknown. */
  mm: number;
}

const EMPTY: Members = {};

/** Texts are in lower case and empty if unknown. Ids keep their spelling. */
export class Facts {
  readonly nowMs: number;
  readonly hasSite: boolean;
  readonly hasApp: boolean;
  readonly hasDooh: boolean;
  readonly country: string;
  readonly region: string;
  readonly metro: string;
  readonly city: string;
  readonly zip: string;
  readonly point: Point | undefined;
  readonly utcoffset: number | undefined;
  readonly devicetype: number | undefined;
  readonly make: string;
  readonly model: string;
  readonly os: string;
  readonly language: string;
  readonly connectiontype: number | undefined;
  readonly carrier: string;
  readonly id: string;
  readonly domain: string;
  readonly bundle: string;
  readonly publisher: string;
  readonly genres: string[];
  readonly contentrating: string;
  readonly livestream: boolean | undefined;
  readonly contentLanguage: string;
  readonly network: string;
  readonly contentChannel: string;
  /** The exchange's id for the person; empty unless the privacy verdict allows its use. */
  readonly buyeruid: string;
  readonly yob: number;
  readonly #channel: Members;
  readonly #content: Members;
  readonly #device: Members;
  readonly #sua: Members | undefined;
  readonly #person: Members;
  readonly #source: Members | undefined;
  #osv: string[] | undefined;
  #browsers: string[] | undefined;
  #keywords: Set<string> | undefined;
  #segments: Set<string> | undefined;
  #eids: Eid[] | undefined;
  #chain: Chain | null | undefined;
  readonly #categories = new Map<number, Set<string>>();

  constructor(request: Members, device: Members, verdict: Verdict, nowMs: number) {
    this.nowMs = nowMs;
    const [site, app, dooh] = [object(request["site"]), object(request["app"]), object(request["dooh"])];
    this.hasSite = site !== undefined;
    this.hasApp = app !== undefined;
    this.hasDooh = dooh !== undefined;
    const user = object(request["user"]) ?? EMPTY;
    this.#person = verdict >= PERSONAL ? user : EMPTY;
    this.#device = device;
    this.#source = object(request["source"]);

    const geo = new Place(device, user, verdict >= FREE, this.hasDooh);
    this.country = alpha3(lower(geo.members["country"]));
    this.region = lower(geo.members["region"]);
    this.metro = lower(geo.members["metro"]);
    this.city = lower(geo.members["city"]);
    this.zip = geo.isPrecise ? lower(geo.members["zip"]) : "";
    this.point = geo.isPrecise ? pointOf(geo.members) : undefined;
    this.utcoffset = integer(geo.members["utcoffset"]);

    this.#sua = object(device["sua"]) ?? object(object(device["ext"])?.["sua"]);
    this.devicetype = integer(device["devicetype"]);
    this.make = lower(device["make"]);
    this.model = lower(this.#sua?.["model"]) || lower(device["model"]);
    this.os = lower(object(this.#sua?.["platform"])?.["brand"]) || lower(device["os"]);
    this.language = languageOf(text(device["language"]) || text(device["langb"]));
    this.connectiontype = integer(device["connectiontype"]);
    this.carrier = lower(device["carrier"]);

    const channel = site ?? app ?? dooh ?? EMPTY;
    this.#channel = channel;
    this.id = text(channel["id"]);
    const page = channel === site ? lower(channel["page"]) : "";
    const publisher = object(channel["publisher"]);
    this.domain = hostOf(lower(channel["domain"])) || hostOf(page) || hostOf(lower(publisher?.["domain"]));
    this.bundle = channel === app ? lower(channel["bundle"]) : "";
    this.publisher = text(publisher?.["id"]);
    const content = object(channel["content"]) ?? EMPTY;
    this.#content = content;
    this.genres = [text(content["genre"]), ...texts(content["genres"])].map((genre) => genre.toLowerCase());
    this.contentrating = lower(content["contentrating"]);
    this.livestream = knownFlag(content["livestream"]);
    this.contentLanguage = languageOf(text(content["language"]) || text(content["langb"]));
    this.network = lower(object(content["network"])?.["name"]);
    this.contentChannel = lower(object(content["channel"])?.["name"]);
    this.buyeruid = text(this.#person["buyeruid"]);
    this.yob = integerOrZero(this.#person["yob"]);
  }

  /** The version of the operating system, part by part. */
  get osv(): string[] {
    if (this.#osv === undefined) {
      const version = texts(object(this.#sua?.["platform"])?.["version"]);
      this.#osv =
        version.length > 0
          ? version
          : text(this.#device["osv"])
              .split(".")
              .filter((part) => part !== "");
    }
    return this.#osv;
  }

  /** The names of the browser. */
  get browsers(): string[] {
    this.#browsers ??= browsersOf(this.#sua, text(this.#device["ua"])).map((name) => name.toLowerCase());
    return this.#browsers;
  }

  /** Categories in this taxonomy of site, section, page and content, each with its parent. */
  categories(cattax: number): Set<string> {
    let categories = this.#categories.get(cattax);
    if (categories === undefined) {
      const { cat, sectioncat, pagecat } = this.hasSite || this.hasApp ? this.#channel : EMPTY;
      const own = taxonomy(this.#channel) === cattax ? [cat, sectioncat, pagecat].flatMap(texts) : [];
      const inside = taxonomy(this.#content) === cattax ? texts(this.#content["cat"]) : [];
      const lowered = [...own, ...inside].map((cat) => cat.toLowerCase());
      categories = new Set([...lowered, ...lowered.map(parentCategory)]);
      this.#categories.set(cattax, categories);
    }
    return categories;
  }

  get keywords(): Set<string> {
    if (this.#keywords === undefined) {
      const words = [this.#channel, this.#content, this.#person].flatMap(wordsOf);
      this.#keywords = new Set(words.map((word) => word.trim().toLowerCase()));
    }
    return this.#keywords;
  }

  /** The segments as keys of {@link segmentKey}, each with the provider's id and with the provider's name. */
  get segments(): Set<string> {
    if (this.#segments === undefined) {
      this.#segments = new Set();
      for (const data of objects(this.#person["data"])) {
        const [id, name] = [text(data["id"]), text(data["name"])];
        for (const segment of objects(data["segment"])) {
          const value = segment["id"];
          if (typeof value !== "string" && typeof value !== "number") continue;
          this.#segments.add(segmentKey(id, text(value)));
          this.#segments.add(segmentKey(name, text(value)));
        }
      }
    }
    return this.#segments;
  }

  /** The sources of the extended ids (`eids`), each with its match method. */
  get eids(): Eid[] {
    if (this.#eids === undefined) {
      const own = objects(this.#person["eids"]).filter(({ source }) => text(source) !== "" || source === "");
      const listed = own.length > 0 ? own : objects(object(this.#person["ext"])?.["eids"]);
      const isUsable = ({ uids }: Members) => objects(uids).some(({ id }) => text(id) !== "");
      this.#eids = listed.filter(isUsable).map(({ source, mm }) => ({ source: lower(source), mm: integerOrZero(mm) }));
    }
    return this.#eids;
  }

  /** The supply chain; null if the request has none. */
  get chain(): Chain | null {
    if (this.#chain === undefined) {
      const schain = object(this.#source?.["schain"]) ?? object(object(this.#source?.["ext"])?.["schain"]);
      this.#chain = schain
        ? { complete: flag(schain["complete"]), asis: objects(schain["nodes"]).map(({ asi }) => lower(asi)) }
        : null;
    }
    return this.#chain;
  }
}

export function segmentKey(provider: string, id: string): string {
  return `${provider}\u0000${id}`;
}

/** The location of the device, or of the user if the request does not tell that of the device. */
class Place {
  readonly members: Members;
  readonly isPrecise: boolean;

  constructor(device: Members, user: Members, isAllowed: boolean, isScreen: boolean) {
    const own = object(device["geo"]);
    this.members = own ?? object(user["geo"]) ?? EMPTY;
    // The location of a public screen is not personal.
    this.isPrecise = isAllowed || (isScreen && own !== undefined);
  }
}

function pointOf({ lat, lon }: Members): Point | undefined {
  const [north, east] = [microsDown(lat), microsDown(lon)];
  if (north === undefined || east === undefined) return undefined;
  return Math.abs(north) <= 90e6 && Math.abs(east) <= 180e6 ? { lat: north / 1e6, lon: east / 1e6 } : undefined;
}

const USUAL_NAMES: Record<string, string> = {
  "Google Chrome": "Chrome",
  "Microsoft Edge": "Edge",
  "Mobile Safari": "Safari",
};

/** The most specific token first. */
const CLAIMS = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["OPT/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["FxiOS/", "Firefox"],
  ["Firefox/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Version/", "Safari"],
] as const;

function browsersOf(sua: Members | undefined, ua: string): string[] {
  const brands = objects(sua?.["browsers"]).map(({ brand }) => text(brand));
  if (brands.length > 0) return brands.flatMap((brand) => [brand, USUAL_NAMES[brand] ?? brand]);
  const claim = CLAIMS.find(([claim]) => ua.includes(claim));
  return claim ? [claim[1]] : [];
}

function taxonomy({ cattax }: Members): number {
  return integer(cattax) ?? 1;
}

/** `keywords` split at commas, and `kwarray`, or `keywords` if it is a list. */
function wordsOf({ keywords, kwarray }: Members): string[] {
  const listed = texts(kwarray);
  const misplaced = Array.isArray(keywords) && listed.length === 0 ? texts(items(keywords)) : [];
  return [...text(keywords).split(","), ...listed, ...misplaced];
}

function lower(value: Json | undefined): string {
  return text(value).toLowerCase();
}
