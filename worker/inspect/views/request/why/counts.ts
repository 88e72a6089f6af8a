//! Counts, for one impression, how many campaigns each check lets through.

import { checksOf, type Imp, isRefused, OUTBID, type Report, rowsOf } from "../report.ts";

/** A check and the campaigns that end there. */
export interface Drop {
  reason: string;
  /** Campaigns that are still in before the check. */
  before: number;
  out: number;
}

export interface Counts {
  campaigns: number;
  /** The checks at which campaigns end, in the order of the checks. */
  drops: Drop[];
  /** Checks at which none ends; 0 if the request is refused, because no campaign reaches a check. */
  passed: number;
  bidding: number;
}

/**
 * A campaign ends at the last check that it reaches: with several deals, it has a row for each, and it may bid under one
 * of them.
 */
export function countsOf(report: Report, imp: Imp | undefined): Counts {
  const checks = [...checksOf(report), OUTBID];
  const order = new Map(checks.map((reason, n) => [reason, n]));
  const bidding = new Set((imp?.bids ?? []).map(({ cid }) => cid));
  const last = new Map<string, string>();
  for (const { cid, reason } of rowsOf(report, imp)) {
    if (bidding.has(cid)) continue;
    const known = last.get(cid);
    if (known === undefined || (order.get(reason) ?? 0) > (order.get(known) ?? 0)) last.set(cid, reason);
  }
  const out = new Map<string, number>();
  for (const reason of last.values()) out.set(reason, (out.get(reason) ?? 0) + 1);
  const seen = last.size + bidding.size;
  const campaigns = Math.max(report.campaigns ?? 0, seen);
  // A refused request has no rows: all campaigns end at the check of the request.
  if (isRefused(report) && seen === 0) out.set(report.outcome, campaigns);
  let left = campaigns;
  const drops = checks.flatMap((reason) => {
    const count = out.get(reason) ?? 0;
    if (count === 0) return [];
    const drop = { reason, before: left, out: count };
    left -= count;
    return [drop];
  });
  return {
    campaigns,
    drops,
    passed: isRefused(report) ? 0 : checks.length - 1 - drops.filter(({ reason }) => reason !== OUTBID).length,
    bidding: bidding.size,
  };
}
