//! Bills for the ledger, made from their number: each has another bid, and they take turns with the campaigns.

import { type Bill, type Names, QUARTER_SECONDS } from "../../worker/src/ledger/rows.ts";

/** The ledger's sums are by campaign, so their number decides how many sums a commit changes. */
const CAMPAIGNS = 50;

/** A bill for 1 to 2 thousandths of a dollar. */
export function madeBill(number: number, quarter: number): Bill {
  const campaign = number % CAMPAIGNS;
  const nanos = 1_000_000 + ((number * 7919) % 1_000_000);
  return {
    bid: `${hex(number)}00`,
    quarter,
    issued: quarter * QUARTER_SECONDS + (number % QUARTER_SECONDS),
    campaign: hex(campaign),
    creative: hex(1000 + campaign),
    ssp: hex(1),
    notice: "bill",
    cur: "USD",
    nanos,
    usdNanos: nanos,
    ownCur: "USD",
    ownNanos: nanos,
    bidNanos: nanos,
    isAssumed: false,
  };
}

/** The names that the Worker sends with a bill. */
export function madeNames({ campaign, creative, ssp, ownCur: cur }: Bill): Names {
  return { campaign, cid: `c-${campaign}`, creative, crid: `banner-${creative}`, ssp, sspId: "demo", cur, zone: "" };
}

function hex(number: number): string {
  return number.toString(16).padStart(16, "0");
}
