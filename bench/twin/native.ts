//! Native ads: what a placement asks for and how an ad answers (Native Ads 1.2).

import type { NativeEntry } from "./document.ts";
import type { Player } from "./imp.ts";
import {
  flag,
  integer,
  integerOrZero,
  integers,
  type Json,
  type Members,
  object,
  objects,
  text,
  texts,
} from "./json.ts";
import { type Linear, plays, vastFor } from "./linear.ts";
import { microsDown } from "./money.ts";

export interface NativeOffer {
  /** The version of the response. Only 1.0 wraps it in `{"native":…}`. */
  ver: "1.0" | "1.1" | "1.2";
  assets: Asset[];
  /** `event method`, for each tracker that the request asks for. */
  trackers: string[];
  privacy: boolean;
  battr: number[];
  api: number[];
}

interface Asset {
  id: number;
  required: boolean;
  title?: { len: number };
  img?: { type: number; w: number; h: number; wmin: number; hmin: number };
  video?: Player;
  data?: { type: number; len: number };
}

/** The ad, ready to serve. */
export interface Native extends NativeEntry {
  linear: Linear | undefined;
}

/** What a placement asks for; undefined if no ad can answer it. */
export function nativeOffer(members: Members | undefined): NativeOffer | undefined {
  const asked = members && request(members["request"]);
  if (!members || !asked) return undefined;
  const inner = object(asked["native"]);
  const content = inner ?? asked;
  return {
    ver: version(text(members["ver"]) || text(content["ver"]), inner !== undefined),
    assets: objects(content["assets"]).flatMap(asset),
    trackers: objects(content["eventtrackers"]).flatMap(({ event, methods }) => {
      const number = integer(event);
      return number === undefined ? [] : integers(methods).map((method) => `${number} ${method}`);
    }),
    privacy: flag(content["privacy"]),
    battr: integers(members["battr"]),
    api: integers(members["api"]),
  };
}

/** The version of the Native Ads request. If it names none, a wrapper means 1.0. */
function version(named: string, isWrapped: boolean): NativeOffer["ver"] {
  if (named === "" ? isWrapped : microsDown(named) === 1e6 || named.startsWith("1.0")) return "1.0";
  return microsDown(named) === 11e5 || named.startsWith("1.1") ? "1.1" : "1.2";
}

function request(value: Json | undefined): Members | undefined {
  if (typeof value !== "string") return object(value);
  try {
    return object(JSON.parse(value));
  } catch {
    return undefined;
  }
}

function asset(members: Members): Asset[] {
  const id = integer(members["id"]);
  if (id === undefined) return [];
  const asset: Asset = { id, required: flag(members["required"]) };
  // Only the first of these attributes that is present counts.
  const [title, img, video, data] = ["title", "img", "video", "data"].map((key) => object(members[key]));
  if (title) asset.title = { len: integerOrZero(title["len"]) };
  else if (img) asset.img = image(img);
  else if (video) asset.video = player(video);
  else if (data) asset.data = { type: integerOrZero(data["type"]), len: integerOrZero(data["len"]) };
  return [asset];
}

function image(img: Members): NonNullable<Asset["img"]> {
  const [type = 0, w = 0, h = 0, wmin = 0, hmin = 0] = ["type", "w", "h", "wmin", "hmin"].map((key) =>
    integerOrZero(img[key]),
  );
  return { type, w, h, wmin, hmin };
}

function player(video: Members): Player {
  return {
    mimes: texts(video["mimes"]),
    minduration: integerOrZero(video["minduration"]),
    maxduration: integerOrZero(video["maxduration"]),
    protocols: integers(video["protocols"]),
    rqddurs: [],
    delivery: [],
    w: 0,
    h: 0,
    linearity: 0,
    skip: false,
    maxextended: 0,
    minbitrate: 0,
    maxbitrate: 0,
    boxingallowed: true,
    poddur: 0,
    maxseq: 0,
    companionad: [],
    companiontype: [],
  };
}

/** Whether the ad can answer all required assets, and at least one asset. */
export function answersAssets(offer: NativeOffer, ad: Native): boolean {
  let any = false;
  const used = new Set<object>();
  for (const asset of offer.assets) {
    const has = answer(asset, ad, used) !== undefined;
    if (asset.required && !has) return false;
    any ||= has;
  }
  return any;
}

/** The native response as `bid.adm`. */
export function nativeMarkup(offer: NativeOffer, ad: Native): string {
  const isAsked = (method: number) => offer.trackers.includes(`1 ${method}`);
  const images = ad.imptrackers ?? [];
  const used = new Set<object>();
  const script = ad.jstracker;
  const response: Record<string, unknown> = {
    ver: offer.ver,
    assets: offer.assets.flatMap((asset) => {
      const content = answer(asset, ad, used);
      return content ? [{ id: asset.id, ...content }] : [];
    }),
    link: { url: ad.link },
  };
  if (offer.trackers.length === 0 || offer.ver !== "1.2") {
    if (images.length > 0) response["imptrackers"] = images;
    if (script) response["jstracker"] = `<script src="${script}"></script>`;
  } else {
    const trackers = [
      ...images.filter(() => isAsked(1)).map((url) => ({ event: 1, method: 1, url })),
      ...(script && isAsked(2) ? [{ event: 1, method: 2, url: script }] : []),
    ];
    if (trackers.length > 0) response["eventtrackers"] = trackers;
  }
  if (offer.privacy && ad.privacy && offer.ver === "1.2") response["privacy"] = ad.privacy;
  return JSON.stringify(offer.ver === "1.0" ? { native: response } : response);
}

/** The ad's answer to an asset, by a part that is not `used` yet; undefined if nothing fits. */
function answer({ title, img, video, data }: Asset, ad: Native, used: Set<object>): object | undefined {
  const take = <T extends object>(part: T | undefined, write: (part: T) => object): object | undefined => {
    if (!part || used.has(part)) return undefined;
    used.add(part);
    return write(part);
  };
  // The ad itself stands for its only title.
  if (title) return take(fits(ad.title, title.len) ? ad : undefined, () => ({ title: { text: ad.title } }));
  if (img) {
    const within = (own: number, exact: number, least: number) =>
      least > 0 ? own >= least : exact <= 0 || own === exact;
    const found = ad.img?.find(
      (own) =>
        !used.has(own) &&
        (img.type === 0 || img.type === own.type) &&
        within(own.w, img.w, img.wmin) &&
        within(own.h, img.h, img.hmin),
    );
    return take(found, ({ url, w, h }) => ({ img: { url, w, h } }));
  }
  if (video) {
    const found = ad.linear && plays(video, ad.linear, []) ? ad.linear : undefined;
    return take(found, (linear) => ({ video: { vasttag: vastFor(video, linear) } }));
  }
  if (data) {
    const found = ad.data?.find((own) => !used.has(own) && own.type === data.type && fits(own.value, data.len));
    return take(found, ({ value }) => ({ data: { value } }));
  }
  return undefined;
}

/** Whether a text has at most `len` characters; a `len` of 0 means no limit. */
function fits(text: string, len: number): boolean {
  return len <= 0 || text.length <= len || [...text].length <= len;
}
