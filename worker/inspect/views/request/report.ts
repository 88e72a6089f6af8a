//! The report of a decision, as `POST /explain/:ssp` sends it. Members may be missing: another version of the bidder
//! may have sent it.

import { spans } from "./ask/json.ts";

/** A campaign that does not bid: the first check that it failed, or the bid that beats it. */
export interface Rejected {
  cid: string;
  dealid?: string;
  /** A no-bid reason; `outbid` if no check failed. */
  reason: string;
  wanted?: string;
  found?: string;
  /** The paths of the request that the check looked at. */
  at?: string[];
  /** The better bid. */
  by?: { cid: string; dealid?: string; crid?: string; price?: string };
}

export interface Bid {
  cid: string;
  crid: string;
  dealid?: string;
  most: string;
  most_by?: string;
  floor: string;
  price: string;
  caps?: string;
  steps?: { what: string; value: string }[];
}

export interface Imp {
  id: string;
  /** Why the impression gets no bid, whatever the campaign. */
  reason?: string;
  wanted?: string;
  found?: string;
  at?: string[];
  bids?: Bid[];
  rejected?: Rejected[];
}

export interface Report {
  id: string;
  catalog: string;
  privacy: string;
  privacy_by?: string;
  signals?: { signal: string; said: string; means: string; at?: string[] | string }[];
  cur?: string;
  outcome: string;
  wanted?: string;
  found?: string;
  at?: string[];
  cut_off?: string;
  more_imps?: string;
  more_rows?: string;
  imps?: Imp[];
  /** Campaigns that are rejected for the whole request. */
  rejected?: Rejected[];
  /** All reasons in the order of the checks. */
  checks?: string[];
  /** Campaigns in the catalog. */
  campaigns?: number;
  /** Counts of the decision's work, each with its own unit, and the limit of `match`. */
  work?: Record<string, number>;
  assumed?: string[];
  /** The OpenRTB response; null without a bid; absent if the bidder does not send it. */
  response?: { cur?: string; seatbid?: { seat?: string; bid?: Sent[] }[] } | null;
}

/** One bid of a response, with the attributes that the page shows. */
export interface Sent {
  impid?: string;
  price?: number;
  cid?: string;
  crid?: string;
  dealid?: string;
  adm?: string;
  mtype?: number;
  w?: number;
  h?: number;
  adomain?: string[];
  nurl?: string;
  burl?: string;
  lurl?: string;
}

/** The reason of a campaign that a better bid beats. It comes after all checks. */
export const OUTBID = "outbid";

/** The text for an absent value. */
export const ABSENT = "not in the request";

/** The rows of an impression: those of the whole request, then its own. */
export function rowsOf(report: Report, imp: Imp | undefined): Rejected[] {
  return [...(report.rejected ?? []), ...(imp?.rejected ?? [])];
}

/** All bids with their impressions. */
export function bidsOf(report: Report): { imp: Imp; bid: Bid }[] {
  return (report.imps ?? []).flatMap((imp) => (imp.bids ?? []).map((bid) => ({ imp, bid })));
}

/** Whether the whole request was refused before any campaign was checked. */
export function isRefused(report: Report): boolean {
  return report.outcome !== "bid" && (report.wanted !== undefined || report.found !== undefined);
}

/** The reasons in the order of the checks. If the report has no such list, in the order of its rows. */
export function checksOf(report: Report): string[] {
  const imps = report.imps ?? [];
  const named = [...(report.rejected ?? []), ...imps.flatMap(({ rejected = [] }) => rejected)].map((row) => row.reason);
  return [...new Set([...(report.checks ?? []), ...named.filter((reason) => reason !== OUTBID)])];
}

/**
 * The report of a decision on the request `text`. Where a check found `unknown` or `none` because the attributes are
 * absent in the request, the report says so. A value that is present but has no meaning stays `unknown`.
 */
export function withAbsent(report: Report, text: string): Report {
  const all = spans(text);
  const looked = <T extends { found?: string; at?: string[] }>(row: T): T => {
    const { found = "", at = [] } = row;
    const isAbsent = ["unknown", "none"].includes(found) && at.length > 0 && !at.some((path) => all.has(path));
    return isAbsent ? { ...row, found: ABSENT } : row;
  };
  const { rejected = [], imps = [] } = report;
  return {
    ...looked(report),
    rejected: rejected.map(looked),
    imps: imps.map((imp) => ({ ...looked(imp), rejected: (imp.rejected ?? []).map(looked) })),
  };
}
