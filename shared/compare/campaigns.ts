//! What a catalog document says of each campaign, with its template: prices, budgets, caps, and when it ends.

import { decimal, NANOS, nanosOf } from "../report/decimal.ts";
import { byId, type Entry, idsIn, isObject, objectsIn, withTemplate } from "./entry.ts";
import { firstOf } from "./text.ts";

/** An amount or a factor by which a campaign pays. */
export interface Price {
  /** Its path in the campaign, such as `deals[1].max_cpm`. */
  at: string;
  /** What it is the price or the factor of, in every version of the campaign. */
  key: string;
  nanos: bigint;
}

/** The campaigns by their cid, with the attributes of their templates. */
export function campaignsOf({ campaigns, templates }: Entry): Map<string, Entry> {
  const known = byId(templates, "id");
  const all = [...byId(campaigns, "cid")];
  return new Map(all.map(([cid, campaign]) => [cid, { cur: "USD", ...withTemplate(campaign, known) }]));
}

/** The moment after which a campaign never bids again, as the document has it; null if there is none. */
export function endOf({ end, flights }: Entry): string | null {
  const last = Array.isArray(flights) && flights.length > 0 ? flights.at(-1)?.end : end;
  return typeof last === "string" ? last : null;
}

/** The price of a campaign, those of its deals, and its factors. */
export function pricesOf({ max_cpm, deals, bids }: Entry): Price[] {
  const own = (at: string, key: string, amount: unknown): Price[] => {
    const nanos = amountOf(amount);
    return nanos === undefined ? [] : [{ at, key, nanos }];
  };
  return [
    ...own("max_cpm", "max_cpm", max_cpm),
    ...listOf(deals).flatMap((deal, i) => own(`deals[${i}].max_cpm`, `deal ${deal["id"]}`, deal["max_cpm"])),
    ...listOf(bids).flatMap((bid, i) => own(`bids[${i}].times`, `bid ${JSON.stringify(bid["when"])}`, bid["times"])),
  ];
}

/** What a campaign paid or multiplied by where it had no price or factor of its own; undefined for a new deal. */
export function impliedPrice({ max_cpm, deals }: Entry, key: string): bigint | undefined {
  if (key.startsWith("bid ")) return NANOS;
  return idsIn(deals, "id").some((id) => key === `deal ${id}`) ? amountOf(max_cpm) : undefined;
}

/** The sums of daily budgets in billionths, by currency. */
export function dailyOf({ orders }: Entry, campaigns: Map<string, Entry>): Map<string, bigint> {
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

export function budgetText(campaign: Entry): string | null {
  const texts = budgetsOf(campaign).map(({ daily, total }) => {
    const parts = Object.entries({ daily, total }).filter(([, amount]) => amount !== undefined);
    return parts.map(([name, amount]) => `${name} ${amountText(amount)}`).join(", ");
  });
  if (campaign["budget_of"]) texts.push(`that of the order ${campaign["budget_of"]}`);
  return texts.length > 0 ? `${texts.join("; ")}${campaign["budget_of"] ? "" : ` ${campaign["cur"]}`}` : null;
}

export function capsText({ caps }: Entry): string | null {
  const all = objectsIn(caps);
  return all.length > 0 ? all.map(({ n, per }) => `${n} per ${per}`).join(", ") : null;
}

export function priceText({ max_cpm, cur }: Entry): string | null {
  return max_cpm === undefined ? null : `${amountText(max_cpm)} ${cur}`;
}

/** The deals with their own prices, and whether the campaign also bids without a deal; null without deals. */
export function dealsText({ deals, open, cur }: Entry): string | null {
  const ids = idsIn(deals, "id");
  if (ids.length === 0) return null;
  const prices = listOf(deals).map(({ max_cpm }) => (max_cpm === undefined ? "" : ` at ${amountText(max_cpm)} ${cur}`));
  const all = ids.map((id, i) => `${id}${prices[i]}`);
  return `${firstOf(all)}; ${open === false ? "only under deals" : "also without a deal"}`;
}

/** An amount of a document in billionths; undefined for other values. An integer is in micros. */
export function amountOf(amount: unknown): bigint | undefined {
  if (Number.isInteger(amount)) return BigInt(amount as number) * 1000n;
  return typeof amount === "string" ? (nanosOf(amount) ?? undefined) : undefined;
}

/** The budgets of a campaign or an order, and of its flights. */
function budgetsOf({ budget, flights }: Entry): Entry[] {
  return [budget, ...objectsIn(flights).map((flight) => flight["budget"])].filter(isObject);
}

function amountText(amount: unknown): string {
  const nanos = amountOf(amount);
  return nanos === undefined ? JSON.stringify(amount) : decimal(nanos);
}

/** The entries of a list in place, with nothing in place of an entry that is only an id. */
function listOf(list: unknown): Entry[] {
  return (Array.isArray(list) ? list : []).map((entry) => (isObject(entry) ? entry : {}));
}
