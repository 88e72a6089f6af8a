//! Compares the decisions of two catalogs on the same request, bid by bid, and counts the differences.

import type { Bid, Decision } from "./catalog.ts";

/**
 * How two decisions differ. `gained`: only the second catalog bids; `lost`: only the first one. `campaign`, `creative`,
 * `deal`, `price`: both bid, but this attribute differs; if several differ, the first one counts. `reason`: neither
 * bids, for different reasons.
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
export const CHANGES = ["gained", "lost", "creative", "deal", "price"] as const;
export type Changed = Record<(typeof CHANGES)[number], number>;

/** The differences between two decisions on one request. */
export function differencesOf(a: Decision, b: Decision): Difference[] {
  if (a.bids.length === 0 && b.bids.length === 0) {
    return a.outcome === b.outcome ? [] : [{ kind: "reason", a: null, b: null }];
  }
  const [left, right] = [[...a.bids], [...b.bids]];
  // Pairs equal bids first, then bids of one campaign, then the rest: so each bid is compared with the most similar
  // one.
  take(left, right, (a, b) => kindOf(a, b) === null);
  const pairs = [...take(left, right, (a, b) => a.cid === b.cid), ...take(left, right, () => true)];
  return [
    ...pairs.map(([a, b]): Difference => ({ kind: kindOf(a, b) ?? "price", a, b })),
    ...left.map((a): Difference => ({ kind: "lost", a, b: null })),
    ...right.map((b): Difference => ({ kind: "gained", a: null, b })),
  ];
}

/** Removes pairs of bids on the same impression from both lists. */
function take(left: Bid[], right: Bid[], fits: (a: Bid, b: Bid) => boolean): [Bid, Bid][] {
  return [...left].flatMap((a) => {
    const b = right.find((one) => one.impid === a.impid && fits(a, one));
    if (b === undefined) return [];
    left.splice(left.indexOf(a), 1);
    right.splice(right.indexOf(b), 1);
    return [[a, b]];
  });
}

/** How two bids on one impression differ; null if they do not. */
function kindOf(a: Bid, b: Bid): Kind | null {
  if (a.cid !== b.cid) return "campaign";
  if (a.crid !== b.crid) return "creative";
  if (a.dealid !== b.dealid) return "deal";
  return a.price_micros !== b.price_micros || a.cur !== b.cur ? "price" : null;
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
  const count = (cid: string, change: keyof Changed) => {
    const changed = sums.campaigns.get(cid) ?? { gained: 0, lost: 0, creative: 0, deal: 0, price: 0 };
    sums.campaigns.set(cid, changed);
    changed[change]++;
  };
  if (found.some(({ kind }) => kind !== "reason")) sums.requests++;
  for (const { kind, a, b } of found) {
    sums.kinds.set(kind, (sums.kinds.get(kind) ?? 0) + 1);
    if (a && b && a.cid === b.cid) count(a.cid, kind as keyof Changed);
    else {
      if (a) count(a.cid, "lost");
      if (b) count(b.cid, "gained");
    }
  }
}
