//! A creative of a catalog, shown as what it is. Its macros are not filled, because there is no request.

import type { Entry } from "../../../src/inspect/listed.ts";
import { type Child, h } from "../../dom.ts";
import { creative } from "../request/answer/creative.ts";
import { nativeCard, nativeOf } from "../request/answer/native.ts";
import { player } from "../request/answer/player.ts";
import { type Vast, vastOf } from "../request/answer/vast.ts";

/** CSS pixels of a banner that has a ratio in place of a size. */
const RATIO_WIDTH = 320;

/** A box that opens. What is inside is drawn when it opens, because each ad has frames of its own. */
export function creativePart(entry: Entry): HTMLElement {
  const box = h(
    "details",
    { class: "creative-part" },
    h(
      "summary",
      {},
      h("strong", { class: "says" }, text(entry["crid"])),
      " ",
      h("span", { class: "soft" }, kindOf(entry)),
    ),
  );
  box.addEventListener("toggle", () => {
    if (box.open && box.childElementCount === 1) box.append(h("div", {}, shown(entry), facts(entry)));
  });
  return box;
}

function kindOf({ banner, video, audio, native }: Entry): string {
  if (isEntry(banner)) return `banner ${sizeOf(banner)}`;
  if (isEntry(video)) return `video, ${text(video["dur"])} s`;
  if (isEntry(audio)) return `audio, ${text(audio["dur"])} s`;
  return isEntry(native) ? "native" : "of no known kind";
}

function sizeOf({ w, h, wratio, hratio }: Entry): string {
  return w === undefined ? `${text(wratio)}:${text(hratio)}` : `${text(w)}×${text(h)}`;
}

function shown(entry: Entry): HTMLElement {
  const { banner, video, audio, native } = entry;
  const name = `Creative ${text(entry["crid"])}`;
  if (isEntry(banner)) {
    const [w, height] = [Number(banner["w"]) || RATIO_WIDTH, Number(banner["h"]) || heightOf(banner)];
    return creative(text(banner["adm"]), w, height, name);
  }
  const played = [video, audio].find(isEntry);
  if (played !== undefined) {
    const vast = played["adm"] === undefined ? vastFrom(played, name) : vastOf(text(played["adm"]));
    return vast ? player(vast, !isEntry(video)) : h("p", { class: "error" }, "The markup is no VAST document.");
  }
  const ad = isEntry(native) ? nativeOf(JSON.stringify(nativeFrom(native))) : null;
  return ad ? nativeCard(ad) : h("p", { class: "empty" }, "There is nothing to show.");
}

function heightOf({ wratio, hratio }: Entry): number {
  return Math.round((RATIO_WIDTH * (Number(hratio) || 1)) / (Number(wratio) || 1));
}

/** What a VAST document of this video or audio would say. */
function vastFrom(ad: Entry, title: string): Vast {
  const duration = Number(ad["dur"]) || 0;
  const trackers = (key: string, event: string, at: number | null) =>
    listOf(ad, key).map((url) => ({ event, at, url: text(url) }));
  const parts: Record<string, number> = {
    start: 0,
    firstQuartile: 0.25,
    midpoint: 0.5,
    thirdQuartile: 0.75,
    complete: 1,
  };
  return {
    ...{ version: "written for each request", title, wrapped: "", duration },
    skip: ad["skipoffset"] === undefined ? null : Number(ad["skipoffset"]),
    clickThrough: text(ad["clickthrough"]),
    trackers: [
      ...trackers("impression", "impression", 0),
      ...entriesOf(ad, "tracking").map(({ event, offset, url }) => {
        const part = parts[text(event)];
        const at = offset === undefined ? (part === undefined ? null : part * duration) : Number(offset);
        return { event: text(event), at, url: text(url) };
      }),
      ...trackers("clicktracking", "click", null),
      ...trackers("error", "error", null),
    ],
    media: entriesOf(ad, "media").map(({ mime, w, h, bitrate, url }) => ({
      ...{ type: text(mime), width: text(w ?? ad["w"]), height: text(h ?? ad["h"]) },
      ...{ bitrate: text(bitrate), url: text(url) },
    })),
    companions: entriesOf(ad, "companions").map((one) => ({
      ...{ width: Number(one["w"]) || 0, height: Number(one["h"]) || 0, click: text(one["clickthrough"]) },
      ...(one["html"] !== undefined
        ? { kind: "HTML" as const, content: text(one["html"]) }
        : one["iframe"] !== undefined
          ? { kind: "page" as const, content: text(one["iframe"]) }
          : { kind: "image" as const, content: text(one["static"]) }),
    })),
    verifications: entriesOf(ad, "verification").map(({ vendor, url, params }) => ({
      ...{ vendor: text(vendor), script: text(url), parameters: text(params) },
    })),
  };
}

/** The assets of a catalog's native ad, as a response has them. */
function nativeFrom(native: Entry): object {
  return {
    assets: [
      { title: { text: text(native["title"]) } },
      ...entriesOf(native, "img").map((img) => ({ img })),
      ...entriesOf(native, "data").map((data) => ({ data })),
    ],
    link: { url: text(native["link"]) },
    imptrackers: listOf(native, "imptrackers").map(text),
    ...(native["jstracker"] !== undefined && { jstracker: text(native["jstracker"]) }),
    ...(native["privacy"] !== undefined && { privacy: text(native["privacy"]) }),
  };
}

/** The other attributes of the creative, as the catalog has them. */
function facts({ crid: _c, banner: _b, video: _v, audio: _a, native: _n, ...rest }: Entry): Child {
  const names = Object.keys(rest).filter((name) => listOf(rest, name).length > 0 || !Array.isArray(rest[name]));
  if (names.length === 0) return null;
  return h(
    "dl",
    {},
    ...names.flatMap((name) => [h("dt", {}, name), h("dd", {}, h("code", {}, JSON.stringify(rest[name])))]),
  );
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

function text(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
