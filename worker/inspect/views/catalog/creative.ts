//! A creative of a catalog, shown by its kind. Its macros are not filled, because there is no request.

import { type Entry, isObject } from "../../../../shared/compare/entry.ts";
import { type Child, h } from "../../dom.ts";
import { facts, opening } from "../../parts/blocks.ts";
import { plain } from "../../parts/text.ts";
import { creative } from "../request/answer/creative.ts";
import { type NativeAd, nativeCard } from "../request/answer/native.ts";
import { player, playerOf } from "../request/answer/player.ts";
import { type Companion, secondOf, type Vast } from "../request/answer/vast.ts";

/** CSS pixels of a banner that has a ratio in place of a size. */
const RATIO_WIDTH = 320;

/** A box that opens. Its content is drawn when it opens, because each ad has frames of its own. */
export function creativePart(entry: Entry): HTMLElement {
  const { crid, banner: _b, video: _v, audio: _a, native: _n, ...rest } = entry;
  const others = Object.entries(rest).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const [kind, ad] = shown(entry);
  const summary = [h("strong.says", plain(crid)), " ", h("span.soft", kind)];
  const attributes = facts(others.map(([name, value]) => [name, h("code", JSON.stringify(value))]));
  return opening("creative-part", summary, () => [ad(), attributes]);
}

/** The kind of the ad, and the function that draws it. */
function shown({ crid, banner, video, audio, native }: Entry): [kind: string, ad: () => Child] {
  const name = `Creative ${plain(crid)}`;
  if (isObject(banner)) {
    const { adm, w, h: height, wratio, hratio } = banner;
    const tall = Math.round((RATIO_WIDTH * (Number(hratio) || 1)) / (Number(wratio) || 1));
    const size = w === undefined ? `${plain(wratio)}:${plain(hratio)}` : `${plain(w)}×${plain(height)}`;
    const draw = () => creative(plain(adm), Number(w) || RATIO_WIDTH, Number(height) || tall, name);
    return [`banner ${size}`, draw];
  }
  for (const [kind, ad] of Object.entries({ video, audio })) {
    if (!isObject(ad)) continue;
    const { adm, dur } = ad;
    const isAudio = kind === "audio";
    const draw = () => (adm === undefined ? player(vastFrom(ad, name), isAudio) : playerOf(plain(adm), isAudio));
    return [`${kind}, ${plain(dur)} s`, draw];
  }
  if (isObject(native)) return ["native", () => nativeCard(nativeFrom(native))];
  return ["of no known kind", () => h("p.empty", "There is nothing to show.")];
}

/** The data that a VAST document of this video or audio would have. */
function vastFrom(ad: Entry, title: string): Vast {
  const duration = Number(ad["dur"]) || 0;
  const trackers = (urls: unknown, event: string, at: number | null) =>
    listOf(urls).map((url) => ({ event, at, url: plain(url) }));
  const events = entriesOf(ad["tracking"]).map(({ event, offset, url }) => {
    const at = offset === undefined ? secondOf(plain(event), duration) : Number(offset);
    return { event: plain(event), at, url: plain(url) };
  });
  const media = entriesOf(ad["media"]).map(({ mime, w = ad["w"], h: height = ad["h"], bitrate, url }) => {
    const size = { width: plain(w), height: plain(height) };
    return { type: plain(mime), ...size, bitrate: plain(bitrate), url: plain(url) };
  });
  return {
    ...{ version: "written for each request", title, wrapped: "", duration, media },
    skip: ad["skipoffset"] === undefined ? null : Number(ad["skipoffset"]),
    clickThrough: plain(ad["clickthrough"]),
    trackers: [
      ...trackers(ad["impression"], "impression", 0),
      ...events,
      ...trackers(ad["clicktracking"], "click", null),
      ...trackers(ad["error"], "error", null),
    ],
    companions: entriesOf(ad["companions"]).map(companionFrom),
    verifications: entriesOf(ad["verification"]).map(({ vendor, url, params }) => {
      return { vendor: plain(vendor), script: plain(url), parameters: plain(params) };
    }),
  };
}

function companionFrom({ w, h: height, clickthrough, html, iframe, static: image }: Entry): Companion {
  const kind = html !== undefined ? "HTML" : iframe !== undefined ? "page" : "image";
  const size = { width: plain(w), height: plain(height) };
  return { ...size, kind, content: plain(html ?? iframe ?? image), click: plain(clickthrough) };
}

/** The assets of a catalog's native ad, as in a response. */
function nativeFrom({ title, img, data, link, imptrackers, jstracker, privacy }: Entry): NativeAd {
  return {
    assets: [
      { title: { text: plain(title) } },
      ...entriesOf(img).map((img) => ({ img })),
      ...entriesOf(data).map((data) => ({ data })),
    ],
    link: { url: plain(link) },
    imptrackers: listOf(imptrackers).map(plain),
    jstracker: plain(jstracker),
    privacy: plain(privacy),
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): Entry[] {
  return listOf(value).filter(isObject);
}
