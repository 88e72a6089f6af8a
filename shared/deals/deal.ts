//! A deal as its seller describes it, what is kept of it, and what the buyer has decided. Attributes of the specification
//! that only people read are not named here.

import { timeIn } from "../time/days.ts";

export interface Terms {
  startdate?: string;
  enddate?: string;
  countries?: string[];
  dealfloor?: number;
  cur?: string;
  guar?: number;
  pricetype?: number;
  units?: number;
  totalcost?: number;
}

export interface Inventory {
  inclinventory?: number[];
  devicetype?: number[];
  sellerids?: string[];
  sitedomains?: string[];
  appbundles?: string[];
  cat?: string[];
  cattax?: number;
}

/** A deal without attributes that are null or empty texts. `sellerstatus`: see {@link STATES}. */
export interface Deal {
  id: string;
  origin: string;
  name?: string;
  desc?: string;
  created?: string;
  seller?: string;
  sellerstatus?: number;
  wseat?: string[];
  bseat?: string[];
  adtypes?: number[];
  dinventory?: number;
  terms: Terms;
  inventory?: Inventory;
  ext?: { updated?: unknown };
}

/** The seller's states of a deal, by `sellerstatus`. An archived deal cannot be active again. */
export const STATES = ["active", "paused", "pending", "complete", "archived"];
export const [COMPLETE, ARCHIVED] = [3, 4];

/** A question about a deal. Without `origin`, only one origin may have this id. */
export interface Question {
  id: string;
  origin?: string;
}

/** What the buyer tells the seller. */
export interface Decision {
  /** 1 approved, 2 rejected. */
  status: 1 | 2;
  /** The buyer's seat; empty if the deal is rejected for all of them. */
  seat: string;
  /** The digest of the message that was decided on. */
  digest: string;
  /** The campaign that takes the deal; empty or absent if none does. */
  campaign?: string;
  reason?: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The body of `POST /deals`. */
export interface Decided extends Decision {
  ssp: string;
  origin: string;
  id: string;
}

/** A deal as it counts now. */
export interface KeptDeal {
  origin: string;
  id: string;
  /** The message that counts, as JSON, its digest, and when it came, in milliseconds since the epoch. */
  deal: string;
  digest: string;
  received: number;
  /** Different messages about the deal that are kept, and how many others could count as well: nothing orders them. */
  versions: number;
  unordered: number;
  /** How many messages came later and do not count: they are older by `ext.updated`, or lack it. */
  later: number;
  /** `deal`: what was decided on, if the terms have changed since. */
  decisions: (Decision & { deal?: string })[];
}

/** The answer of `GET /deals`. */
export interface AllDeals {
  deals: (KeptDeal & { ssp: string })[];
  /** The SSPs whose deals cannot be read now. */
  silent: string[];
}

/** When the seller made this version of the deal, in milliseconds since the epoch; 0 if it does not say. */
export function updatedAt({ ext }: Deal): number {
  return timeIn(ext?.updated) ?? 0;
}
