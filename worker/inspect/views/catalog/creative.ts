//! A creative of a catalog, shown as what it is. Its macros are not filled, because there is no request.

import type { Entry } from "../../../src/operator/answers.ts";
import { h } from "../../dom.ts";
import { code, facts, opening, text } from "../../parts/blocks.ts";
import { plain } from "../../parts/text.ts";
import { creative } from "../request/answer/creative.ts";
import { nativeCard, nativeOf } from "../request/answer/native.ts";
import { player } from "../request/answer/player.ts";
import { PARTS, type Vast, vastOf } from "../request/answer/vast.ts";

/** CSS pixels of a banner that has a ratio in place of a size. */
const RATIO_WIDTH = 320;

/** A box that opens. What is inside is drawn when it opens, because each ad has frames of its own. */
export function creativePart(entry: Entry): HTMLElement {
  const { crid, banner: _b, video: _v, audio: _a, native: _n, ...rest } = entry;
  const others = Object.entries(rest).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const summary = [h("strong", { class: "says" }, plain(crid)), " ", h("span", { class: "soft" }, kindOf(entry))];
  return opening("creative-part", summary, () => [
    shown(entry),
    others.length > 0 && facts(others.map(([name, value]) => [name, code(JSON.stringify(value))])),
  ]);
}

function kindOf({ banner, video, audio, native }: Entry): string {
  if (isEntry(banner)) return `banner ${sizeOf(banner)}`;
  if (isEntry(video)) return `video, ${plain(video["dur"])} s`;
  if (isEntry(audio)) return `audio, ${plain(audio["dur"])} s`;
  return isEntry(native) ? "native" : "of no known kind";
}

function sizeOf({ w, h, wratio, hratio }: Entry): string {
  return w === undefined ? `${plain(wratio)}:${plain(hratio)}` : `${plain(w)}×${plain(h)}`;
}

function shown(entry: Entry): HTMLElement {
  const { banner, video, audio, native } = entry;
  const name = `Creative ${plain(entry["crid"])}`;
  if (isEntry(banner)) {
    const [w, height] = [Number(banner["w"]) || RATIO_WIDTH, Number(banner["h"]) || heightOf(banner)];
    return creative(plain(banner["adm"]), w, height, name);
  }
  const played = [video, audio].find(isEntry);
  if (played !== undefined) {
    const vast = played["adm"] === undefined ? vastFrom(played, name) : vastOf(plain(played["adm"]));
    return vast ? player(vast, !isEntry(video)) : text("error", "The markup is no VAST document.");
  }
  const ad = isEntry(native) ? nativeOf(JSON.stringify(nativeFrom(native))) : null;
  return ad ? nativeCard(ad) : text("empty", "There is nothing to show.");
}

function heightOf({ wratio, hratio }: Entry): number {
  return Math.round((RATIO_WIDTH * (Number(hratio) || 1)) / (Number(wratio) || 1));
}

/** What a VAST document of this video or audio would say. */
function vastFrom(ad: Entry, title: string): Vast {
  const duration = Number(ad["dur"]) || 0;
  const trackers = (key: string, event: string, at: number | null) =>
    listOf(ad, key).map((url) => ({ event, at, url: plain(url) }));
  return {
    ...{ version: "written for each request", title, wrapped: "", duration },
    skip: ad["skipoffset"] === undefined ? null : Number(ad["skipoffset"]),
    clickThrough: plain(ad["clickthrough"]),
    trackers: [
      ...trackers("impression", "impression", 0),
      ...entriesOf(ad, "tracking").map(({ event, offset, url }) => {
        const part = PARTS[plain(event)];
        const at = offset === undefined ? (part === undefined ? null : part * duration) : Number(offset);
        return { event: plain(event), at, url: plain(url) };
      }),
      ...trackers("clicktracking", "click", null),
      ...trackers("error", "error", null),
    ],
    media: entriesOf(ad, "media").map(({ mime, w, h, bitrate, url }) => ({
      ...{ type: plain(mime), width: plain(w ?? ad["w"]), height: plain(h ?? ad["h"]) },
      ...{ bitrate: plain(bitrate), url: plain(url) },
    })),
    companions: entriesOf(ad, "companions").map((one) => ({
      ...{ width: Number(one["w"]) || 0, height: Number(one["h"]) || 0, click: plain(one["clickthrough"]) },
      ...(one["html"] !== undefined
        ? { kind: "HTML" as const, content: plain(one["html"]) }
        : one["iframe"] !== undefined
          ? { kind: "page" as const, content: plain(one["iframe"]) }
          : { kind: "image" as const, content: plain(one["static"]) }),
    })),
    verifications: entriesOf(ad, "verification").map(({ vendor, url, params }) => ({
      ...{ vendor: plain(vendor), script: plain(url), parameters: plain(params) },
    })),
  };
}

/** The assets of a catalog's native ad, as a response has them. */
function nativeFrom(native: Entry): object {
  return {
    assets: [
      { title: { text: plain(native["title"]) } },
      ...entriesOf(native, "img").map((img) => ({ img })),
      ...entriesOf(native, "data").map((data) => ({ data })),
    ],
    link: { url: plain(native["link"]) },
    imptrackers: listOf(native, "imptrackers").map(plain),
    ...(native["jstracker"] !== undefined && { jstracker: plain(native["jstracker"]) }),
    ...(native["privacy"] !== undefined && { privacy: plain(native["privacy"]) }),
  };
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(entry: Entry, key: string): unknown[] {
  const list = entry[key];
  return Array.isArray(list) ? list : [];
}

function entriesOf(entry: Entry, key: string): Entry[] {
  return listOf(entry, key).filter(isEntry);
}
