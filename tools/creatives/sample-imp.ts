//! The impression that a creative fits, made from what the catalog says about the creative.

import { type Entry, isObject, objectsIn } from "../../shared/compare/entry.ts";

/** The most characters of a title. A macro in it counts as 32. */
const TITLE = 10_000;

/** An impression of exactly this creative's size, duration and kind, which allows all that it does. */
export function impFor(creative: Entry): Entry {
  const { banner, video, audio, native, api } = creative;
  if (isObject(banner)) return { banner: { ...sizeOf(banner), expdir: banner["expdir"], api } };
  if (isObject(video)) return { video: linear(video, api) };
  if (isObject(audio)) return { audio: linear(audio, api) };
  return isObject(native) ? { native: { request: JSON.stringify(assetsOf(native)), ver: "1.2", api } } : {};
}

function sizeOf({ w, h, wratio, hratio, wmin = 1 }: Entry): Entry {
  return w === undefined ? { format: [{ wratio, hratio, wmin }] } : { w, h };
}

function linear({ dur, protocol, w, h, linearity, ...more }: Entry, api: unknown): Entry {
  const mimes = [...objectsIn(more["media"]).map(({ mime }) => mime), ...((more["mimes"] as unknown[]) ?? [])];
  const companionad = objectsIn(more["companions"]).map(({ w, h, api }, at) => ({ id: `${at}`, w, h, api }));
  return {
    ...{ mimes, protocols: [protocol], minduration: dur, maxduration: dur, w, h, linearity, api },
    ...(companionad.length > 0 && { companionad, companiontype: [1, 2, 3] }),
  };
}

function assetsOf({ img, data, video }: Entry): Entry {
  const assets: Entry[] = [
    { title: { len: TITLE } },
    ...objectsIn(img).map(({ type, w, h }) => ({ img: { type, w, h } })),
    ...objectsIn(data).map(({ type }) => ({ data: { type } })),
    ...(isObject(video) ? [{ video: linear(video, undefined) }] : []),
  ];
  return { ver: "1.2", privacy: 1, assets: assets.map((asset, at) => ({ id: at + 1, required: 1, ...asset })) };
}
