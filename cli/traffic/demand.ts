//! What the campaigns of a catalog ask for, as wishes: the values of one campaign that a request may take, so that the
//! campaign gets a request that it can bid on.

import type { Random } from "./random.ts";

/** The values of one campaign. All are optional: without a value, the request draws its own. */
export interface Wish {
  channel?: string;
  country?: string;
  city?: string;
  domain?: string;
  bundle?: string;
  publisher?: string;
  cat?: string;
  keyword?: string;
  language?: string;
  devicetype?: number;
  os?: string;
  deal?: string;
  segment?: { provider: string; id: string };
  media?: "banner" | "video" | "audio" | "native";
  size?: readonly [w: number, h: number];
  /** Length of the video or audio in seconds. */
  seconds?: number;
}

/** The parts of a catalog document that are read. A document is only read, never checked: that is for a push. */
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

interface Rule {
  include?: unknown[];
  include_lists?: string[];
}

/** Draws wishes from a catalog: each campaign as often as any other. */
export class Wishes {
  /** Our id on the Global Vendor List; undefined if the catalog has none. */
  readonly vendor: number | undefined;
  readonly #campaigns: readonly Demand[];
  readonly #templates: ReadonlyMap<string, Demand>;
  readonly #creatives: ReadonlyMap<string, Creative>;
  readonly #lists: ReadonlyMap<string, string[]>;

  constructor({ privacy, lists = [], templates = [], campaigns = [], creatives = [] }: Document) {
    this.vendor = privacy?.vendor_id;
    this.#campaigns = campaigns;
    this.#templates = new Map(templates.map((template) => [template.id ?? "", template]));
    this.#creatives = new Map(creatives.map((creative) => [creative.crid, creative]));
    this.#lists = new Map(lists.map(({ id, values }) => [id, values]));
  }

  /** What one campaign asks for; nothing if the catalog has no campaigns. */
  draw(random: Random): Wish {
    const own = one(random, this.#campaigns);
    if (own === undefined) return {};
    const campaign = { ...this.#templates.get(own.template ?? ""), ...own };
    const target = campaign.target ?? {};
    const value = <T>(dimension: string) => one(random, this.#included(target[dimension])) as T | undefined;
    const deal = one(random, campaign.deals ?? []);
    const shown = one(random, campaign.creatives ?? []);
    const creative = this.#creatives.get((typeof shown === "object" ? shown.crid : shown) ?? "");
    return known({
      channel: one(random, Array.isArray(target["channel"]) ? (target["channel"] as string[]) : []),
      country: value<string>("country"),
      city: value<string>("city"),
      domain: value<string>("domain"),
      bundle: value<string>("bundle"),
      publisher: value<string>("publisher"),
      cat: value<string>("cat"),
      keyword: value<string>("keywords"),
      language: value<string>("language"),
      devicetype: value<number>("devicetype"),
      os: value<string>("os"),
      deal: typeof deal === "object" ? deal.id : deal,
      segment: value<{ provider: string; id: string }>("segment"),
      ...shape(creative),
    });
  }

  #included(rule: unknown): unknown[] {
    const { include = [], include_lists = [] } = (rule ?? {}) as Rule;
    return [...include, ...include_lists.flatMap((id) => this.#lists.get(id) ?? [])];
  }
}

/** The imp that a creative fills. */
function shape(
  creative: Creative | undefined,
): Pick<{ [K in keyof Wish]: Wish[K] | undefined }, "media" | "size" | "seconds"> {
  if (creative?.video) return { media: "video", seconds: creative.video.dur };
  if (creative?.audio) return { media: "audio", seconds: creative.audio.dur };
  if (creative?.native) return { media: "native" };
  const { w, h } = creative?.banner ?? {};
  return w && h ? { media: "banner", size: [w, h] } : {};
}

function one<T>(random: Random, items: readonly T[]): T | undefined {
  return items.length > 0 ? items[random.below(items.length)] : undefined;
}

function known(values: { [K in keyof Wish]: Wish[K] | undefined }): Wish {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Wish;
}
