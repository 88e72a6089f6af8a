//! What wins at which price, from the bidder: the ledger's bids and wins of the last days, and the prices of rivals that
//! learned shading knows.

import { Failure } from "../../build/failure.mjs";
import { askJson, reportOf } from "../../cli/money/client.ts";
import type { Learned } from "../../shared/pacing/budgets.ts";
import { nanosOf } from "../../shared/report/decimal.ts";
import type { Row } from "../../shared/report/rows.ts";
import { DAY_MS, dayAt } from "../../shared/time/days.ts";

/** The days of the report, with today. */
const REPORT_DAYS = 7;

/** The media types in the order of their numbers in spots: `crates/shading/src/spot.rs`. */
export const MEDIA = ["all", "banner", "video", "audio", "native"];

/** The wins at an SSP. */
export interface Wins {
  ssp: string;
  /** Whose bids: the campaign's, or those of all campaigns if it has none there. */
  of: "campaign" | "all";
  bids: number;
  wins: number;
  /** The average price in US dollars for a thousand impressions; null if nothing was billed. */
  cpm: number | null;
}

/** The prices at an SSP, in US dollars for a thousand impressions, that win 10, 20, … 90 of 100 auctions. */
export interface Prices {
  ssp: string;
  media: string;
  notices: number;
  prices: number[];
}

/** Empty lists if nothing is known; then `problem` says why, if the bidder does not answer. */
export interface Market {
  wins: Wins[];
  prices: Prices[];
  problem: string | null;
}

/** Asks the bidder. Does not fail without one: a forecast from a recording needs none. */
export async function marketOf(url: string, cid: string, now: number): Promise<Market> {
  try {
    const from = dayAt(now - (REPORT_DAYS - 1) * DAY_MS);
    const { rows } = await reportOf(url, { from, to: dayAt(now), by: "campaign,ssp" });
    const { places: spots = [] } = (await askJson<Learned>(url, "shading")) ?? {};
    return {
      wins: [...Map.groupBy(rows, ({ ssp = "" }) => ssp)].flatMap(([ssp, rows]) => winsOf(ssp, rows, cid)),
      prices: spots.flatMap(({ ssp, place: spot, notices, wins }) => {
        const media = MEDIA[Number.parseInt(spot, 16)];
        return wins && media ? [{ ssp, media, notices, prices: wins.map((micros) => micros / 1_000_000) }] : [];
      }),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { wins: [], prices: [], problem: error.message };
  }
}

function winsOf(ssp: string, rows: Row[], cid: string): Wins[] {
  const own = rows.filter(({ campaign, bids }) => campaign === cid && bids > 0);
  const sums = own.length > 0 ? own : rows;
  const sum = (of: (row: Row) => number) => sums.reduce((sum, row) => sum + of(row), 0);
  const [bids, billed, wins] = [sum(({ bids }) => bids), sum(({ billed }) => billed), sum(({ wins }) => wins)];
  // A float is enough for an estimate.
  const usd = sum(({ spend_usd }) => Number(nanosOf(spend_usd) ?? 0n) / 1e9);
  const of = own.length > 0 ? "campaign" : "all";
  return bids > 0 ? [{ ssp, of, bids, wins: wins || billed, cpm: billed > 0 ? (usd * 1000) / billed : null }] : [];
}

/**
 * The share of bids of this price that win: from the prices of the media type at the SSP, else of the SSP, else the win
 * rate there, whatever the price; null if nothing is known. `usd`: for a thousand impressions.
 */
export function shareWon({ wins, prices }: Market, ssp: string, media: string, usd: number): number | null {
  const own = prices.filter((known) => known.ssp === ssp);
  const known = own.find((one) => one.media === media) ?? own.find((one) => one.media === MEDIA[0]);
  if (known !== undefined) return shareAt(known.prices, usd);
  const rate = wins.find((known) => known.ssp === ssp);
  return rate === undefined ? null : Math.min(1, rate.wins / rate.bids);
}

/** Between two prices, the share grows evenly. Above the highest, it is taken as 0.9, because no more is known. */
function shareAt(prices: readonly number[], usd: number): number {
  const above = prices.findIndex((price) => price > usd);
  if (above < 0) return prices.length / (prices.length + 1);
  const [low = 0, high = 0] = [prices[above - 1], prices[above]];
  return (above + (usd - low) / (high - low)) / (prices.length + 1);
}
