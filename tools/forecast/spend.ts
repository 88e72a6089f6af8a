//! What a campaign would spend: its bids in a recording, the part of them that wins, and its budget. Amounts are floats,
//! which is enough for an estimate; no bid or bill is made from them.

import { isObject } from "../../cli/input.ts";
import type { Bid } from "../../cli/replay/catalog.ts";
import { amountOf } from "../../shared/compare/campaigns.ts";
import type { Entry } from "../../shared/compare/entry.ts";
import { NANOS } from "../../shared/report/decimal.ts";
import { type Market, MEDIA, shareWon } from "./market.ts";
import type { Reach } from "./reach.ts";
import type { Documents } from "./variants.ts";

/** Amounts in `cur`, for the days of the forecast. */
export interface Spend {
  cur: string;
  /** What the bids cost if each is won and billed at its price. */
  most: number;
  /** The wins that are expected, and what they cost; null if nothing tells what wins. */
  wins: number | null;
  expected: number | null;
  /** What the budget allows; null without one. */
  budget: number | null;
  /** The lowest of these. */
  bounded: number;
  /** The part of its matches on which the budget lets it bid: 1 if the budget is enough. */
  share: number;
}

/** The bids of a recording, added up. */
export class Spending {
  readonly #market: Market;
  readonly #mediaOf: ReadonlyMap<unknown, string>;
  readonly #usdOf: ReadonlyMap<unknown, number>;
  #bids = 0;
  #most = 0;
  #wins: number | null = 0;
  #expected = 0;

  constructor(market: Market, { creatives, rates }: Entry) {
    const media = (creative: Entry) => MEDIA.find((name) => creative[name] !== undefined) ?? "";
    this.#market = market;
    this.#mediaOf = new Map(((creatives ?? []) as Entry[]).map((creative) => [creative["crid"], media(creative)]));
    const known = ((rates ?? []) as Entry[]).map(({ cur, usd }) => [cur, Number(usd)] as const);
    this.#usdOf = new Map<unknown, number>([["USD", 1], ...known]);
  }

  add({ crid, cur, price_micros = 0, test }: Bid, ssp: string): void {
    if (test) return;
    const usd = (price_micros / 1_000_000) * (this.#usdOf.get(cur) ?? 0);
    const share = shareWon(this.#market, ssp, this.#mediaOf.get(crid) ?? "", usd);
    this.#bids++;
    this.#most += usd / 1000;
    this.#wins = share === null || this.#wins === null ? null : this.#wins + share;
    this.#expected += ((share ?? 0) * usd) / 1000;
  }

  /** `times`: how often the recording is repeated in the days of the forecast. */
  result({ days }: Reach, times: number, { campaign, order }: Documents, now: number): Spend {
    const cur = String(campaign["cur"] ?? "USD");
    const amount = (usd: number) => (usd * times) / (this.#usdOf.get(cur) ?? 1);
    const budget = days === null ? null : budgetFor(campaign, order, days, now);
    const isKnown = this.#wins !== null && this.#bids > 0;
    const [most, expected] = [amount(this.#most), isKnown ? amount(this.#expected) : null];
    const bounded = Math.min(expected ?? most, budget ?? Number.POSITIVE_INFINITY);
    const share = (expected ?? most) > 0 ? bounded / (expected ?? most) : 1;
    return { cur, most, wins: isKnown ? (this.#wins ?? 0) * times : null, expected, budget, bounded, share };
  }
}

/** What the campaign, its order or its present flight may spend in these days; null without a limit. */
function budgetFor(campaign: Entry, order: Entry | null, days: number, now: number): number | null {
  const flights = (campaign["flights"] ?? []) as Entry[];
  const flight = flights.find(({ end }) => end === undefined || Date.parse(String(end)) > now);
  const budget = campaign["budget"] ?? order?.["budget"] ?? flight?.["budget"];
  if (!isObject(budget)) return null;
  const limitOf = (limit: unknown) => Number(amountOf(limit) ?? Number.POSITIVE_INFINITY) / Number(NANOS);
  const least = Math.min(limitOf(budget["daily"]) * days, limitOf(budget["total"]));
  return Number.isFinite(least) ? least : null;
}
