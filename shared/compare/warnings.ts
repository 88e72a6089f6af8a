//! The changes of a plan that may be mistakes, a line each.

import { decimal } from "../report/decimal.ts";
import { amountOf, endOf, priceText } from "./campaigns.ts";
import { byId, type Entry, isObject } from "./entry.ts";
import { changedBy, MOST_CHANGED, valuesOf } from "./lists.ts";
import { countText, firstOf, MOST_IDS } from "./text.ts";

/** The share of the campaigns that a push may remove without a warning. */
const MOST_REMOVED = 0.2;
/** The factor by which a price, or the daily budgets of a currency, may grow without a warning. */
const MOST_GROWTH = 2n;
/** The part of itself, in per cent, by which an exchange rate may move without a warning. */
const MOST_MOVED = 40n;

/** An attribute of a campaign, before and after the push; null if it is not set. */
export interface Changed {
  cid: string;
  before: string | null;
  after: string | null;
}

/** What a push changes and what costs money. */
export interface Differences {
  campaigns: Record<"added" | "removed" | "changed" | "paused" | "resumed", string[]>;
  ssps: Record<"added" | "removed", string[]>;
  /** The differences outside of campaigns: one line for each entry or setting that changes. */
  others: string[];
  /** For each currency, the sum of the daily budgets of orders and of campaigns that are not paused. */
  daily: { cur: string; before: string; after: string }[];
  max_cpms: Changed[];
  deals: Changed[];
  budgets: Changed[];
  caps: Changed[];
  /** The prices, prices of deals and factors that more than double in one currency, each with its new path. */
  prices: (Changed & { at: string })[];
}

/** A catalog document, with its campaigns as they are with their templates. */
export interface Side {
  document: Entry;
  campaigns: Map<string, Entry>;
}

/** The warnings about a plan. `now`: the time in milliseconds, which tells which campaigns have ended. */
export function warningsOf(plan: Differences, old: Side, is: Side, now: number): string[] {
  const both = [...is.campaigns.keys()].filter((cid) => old.campaigns.has(cid));
  const { campaigns, ssps, daily, budgets, prices } = plan;
  const { removed, paused } = campaigns;
  const isDaily = ({ before, after }: Differences["daily"][number]) => isDoubled(amountOf(before), amountOf(after));
  const unbudgeted = budgets.filter(({ after }) => after === null).map(({ cid }) => cid);
  return [
    ...(removed.length > old.campaigns.size * MOST_REMOVED
      ? [`${removed.length} of ${countText(old.campaigns.size, "campaign")} would be removed`]
      : []),
    ...named("would be paused", paused),
    ...named("would not bid, because the end is past", ended(old.campaigns, is.campaigns, now)),
    ...ssps.removed.map((id) => `the SSP ${id} would be removed: its requests would get a 404`),
    ...daily
      .filter(isDaily)
      .map(
        ({ cur, before, after }) => `the daily budgets in ${cur} would more than double, from ${before} to ${after}`,
      ),
    ...ratesMoved(old.document, is.document),
    ...opened(old.document, is.document),
    ...listsChanged(old.document, is.document),
    ...widened(old.campaigns, is.campaigns, both),
    ...named("would have no budget any more", unbudgeted),
    ...first(both.flatMap((cid) => currencyMoved(cid, old.campaigns.get(cid) ?? {}, is.campaigns.get(cid) ?? {}))),
    ...first(prices.map(grown)),
  ];
}

function grown({ cid, at, before, after }: Differences["prices"][number]): string {
  return `${at} of ${cid} would more than double, from ${before} to ${after}`;
}

/** The first lines about prices, and how many more there are. */
function first(lines: string[]): string[] {
  const more = lines.length - MOST_IDS;
  return more > 0 ? [...lines.slice(0, MOST_IDS), `so would ${countText(more, "more price")}`] : lines;
}

/** Whether a price or a sum grows so far that a person should look at it. */
export function isDoubled(before: bigint | undefined, after: bigint | undefined): boolean {
  return before !== undefined && after !== undefined && before > 0n && after > before * MOST_GROWTH;
}

