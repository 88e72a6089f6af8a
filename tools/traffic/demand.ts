//! The values that the campaigns of a catalog target, as wishes. A *wish* has values of one campaign for a request, so
//! that the campaign can bid on it.

import type { Random } from "./random.ts";

/** The dimensions of targeting that requests follow, in the order in which they are drawn. */
const DIMENSIONS = [
  ...(["country", "city", "domain", "bundle", "publisher", "cat", "keywords", "language", "devicetype"] as const),
  ...(["os", "segment"] as const),
];

/** The values of one campaign. All are optional: without a value, the request draws its own. */
export interface Wish extends Partial<Record<Exclude<(typeof DIMENSIONS)[number], "devicetype" | "segment">, string>> {
  devicetype?: number;
  segment?: { provider: string; id: string };
  channel?: string;
  deal?: string;
  media?: "banner" | "video" | "audio" | "native";
  size?: readonly [w: number, h: number];
  /** Length of the video or audio in seconds. */
  seconds?: number;
}

/** The parts of a catalog document that are read. This file does not check them. */
export interface Document {
  privacy?: { vendor_id?: number };
  lists?: { id: string; values: string[] }[];
  templates?: Demand[];
  campaigns?: Demand[];
  creatives?: Creative[];
}

interface Demand {
  id?: string;
  template?: string;
  target?: Record<string, unknown>;
  deals?: (string | { id: string })[];
  creatives?: (string | { crid: string })[];
}

interface Creative {
  crid: string;
  banner?: { w?: number; h?: number };
  video?: { dur?: number };
  audio?: { dur?: number };
  native?: unknown;
}

/** Draws wishes from a catalog, for each campaign equally often. Without campaigns, a wish is empty. */
export function wishesOf({ lists = [], templates = [], campaigns = [], creatives = [] }: Document) {
  const templateOf = new Map(templates.map((template) => [template.id, template]));
  const creativeOf = new Map(creatives.map((creative) => [creative.crid, creative]));
  const valuesOf = new Map(lists.map(({ id, values }) => [id, values]));
  const included = (rule: unknown): unknown[] => {
    const { include = [], include_lists = [] } = (rule ?? {}) as { include?: unknown[]; include_lists?: string[] };
    return [...include, ...include_lists.flatMap((id) => valuesOf.get(id) ?? [])];
  };
  return (random: Random): Wish => {
    const own = one(random, campaigns);
    if (own === undefined) return {};
    const { target = {}, deals = [], creatives = [] } = { ...templateOf.get(own.template), ...own };
    const deal = one(random, deals);
    const shown = one(random, creatives);
    const channels = target["channel"];
    const values = {
      channel: one(random, Array.isArray(channels) ? channels : []),
      ...Object.fromEntries(DIMENSIONS.map((name) => [name, one(random, included(target[name]))])),
      deal: typeof deal === "object" ? deal.id : deal,
      ...slotFor(creativeOf.get((typeof shown === "object" ? shown.crid : shown) ?? "")),
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  };
}

/** The imp that a creative fills. */
function slotFor({ banner = {}, video, audio, native }: Partial<Creative> = {}): object {
  if (video) return { media: "video", seconds: video.dur };
  if (audio) return { media: "audio", seconds: audio.dur };
  if (native) return { media: "native" };
  return banner.w && banner.h ? { media: "banner", size: [banner.w, banner.h] } : {};
}

function one<T>(random: Random, items: readonly T[]): T | undefined {
  return items.length > 0 ? items[random.below(items.length)] : undefined;
}
