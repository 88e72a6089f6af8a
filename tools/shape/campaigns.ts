//! What the campaigns of a catalog could buy, as the compiling module reads it from the snapshot. TypeScript reads no
//! targeting from the document.

import { Failure } from "../../build/failure.mjs";
import { compiler } from "../../cli/module.ts";
import { type Compiling, Instance, isTrue } from "../../shared/wasm/instance.ts";

export type Form = "banner" | "video" | "audio" | "native";

/** A campaign: `crates/compiler-wasm/src/shape.rs`. What is absent restricts nothing. */
export interface Campaign {
  cid: string;
  ssps?: string[];
  paused?: boolean;
  /** When its last flight ends, in milliseconds since the epoch. */
  ends?: number;
  /** Whether it bids without a deal. */
  open?: boolean;
  deals?: string[];
  media?: Form[];
  /** The sizes of its banners, such as `320x50`. */
  sizes?: string[];
  /** By dimension, the only values with which it bids: its own, and those of lists by their number. */
  include: Record<string, string[]>;
  include_lists: Record<string, number[]>;
}

/** The campaigns that can bid for an SSP. */
export interface Demand {
  campaigns: Campaign[];
  /** The values that a campaign includes in a dimension; null if it bids with any value. */
  valuesOf(campaign: Campaign, dimension: string): string[] | null;
}

/**
 * The campaigns of a snapshot that bid for this SSP at `now` or later. A paused or ended campaign does not bid before a
 * push. Throws {@link Failure} if the catalog has no such SSP, or no campaign for it.
 */
export function demandOf(snapshot: Uint8Array, ssp: string, now: number): Demand {
  const instance = new Instance<Compiling>(compiler);
  const isRead = isTrue(instance.exports.shape(instance.put(snapshot)));
  const text = new TextDecoder().decode(instance.output());
  if (!isRead) throw new Failure(JSON.parse(text).error);
  const [head = "{}", ...lines] = text.split("\n");
  const { ssps = [], lists = [] } = JSON.parse(head) as { ssps?: string[]; lists?: Record<string, string[]>[] };
  if (!ssps.includes(ssp)) throw new Failure(`the catalog has no SSP ${ssp}; it has ${ssps.join(", ")}`);
  const campaigns = lines
    .map((line): Campaign => JSON.parse(line))
    .filter(({ ssps, paused, ends = Infinity }) => (ssps?.includes(ssp) ?? true) && !paused && ends > now);
  if (campaigns.length === 0) throw new Failure(`no campaign of the catalog can bid for ${ssp}`);
  return {
    campaigns,
    valuesOf({ include, include_lists }, dimension) {
      const [own, shared] = [include[dimension] ?? [], include_lists[dimension] ?? []];
      if (own.length + shared.length === 0) return null;
      return [...own, ...shared.flatMap((number) => lists[number]?.[dimension] ?? [])];
    },
  };
}
