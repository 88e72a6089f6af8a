//! The plan of a push: how many campaigns, prices, budgets, caps and SSPs it changes, and which changes may be
//! mistakes. `catalog diff` shows every attribute; the plan shows changes that cost money.

import { byId, type Change, diff, withTemplate } from "../../worker/src/operator/diff.ts";
import { decimal, nanosOf } from "../../worker/src/report/decimal.ts";
import { isObject } from "../input.ts";
import { countText, firstOf } from "./print.ts";

/** An attribute of a campaign, before and after the push; null if it is not set. */
export interface Changed {
  cid: string;
  before: string | null;
  after: string | null;
}

export interface Plan {
  campaigns: Record<"added" | "removed" | "changed" | "paused" | "resumed", string[]>;
  ssps: Record<"added" | "removed", string[]>;
  /** The differences outside of campaigns: one line for each entry or setting that changes. */
  others: string[];
  /** For each currency, the sum of the daily budgets of orders and of campaigns that are not paused. */
  daily: { cur: string; before: string; after: string }[];
  budgets: Changed[];
  caps: Changed[];
  /** The prices that more than double in one currency. */
  prices: Changed[];
  /** Possible mistakes. Without a terminal, a push with one needs `--yes`. */
  warnings: string[];
}

/** The share of the campaigns that a push may remove without a warning. */
const MOST_REMOVED = 0.2;
/** The factor by which a price, or the daily budgets of a currency, may grow without a warning. */
const MOST_GROWTH = 2n;
/** The part of itself, in per cent, by which an exchange rate may move without a warning. */
const MOST_MOVED = 40n;
const MOST_NAMES = 5;

type Entry = Record<string, unknown>;

/** Compares two catalog documents. If the first cannot be read, the plan has no changes and warns of that. */
export function planOf(before: unknown, after: unknown): Plan {
  const now = isObject(after) ? after : {};
  if (isObject(before)) return compared(before, now);
  return { ...compared(now, now), warnings: ["what is served cannot be read, so the changes are not known"] };
}

function compared(before: Entry, after: Entry): Plan {
  const [old, now] = [before, after].map(campaignsOf) as [Map<string, Entry>, Map<string, Entry>];
  const both = [...now.keys()].filter((cid) => old.has(cid));
  const isPaused = (campaigns: typeof old, cid: string) => campaigns.get(cid)?.["paused"] === true;
  const changed = (shown: (campaign: Entry) => string | null) =>
    both.flatMap((cid): Changed[] => {
      const [before, after] = [shown(old.get(cid) ?? {}), shown(now.get(cid) ?? {})];
      return before === after ? [] : [{ cid, before, after }];
    });
  const campaigns = {
    added: without(now, old),
    removed: without(old, now),
    changed: both.filter((cid) => JSON.stringify(old.get(cid)) !== JSON.stringify(now.get(cid))),
    paused: both.filter((cid) => isPaused(now, cid) && !isPaused(old, cid)),
    resumed: both.filter((cid) => isPaused(old, cid) && !isPaused(now, cid)),
  };
  const [oldSsps, newSsps] = [before, after].map(({ ssps }) => byId(ssps, "id")) as [Map<string, Entry>, typeof old];
  const ssps = { added: without(newSsps, oldSsps), removed: without(oldSsps, newSsps) };
  const [oldDaily, newDaily] = [dailyOf(before, old), dailyOf(after, now)];
  const daily = [...new Set([...oldDaily.keys(), ...newDaily.keys()])].flatMap((cur) => {
    const [before, after] = [oldDaily.get(cur) ?? 0n, newDaily.get(cur) ?? 0n];
    return before === after ? [] : [{ cur, before: decimal(before), after: decimal(after) }];
  });
  const budgets = changed(budgetText);
  const isOther = ({ list, change }: Change) => list !== "campaigns" && (list !== "ssps" || change === "changed");
  // Settings, rates and SSPs come first: a catalog has few of them, and each concerns many campaigns.
  const others = diff(before, after).filter(isOther).reverse().map(otherText);
  const priced = changed(priceText);
  // Amounts of two currencies cannot be compared.
  const isMoved = ({ cid }: Changed) => old.get(cid)?.["cur"] !== now.get(cid)?.["cur"];
  const prices = priced
    .filter((price) => !isMoved(price))
    .filter(({ cid }) => isDoubled(amountOf(old.get(cid)?.["max_cpm"]), amountOf(now.get(cid)?.["max_cpm"])));
  const warnings = [
    ...(campaigns.removed.length > old.size * MOST_REMOVED
      ? [`${campaigns.removed.length} of ${countText(old.size, "campaign")} would be removed`]
      : []),
    ...ssps.removed.map((id) => `the SSP ${id} would be removed: its requests would get a 404`),
    ...daily
      .filter(({ cur }) => isDoubled(oldDaily.get(cur), newDaily.get(cur)))
      .map(
        ({ cur, before, after }) => `the daily budgets in ${cur} would more than double, from ${before} to ${after}`,
      ),
    ...ratesMoved(before, after),
    ...opened(before, after),
    ...widened(old, now, both),
    ...budgets.filter(({ after }) => after === null).map(({ cid }) => `${cid} would have no budget any more`),
    ...priced
      .filter(isMoved)
      .map(({ cid, before, after }) => `the price of ${cid} would be in another currency, ${after} after ${before}`),
    ...prices.map(({ cid, before, after }) => `the price of ${cid} would more than double, from ${before} to ${after}`),
  ];
  return { campaigns, ssps, others, daily, budgets, caps: changed(capsText), prices, warnings };
}

