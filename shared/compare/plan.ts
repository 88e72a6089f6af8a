//! The plan of a push: how many campaigns, prices, budgets, caps and SSPs it changes, and which changes may be
//! mistakes. `catalog diff` shows every attribute; the plan shows changes that cost money.

import { decimal } from "../report/decimal.ts";
import {
  budgetText,
  campaignsOf,
  capsText,
  dailyOf,
  dealsText,
  impliedPrice,
  pricesOf,
  priceText,
} from "./campaigns.ts";
import { type Change, diff } from "./diff.ts";
import { byId, type Entry, isObject } from "./entry.ts";
import { countText, firstOf, MOST_IDS } from "./text.ts";
import { type Changed, type Differences, isDoubled, type Side, warningsOf } from "./warnings.ts";

export interface Plan extends Differences {
  /** Possible mistakes. Without a terminal, a push with one needs `--yes`. */
  warnings: string[];
}

/**
 * Compares two catalog documents. If the first cannot be read, the plan has no changes and warns of that. `now`: the
 * time of the push, in milliseconds since the epoch.
 */
export function planOf(before: unknown, after: unknown, now: number): Plan {
  const is = sideOf(isObject(after) ? after : {});
  if (isObject(before)) return compared(sideOf(before), is, now);
  return { ...compared(is, is, now), warnings: ["what is served cannot be read, so the changes are not known"] };
}

function sideOf(document: Entry): Side {
  return { document, campaigns: campaignsOf(document) };
}

function compared(before: Side, after: Side, time: number): Plan {
  const [old, now] = [before.campaigns, after.campaigns];
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
  const [oldSsps, newSsps] = [before, after].map(({ document }) => byId(document["ssps"], "id")) as [
    typeof old,
    typeof now,
  ];
  const ssps = { added: without(newSsps, oldSsps), removed: without(oldSsps, newSsps) };
  const [oldDaily, newDaily] = [dailyOf(before.document, old), dailyOf(after.document, now)];
  const daily = [...new Set([...oldDaily.keys(), ...newDaily.keys()])].flatMap((cur) => {
    const [before, after] = [oldDaily.get(cur) ?? 0n, newDaily.get(cur) ?? 0n];
    return before === after ? [] : [{ cur, before: decimal(before), after: decimal(after) }];
  });
  const isOther = ({ list, change }: Change) => list !== "campaigns" && (list !== "ssps" || change === "changed");
  // Settings, rates and SSPs come first: a catalog has few of them, and each concerns many campaigns.
  const others = diff(before.document, after.document).filter(isOther).reverse().map(otherText);
  const prices = both.flatMap((cid) => doubled(cid, old.get(cid) ?? {}, now.get(cid) ?? {}));
  const [max_cpms, budgets, caps] = [changed(priceText), changed(budgetText), changed(capsText)];
  const deals = [...changed(dealsText), ...campaigns.added.flatMap((cid) => newDeals(cid, now.get(cid) ?? {}))];
  const plan = { campaigns, ssps, others, daily, max_cpms, deals, budgets, caps, prices };
  return { ...plan, warnings: warningsOf(plan, before, after, time) };
}

/** The deals of a new campaign. */
function newDeals(cid: string, campaign: Entry): Changed[] {
  const after = dealsText(campaign);
  return after === null ? [] : [{ cid, before: null, after }];
}

/** The prices and factors of a campaign that more than double. Amounts of two currencies cannot be compared. */
function doubled(cid: string, before: Entry, after: Entry): Differences["prices"] {
  if (before["cur"] !== after["cur"]) return [];
  const old = new Map(pricesOf(before).map(({ key, nanos }) => [key, nanos]));
  return pricesOf(after).flatMap(({ at, key, nanos }) => {
    const was = old.get(key) ?? impliedPrice(before, key);
    if (was === undefined || !isDoubled(was, nanos)) return [];
    const unit = key.startsWith("bid ") ? "" : ` ${after["cur"]}`;
    return [{ cid, at, before: `${decimal(was)}${unit}`, after: `${decimal(nanos)}${unit}` }];
  });
}

/** A difference in one line. The details of a setting start with its name. */
function otherText({ list, id, change, details }: Change): string {
  if (list === "settings") return firstOf(details, "; ");
  const shown = change === "changed" ? ` (${firstOf(details)})` : "";
  return `${list}: ${id} ${change}${shown}`;
}

/** The plan as lines, those of warnings with a `!`; empty if it has no changes. */
export function planText({ campaigns, ssps, others, daily, max_cpms, deals, budgets, caps, warnings }: Plan): string[] {
  const named = (what: string, ids: string[]) => (ids.length > 0 ? [`${what} (${firstOf(ids)})`] : []);
  const line = (what: string, parts: string[]) => (parts.length > 0 ? [`${what}: ${parts.join(", ")}`] : []);
  const counted = (of: Record<string, string[]>) =>
    Object.entries(of).flatMap(([verb, ids]) => named(`${ids.length.toLocaleString("en")} ${verb}`, ids));
  const changes = (what: string, all: Changed[]) => {
    const first = all.slice(0, MOST_IDS);
    const more = countText(all.length - MOST_IDS, "more campaign");
    return [
      ...first.map(({ cid, before, after }) => `${what} of ${cid}: ${before ?? "none"} → ${after ?? "none"}`),
      ...(all.length > MOST_IDS ? [`${what} of ${more} changed: see catalog diff`] : []),
    ];
  };
  return [
    ...line("campaigns", counted(campaigns)),
    ...line("SSPs", counted(ssps)),
    ...others.slice(0, MOST_IDS),
    ...(others.length > MOST_IDS ? [`${countText(others.length - MOST_IDS, "more change")}: see catalog diff`] : []),
    ...daily.map(({ cur, before, after }) => `daily budgets in ${cur}: ${before} → ${after}`),
    ...changes("max_cpm", max_cpms),
    ...changes("deals", deals),
    ...changes("budget", budgets),
    ...changes("caps", caps),
    ...warnings.map((warning) => `! ${warning}`),
  ];
}

function without(of: Map<string, Entry>, others: Map<string, Entry>): string[] {
  return [...of.keys()].filter((id) => !others.has(id));
}
