//! Compares what two catalogs decided on the same request, bid by bid, and counts the differences.

import type { Bid, Decision } from "./contender.ts";

/**
 * How two decisions differ. `gained`: only the second catalog bids; `lost`: only the first one. `campaign`, `creative`,
 * `deal`, `price`: both bid, and this differs; of several, the first one counts. `reason`: neither bids, for different
 * reasons.
 */
export const KINDS = ["gained", "lost", "campaign", "creative", "deal", "price", "reason"] as const;
export type Kind = (typeof KINDS)[number];

/** A difference on an impression; `reason` is about the whole request. */
export interface Difference {
  kind: Kind;
  a: Bid | null;
  b: Bid | null;
}

/** What changes for one campaign: bids that it gains and loses, and bids that stay with another content. */
export interface Changed {
  gained: number;
  lost: number;
  creative: number;
  deal: number;
  price: number;
}

/** The differences between two decisions on one request. */
export function differencesOf(a: Decision, b: Decision): Difference[] {
  if (a.bids.length === 0 && b.bids.length === 0) {
    return a.outcome === b.outcome ? [] : [{ kind: "reason", a: null, b: null }];
  }
  const [left, right] = [[...a.bids], [...b.bids]];
  // Equal bids first, then bids of one campaign, then what is left: so each bid has the partner that is most like it.
  take(left, right, isSame);
  const pairs = [
    ...take(left, right, (one, other) => isOnSameImp(one, other) && one.cid === other.cid),
    ...take(left, right, isOnSameImp),
  ];
  return [
    ...pairs.map(([a, b]) => ({ kind: kindOf(a, b), a, b })),
    ...left.map((a): Difference => ({ kind: "lost", a, b: null })),
    ...right.map((b): Difference => ({ kind: "gained", a: null, b })),
  ];
}

/** Removes pairs of bids from both lists. */
function take(left: Bid[], right: Bid[], fits: (a: Bid, b: Bid) => boolean): [Bid, Bid][] {
  const pairs: [Bid, Bid][] = [];
  for (let at = 0; at < left.length; ) {
    const a = left[at] as Bid;
    const place = right.findIndex((b) => fits(a, b));
    const b = right[place];
    if (b === undefined) {
      at++;
      continue;
    }
    pairs.push([a, b]);
    left.splice(at, 1);
    right.splice(place, 1);
  }
  return pairs;
}

function isOnSameImp(a: Bid, b: Bid): boolean {
  return a.impid === b.impid;
}

function isSame(a: Bid, b: Bid): boolean {
  return isOnSameImp(a, b) && a.cid === b.cid && a.crid === b.crid && a.dealid === b.dealid && isSamePrice(a, b);
}

function isSamePrice(a: Bid, b: Bid): boolean {
  return a.price_micros === b.price_micros && a.cur === b.cur;
}

function kindOf(a: Bid, b: Bid): Kind {
  if (a.cid !== b.cid) return "campaign";
  if (a.crid !== b.crid) return "creative";
  return a.dealid !== b.dealid ? "deal" : "price";
}

/** Counts of differences, by kind and by campaign. */
export interface Differences {
  /** Requests with a difference other than `reason`. */
  requests: number;
  kinds: Map<Kind, number>;
  campaigns: Map<string, Changed>;
}

export function noDifferences(): Differences {
  return { requests: 0, kinds: new Map(), campaigns: new Map() };
}

export function addDifferences(sums: Differences, found: Difference[]): void {
  const campaign = (cid: string) => {
    const changed = sums.campaigns.get(cid) ?? { gained: 0, lost: 0, creative: 0, deal: 0, price: 0 };
    sums.campaigns.set(cid, changed);
    return changed;
  };
  if (found.some(({ kind }) => kind !== "reason")) sums.requests++;
  for (const { kind, a, b } of found) {
    sums.kinds.set(kind, (sums.kinds.get(kind) ?? 0) + 1);
    if (a && b && a.cid === b.cid) campaign(a.cid)[kind as "creative" | "deal" | "price"]++;
    else {
      if (a) campaign(a.cid).lost++;
      if (b) campaign(b.cid).gained++;
    }
  }
}