function named(what: string, ids: string[]): string[] {
  return ids.length > 0 ? [`${firstOf(ids)} ${what}`] : [];
}

/** The campaigns that have ended, but not before this push. */
function ended(old: Map<string, Entry>, is: Map<string, Entry>, now: number): string[] {
  const hasEnded = (campaign: Entry = {}) => Date.parse(endOf(campaign) ?? "") <= now;
  return [...is].flatMap(([cid, campaign]) => {
    const isNews = campaign["paused"] !== true && hasEnded(campaign) && !hasEnded(old.get(cid));
    return isNews ? [cid] : [];
  });
}

/** Warnings about SSPs that would need no token any more, and about weaker privacy settings. */
function opened(before: Entry, after: Entry): string[] {
  const tokens = (entry: Entry | undefined) =>
    Array.isArray(entry?.["credentials"]) ? entry["credentials"].length : 0;
  const old = byId(before["ssps"], "id");
  const ssps = [...byId(after["ssps"], "id")]
    .filter(([id, ssp]) => tokens(old.get(id)) > 0 && tokens(ssp) === 0)
    .map(([id]) => `the SSP ${id} would need no token any more: anybody could send its requests`);
  const [was, is] = [before, after].map(({ privacy }) => (isObject(privacy) ? privacy : {})) as [Entry, Entry];
  const isRisky = {
    vendor_id: was["vendor_id"] !== undefined && was["vendor_id"] !== is["vendor_id"],
    bid_unregistered: was["bid_unregistered"] !== true && is["bid_unregistered"] === true,
  };
  const privacy = Object.entries(isRisky)
    .filter(([, risky]) => risky)
    .map(([name]) => `privacy.${name} would change from ${was[name] ?? "nothing"} to ${is[name] ?? "nothing"}`);
  return [...ssps, ...privacy];
}

/** The attributes of targets that a push removes, so that campaigns bid on more requests. */
function widened(before: Map<string, Entry>, after: Map<string, Entry>, cids: string[]): string[] {
  const targetOf = (campaign: Entry | undefined) => (isObject(campaign?.["target"]) ? campaign["target"] : {});
  const gone = cids.flatMap((cid) => {
    const now = targetOf(after.get(cid));
    return Object.keys(targetOf(before.get(cid))).flatMap((name) => (name in now ? [] : [{ cid, name }]));
  });
  return [...Map.groupBy(gone, ({ name }) => name)].map(([name, all]) => {
    const ids = all.map(({ cid }) => cid);
    return `the target of ${firstOf(ids)} would have no ${name} any more`;
  });
}

/** The shared lists of which more than a fifth would be new or gone. */
function listsChanged(before: Entry, after: Entry): string[] {
  const old = byId(before["lists"], "id");
  return [...byId(after["lists"], "id")].flatMap(([id, list]) => {
    const [was, is] = [old.get(id), list].map((entry) => new Set(valuesOf(entry ?? {}))) as [
      Set<unknown>,
      Set<unknown>,
    ];
    const { added, removed, part } = changedBy(was, is);
    if (was.size === 0 || part <= MOST_CHANGED) return [];
    return [`the list ${id} would have ${countText(added, "new value")}, and lose ${removed} of ${was.size}`];
  });
}

function currencyMoved(cid: string, old: Entry, is: Entry): string[] {
  if (old["cur"] === is["cur"]) return [];
  return [`the price of ${cid} would be in another currency, ${priceText(is)} after ${priceText(old)}`];
}

/** The exchange rates that move further than any rate does between two pushes. */
function ratesMoved(before: Entry, after: Entry): string[] {
  const [old, now] = [before, after].map(({ rates }) => byId(rates, "cur")) as [Map<string, Entry>, Map<string, Entry>];
  return [...now].flatMap(([cur, { usd }]) => {
    const [was, is] = [amountOf(old.get(cur)?.["usd"]), amountOf(usd)];
    if (was === undefined || is === undefined) return [];
    const moved = is < was ? was - is : is - was;
    if (moved * 100n <= was * MOST_MOVED) return [];
    return [`the rate of ${cur} would move by more than ${MOST_MOVED} %, from ${decimal(was)} to ${decimal(is)}`];
  });
}
