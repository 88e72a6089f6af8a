//! The impressions of a request: banner, video, audio, native, several formats in one, and ad pods.

import type { Country } from "./countries.ts";
import type { Wish } from "./demand.ts";
import { between, chance, logNormal, shares } from "./draw.ts";
import type { Random } from "./random.ts";
import { DEALS, MEDIA, SIZES } from "./vocabulary.ts";

/** What the impressions of a request have in common. */
export interface Setting {
  channel: string;
  isTv: boolean;
  country: Country;
  wish: Wish;
}

const SLOTS = shares("1 62, 2 18, 3 10, 4 5, 6 3, 10 2", Number);

/** Share of the video requests that are for a pod. */
const PODS = 0.08;
/** The same on televisions. */
const TV_PODS = 0.55;
/** Share of the banner slots that also take another format. */
const MULTI_FORMAT = 0.07;
const MEDIAN_FLOOR = 0.6;
const SIGMA_FLOOR = 0.9;
/** The floors of other formats than banners are higher by these factors. */
const DEARER = { banner: 1, native: 1.2, audio: 4, video: 6 } as const;
type Media = keyof typeof DEARER;

export function imps(random: Random, setting: Setting): object[] {
  const media = mediaOf(random, setting);
  const isPod = media === "video" && chance(random, setting.isTv ? TV_PODS : PODS);
  if (isPod) return pod(random, setting);
  const count = setting.channel === "site" && media !== "audio" ? SLOTS.draw(random) : 1;
  return Array.from({ length: count }, (_, at) =>
    slot(random, at === 0 ? media : mediaOf(random, { ...setting, wish: {} }), String(at + 1), {
      ...setting,
      // Only the first slot follows the wish.
      wish: at === 0 ? setting.wish : {},
    }),
  );
}

function mediaOf(random: Random, { channel, isTv, wish }: Setting): Media {
  if (wish.media) return wish.media;
  if (isTv) return "video";
  if (channel === "dooh") return chance(random, 0.6) ? "video" : "banner";
  return MEDIA.draw(random);
}

function slot(random: Random, media: Media, id: string, setting: Setting): object {
  const also = media === "banner" && chance(random, MULTI_FORMAT) ? random.pick(["video", "native"]) : media;
  const object = (kind: Media) => ({ [kind]: FORMATS[kind](random, setting) });
  const tagid = `/${between(random, 10_000, 99_999)}/${setting.channel}/slot-${id}`;
  const isWhole = media === "banner" && setting.channel === "app" && chance(random, 0.15);
  return {
    id,
    ...object(media),
    ...(also !== media && object(also as Media)),
    ...(isWhole && { instl: 1 }),
    ...(media === "video" &&
      setting.channel === "app" &&
      !setting.isTv &&
      chance(random, 0.3) && { rwdd: 1, instl: 1 }),
    ...deals(random, media, setting),
    tagid,
    ...floor(random, media, setting.country),
    ...(chance(random, 0.92) && { secure: 1 }),
    ...(chance(random, 0.15) && { exp: random.pick([300, 900, 3600]) }),
    ...(chance(random, 0.08) && { metric: [{ type: "viewability", value: random.below(100) / 100, vendor: "IAS" }] }),
    ...(setting.channel === "dooh" && {
      qty: { multiplier: between(random, 1, 40) + 0.5, sourcetype: 1, vendor: "measure.example" },
    }),
    ...(chance(random, 0.45) && { ext: { gpid: tagid, tid: random.uuid() } }),
  };
}

