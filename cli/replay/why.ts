//! Tells why a catalog did not make a bid that the other one made.

import type { Report } from "../../worker/inspect/views/request/report.ts";
import { explanation, type Only } from "../../worker/src/wasm/explanation.ts";
import { compiler } from "../module.ts";
import type { Contender } from "./contender.ts";

/** A check that failed, with what it wanted and found in words. */
export interface Why {
  reason: string;
  wanted?: string;
  found?: string;
}

/** The call of a decision. */
export interface Call {
  body: Uint8Array;
  ssp: string;
  now: number;
}

/** Why the catalog does not bid with this campaign on this impression. */
export function whyNot(contender: Contender, call: Call, impid: string, cid: string): Why {
  let report = explained(contender, call, { campaign: cid });
  if (report === null) return { reason: "unknown-ssp" };
  // There may be too many impressions to explain at once.
  if (report.error !== undefined) report = explained(contender, call, { campaign: cid, imp: impid }) ?? report;
  if (report.error !== undefined) return { reason: "not in the catalog" };
  const imp = report.imps?.find(({ id }) => id === impid);
  const row = [...(imp?.rejected ?? []), ...(report.rejected ?? [])].find((row) => row.cid === cid);
  if (row) return whyOf(row.reason, row);
  // The whole request is refused, so there are no rows.
  if (report.wanted !== undefined || report.found !== undefined) return whyOf(report.outcome, report);
  return { reason: imp?.bids?.some((bid) => bid.cid === cid) ? "outbid" : "unknown" };
}

/** What is wrong with a body that is no bid request. */
export function errorOf(contender: Contender, call: Call): string {
  return explained(contender, call)?.error ?? "not a bid request";
}

function explained({ bidder }: Contender, { body, ssp, now }: Call, only?: Only): (Report & { error?: string }) | null {
  const number = bidder.ssp(ssp);
  if (number === undefined) return null;
  const { json } = explanation(bidder, body, number, now, compiler, false, only);
  return JSON.parse(new TextDecoder().decode(json));
}

function whyOf(reason: string, { wanted, found }: Omit<Why, "reason">): Why {
  return { reason, ...(wanted && { wanted }), ...(found && { found }) };
}
