//! The state of one budget, as the pacer returns it and as people read it: with decimals, days and names in place of
//! the module's numbers. And what the pacer tells about learned shading.

import { decimal, rounded } from "../report/decimal.ts";
import { DAY_MS, dayAt } from "../time/days.ts";
import { wordsOf } from "./why.ts";

/** One budget as the module writes it: `crates/pacer-wasm/src/status.rs`. Amounts are nanos of `cur`. */
export interface BudgetState {
  /** The campaign; or the order, with the ids of its campaigns. */
  cid?: string;
  order?: string;
  members?: string[];
  cur: string;
  /** The local day, in days since the first of January 1970. */
  day: number;
  /** 0: none. */
  daily: string;
  total: string;
  /** 0: none. */
  planned: string;
  asap: boolean;
  spent_today: string;
  spent: string;
  exposed: string;
  left: string;
  /** Of 2^32 - 1. */
  share: number;
  /** Requests per second that the campaigns could bid on. */
  requests: number;
  forecast: string;
  /** Why the share is what it is: a name of `why.ts`. */
  why: string;
}

/** What learned shading knows: see `crates/pacer-wasm`. */
export interface Learned {
  /** Whether it stays as it is. */
  frozen: boolean;
  /** The busiest spots first; absent if nothing is learned. */
  places?: Spot[];
}

/** A spot at an SSP. Money is micros of a dollar per thousand impressions. */
export interface Spot {
  ssp: string;
  /** 8 hex digits: `crates/shading/src/spot.rs`. */
  place: string;
  /** Notices that are held; old ones count less. */
  notices: number;
  /** The bids for ten values; absent before there are enough notices. */
  bids?: { value: number; bid: number }[];
  /** The prices that win 10, 20, … 90 of 100 auctions; only for an SSP and its media types, with enough notices. */
  wins?: number[];
}

/** Something that the operator must know. Amounts are nanos of `cur`. */
export interface Alarm {
  /**
   * `missing`: an object of the ledger, or its `summary`, does not answer. The other alarms come from the module:
   * `crates/pacer-wasm/src/status.rs`.
   */
  what: string;
  /** missing: the shard of the ledger, or the summary. */
  place?: string;
  /** Other alarms: the id of the SSP, the number of bills (0: unknown), and the sum that budgets count for them. */
  ssp?: string;
  count?: number;
  nanos?: string;
  cur?: string;
}

/** One budget as `GET /budget` shows it. Amounts are decimals in `cur`. */
export interface Budget extends Pick<BudgetState, "cid" | "order" | "members" | "cur" | "requests"> {
  /** The day in the time zone of the campaign or the order, `YYYY-MM-DD`. */
  day: string;
  pacing: "even" | "asap";
  /** The budget of a day; absent if there is none. */
  daily?: string;
  /**
   * The budget of the present or else the next flight, or of all days, and what was billed on its days; absent if there
   * is none.
   */
  total?: string;
  spent_total?: string;
  /** Billed for bids of this day. */
  spent: string;
  /** What bids that are not billed yet may still cost. */
  exposed: string;
  /** What is neither billed nor exposed of the daily or of the total budget, whichever is less. */
  left: string;
  /** The part of their requests that the campaigns may bid on: a decimal from 0 to 1. */
  share: string;
  /** What the plan wanted to be spent on this day until now; absent without a daily budget, or if `pacing` is asap. */
  planned?: string;
  /** The expected spend of the day. */
  forecast: string;
  /** Why the share is what it is: a name of `why.ts`, and in words. */
  state: string;
  why: string;
}

/** The alarm for people: `amount` is a decimal in `cur`. */
export type ShownAlarm = Omit<Alarm, "nanos"> & { amount?: string };

export function alarmOf({ nanos, ...alarm }: Alarm): ShownAlarm {
  return { ...alarm, ...(nanos !== undefined && { amount: decimal(BigInt(nanos)) }) };
}

const WHOLE = 2n ** 32n - 1n;

export function budgetOf(told: BudgetState): Budget {
  const { cid, order, members, cur, day, daily, total, asap, spent_today, spent } = told;
  const { planned, exposed, left, share, requests, forecast, why } = told;
  const money = (nanos: string) => decimal(BigInt(nanos));
  return {
    ...(cid !== undefined && { cid }),
    ...(order !== undefined && members !== undefined && { order, members }),
    cur,
    day: dayAt(day * DAY_MS),
    pacing: asap ? "asap" : "even",
    ...(daily !== "0" && { daily: money(daily) }),
    ...(total !== "0" && { total: money(total), spent_total: money(spent) }),
    spent: money(spent_today),
    ...(daily !== "0" && !asap && { planned: money(planned) }),
    exposed: money(exposed),
    left: money(left),
    share: rounded(BigInt(share), WHOLE, 10).replace(/\.?0+$/, ""),
    requests,
    forecast: money(forecast),
    state: why,
    why: wordsOf(why),
  };
}