const FORMATS: Readonly<Record<Media, (random: Random, setting: Setting) => object>> = {
  banner(random, { channel, wish }) {
    const [w, h] = wish.size ?? (channel === "dooh" ? ([1080, 1920] as const) : SIZES.draw(random));
    const others = chance(random, 0.4) ? SIZES.several(random, between(random, 1, 3)) : [];
    const format = [[w, h] as const, ...others.filter(([width, height]) => width !== w || height !== h)];
    return {
      ...(chance(random, 0.85) && { w, h }),
      ...((chance(random, 0.75) || others.length > 0) && { format: format.map(([w, h]) => ({ w, h })) }),
      ...(chance(random, 0.7) && { pos: random.pick([0, 1, 1, 3, 7]) }),
      ...(chance(random, 0.35) && { battr: [1, 2, 3, 8, 13].slice(0, between(random, 1, 5)) }),
      ...(chance(random, 0.15) && { btype: [4] }),
      ...(chance(random, channel === "app" ? 0.7 : 0.2) && { api: channel === "app" ? [3, 5, 6, 7] : [7] }),
      ...(channel === "site" && chance(random, 0.5) && { topframe: Number(chance(random, 0.7)) }),
    };
  },
  video(random, { isTv, wish }) {
    return {
      mimes: ["video/mp4", ...(chance(random, 0.6) ? ["video/webm"] : []), ...(isTv ? [] : ["application/javascript"])],
      ...lengths(random, wish),
      protocols: chance(random, 0.9) ? [2, 3, 5, 6, 7, 8] : [2, 5],
      ...(isTv
        ? { w: 1920, h: 1080 }
        : random.pick([
            { w: 640, h: 360 },
            { w: 1280, h: 720 },
            { w: 400, h: 225 },
          ])),
      startdelay: chance(random, 0.75) ? 0 : random.pick([-1, -2, 600]),
      ...(chance(random, 0.7) && { plcmt: isTv ? 1 : random.pick([1, 2, 3, 4]) }),
      linearity: 1,
      ...(!isTv && chance(random, 0.5) && { skip: 1, skipmin: 6, skipafter: 5 }),
      playbackmethod: isTv ? [1] : random.pick([[1], [2], [6], [2, 6]]),
      ...(chance(random, 0.5) && { delivery: [2] }),
      ...(chance(random, 0.4) && { battr: [8, 13, 17].slice(0, between(random, 1, 3)) }),
      ...(!isTv && chance(random, 0.6) && { api: random.pick([[7], [2, 7], [1, 2]]) }),
      ...(chance(random, 0.2) && { minbitrate: 300, maxbitrate: 6000 }),
    };
  },
  audio(random, { wish }) {
    return {
      mimes: ["audio/mpeg", "audio/mp4"],
      ...lengths(random, wish),
      protocols: [2, 3, 7, 8, 9, 10],
      startdelay: random.pick([0, -1]),
      ...(chance(random, 0.5) && { feed: 3 }),
      ...(chance(random, 0.3) && { maxseq: 2 }),
    };
  },
  native(random) {
    const request = {
      ver: "1.2",
      context: 1,
      plcmttype: random.pick([1, 2, 4]),
      assets: [
        { id: 1, required: 1, title: { len: random.pick([60, 80, 90]) } },
        {
          id: 2,
          required: 1,
          img: { type: 3, wmin: random.pick([300, 600, 1200]), hmin: random.pick([157, 250, 314]) },
        },
        ...(chance(random, 0.6) ? [{ id: 3, img: { type: 1, w: 80, h: 80 } }] : []),
        ...(chance(random, 0.7) ? [{ id: 4, required: 0, data: { type: 1, len: 25 } }] : []),
        ...(chance(random, 0.5) ? [{ id: 5, required: 0, data: { type: 2, len: 140 } }] : []),
        ...(chance(random, 0.4) ? [{ id: 6, required: 0, data: { type: 12, len: 15 } }] : []),
      ],
      ...(chance(random, 0.6) && { eventtrackers: [{ event: 1, methods: [1, 2] }] }),
      ...(chance(random, 0.4) && { privacy: 1 }),
    };
    return { request: JSON.stringify(request), ver: "1.2", ...(chance(random, 0.4) && { api: [7] }) };
  },
};

/** The lengths that fit: a range, or in one of ten slots a list. */
function lengths(random: Random, { seconds }: Wish): object {
  if (chance(random, 0.1)) return { rqddurs: [...new Set([15, 30, seconds ?? 15])] };
  return { minduration: 5, maxduration: seconds ? Math.max(30, seconds) : random.pick([15, 30, 30, 60]) };
}

/** A pod: one dynamic slot, or two to four structured ones. */
function pod(random: Random, setting: Setting): object[] {
  const podid = `pod-${random.hex(6)}`;
  const podseq = random.pick([0, 1, -1]);
  const inPod = (id: string, own: object) => {
    const imp = slot(random, "video", id, setting) as { video: object };
    return { ...imp, video: { ...imp.video, podid, podseq, ...own } };
  };
  if (chance(random, 0.4)) {
    const poddur = random.pick([60, 90, 120]);
    return [
      inPod("1", {
        poddur,
        maxseq: between(random, 2, 6),
        mincpmpersec: between(random, 1, 9) / 100,
        ...(chance(random, 0.3) && { poddedupe: [1, 2] }),
      }),
    ];
  }
  const count = between(random, 2, 4);
  return Array.from({ length: count }, (_, at) =>
    inPod(String(at + 1), { slotinpod: at === 0 ? 1 : at === count - 1 ? -1 : 0 }),
  );
}

function deals(random: Random, media: Media, { wish, country }: Setting): object {
  const wished = wish.deal ? [wish.deal] : [];
  if (wished.length === 0 && !chance(random, media === "video" ? 0.25 : 0.06)) return {};
  const ids = [
    ...wished,
    ...(chance(random, 0.5) || wished.length === 0 ? DEALS.several(random, between(random, 1, 3)) : []),
  ];
  return {
    pmp: {
      private_auction: Number(chance(random, 0.15)),
      deals: [...new Set(ids)].map((id) => ({
        id,
        ...floor(random, media, country),
        at: random.pick([1, 2, 3]),
        ...(chance(random, 0.05) && { guar: 1 }),
        ...(chance(random, 0.08) && { wadomain: ["schuhe.example"] }),
      })),
    },
  };
}

/** A floor, in the currency of the country in three of ten cases where that is not the dollar. */
function floor(random: Random, media: Media, { cur }: Country): object {
  if (chance(random, 0.12)) return {};
  const units = cur === "JPY" ? 150 : 1;
  const isOwn = cur !== "USD" && chance(random, 0.3);
  const amount = logNormal(random, MEDIAN_FLOOR * DEARER[media], SIGMA_FLOOR) * (isOwn ? units : 1);
  const decimals = isOwn && units > 1 ? 0 : random.pick([2, 2, 2, 4, 6]);
  const bidfloor = Number(amount.toFixed(decimals));
  return { bidfloor, ...(isOwn ? { bidfloorcur: cur } : chance(random, 0.6) && { bidfloorcur: "USD" }) };
}