/** A difference in one line. The details of a setting start with its name. */
function otherText({ list, id, change, details }: Change): string {
  if (list === "settings") return details.join("; ");
  const shown = change === "changed" ? ` (${firstOf(details)})` : "";
  return `${list}: ${id} ${change}${shown}`;
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

/** The plan as lines; empty if it has no changes. */
export function planText({ campaigns, ssps, others, daily, budgets, caps, warnings }: Plan): string[] {
  const named = (what: string, ids: string[]) => (ids.length > 0 ? [`${what} (${firstOf(ids)})`] : []);
  const line = (what: string, parts: string[]) => (parts.length > 0 ? [`${what}: ${parts.join(", ")}`] : []);
  const counted = (of: Record<string, string[]>) =>
    Object.entries(of).flatMap(([verb, ids]) => named(`${ids.length.toLocaleString("en")} ${verb}`, ids));
  const changes = (what: string, all: Changed[]) =>
    all
      .slice(0, MOST_NAMES)
      .map(({ cid, before, after }) => `${what} of ${cid}: ${before ?? "none"} → ${after ?? "none"}`);
  const more = (what: string, { length }: Changed[]) =>
    length > MOST_NAMES
      ? [`${what} of ${countText(length - MOST_NAMES, "more campaign")} changed: see catalog diff`]
      : [];
  return [
    ...line("campaigns", counted(campaigns)),
    ...line("SSPs", counted(ssps)),
    ...others.slice(0, MOST_NAMES),
    ...(others.length > MOST_NAMES
      ? [`${countText(others.length - MOST_NAMES, "more change")}: see catalog diff`]
      : []),
    ...daily.map(({ cur, before, after }) => `daily budgets in ${cur}: ${before} → ${after}`),
    ...[...changes("budget", budgets), ...more("budget", budgets)],
    ...[...changes("caps", caps), ...more("caps", caps)],
    ...warnings.map((warning) => `! ${warning}`),
  ];
}

/** The campaigns by their cid, with the attributes of their templates. */
function campaignsOf({ campaigns, templates }: Entry): Map<string, Entry> {
  const known = byId(templates, "id");
  const all = [...byId(campaigns, "cid")];
  return new Map(all.map(([cid, campaign]) => [cid, { cur: "USD", ...withTemplate(campaign, known) }]));
}

/** The sums of daily budgets in billionths, by currency. */
function dailyOf({ orders }: Entry, campaigns: Map<string, Entry>): Map<string, bigint> {
  const active = [...campaigns.values()].filter(({ paused }) => paused !== true);
  const sums = new Map<string, bigint>();
  for (const entry of [...active, ...byId(orders, "id").values()]) {
    // Flights do not overlap, so the largest daily budget counts.
    const all = budgetsOf(entry).map(({ daily }) => amountOf(daily) ?? 0n);
    const most = all.reduce((most, one) => (one > most ? one : most), 0n);
    const cur = String(entry["cur"] ?? "USD");
    if (most > 0n) sums.set(cur, (sums.get(cur) ?? 0n) + most);
  }
  return sums;
}

/** The budgets of a campaign or an order, and of its flights. */
function budgetsOf({ budget, flights }: Entry): Entry[] {
  const all = [budget, ...(Array.isArray(flights) ? flights.map((flight: Entry) => flight["budget"]) : [])];
  return all.filter((one): one is Entry => typeof one === "object" && one !== null);
}

function budgetText(campaign: Entry): string | null {
  const texts = budgetsOf(campaign).map(({ daily, total }) => {
    const parts = Object.entries({ daily, total }).filter(([, amount]) => amount !== undefined);
    return parts.map(([name, amount]) => `${name} ${amountText(amount)}`).join(", ");
  });
  if (campaign["budget_of"]) texts.push(`that of the order ${campaign["budget_of"]}`);
  return texts.length > 0 ? `${texts.join("; ")}${campaign["budget_of"] ? "" : ` ${campaign["cur"]}`}` : null;
}

function capsText({ caps }: Entry): string | null {
  const all = Array.isArray(caps) ? caps : [];
  return all.length > 0 ? all.map(({ n, per }) => `${n} per ${per}`).join(", ") : null;
}

function priceText({ max_cpm, cur }: Entry): string | null {
  return max_cpm === undefined ? null : `${amountText(max_cpm)} ${cur}`;
}

function amountText(amount: unknown): string {
  const nanos = amountOf(amount);
  return nanos === undefined ? JSON.stringify(amount) : decimal(nanos);
}

/** An amount of a document in billionths; undefined for other values. An integer is in micros. */
function amountOf(amount: unknown): bigint | undefined {
  if (Number.isInteger(amount)) return BigInt(amount as number) * 1000n;
  return typeof amount === "string" ? (nanosOf(amount) ?? undefined) : undefined;
}

function isDoubled(before: bigint | undefined, after: bigint | undefined): boolean {
  return before !== undefined && after !== undefined && before > 0n && after > before * MOST_GROWTH;
}

function without(of: Map<string, Entry>, others: Map<string, Entry>): string[] {
  return [...of.keys()].filter((id) => !others.has(id));
}
