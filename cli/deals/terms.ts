//! What the terms of a deal mean in a campaign: the attributes to write, and notes about all that a catalog cannot say.
//! Terms only narrow what a campaign buys. Throws {@link Failure} if nothing would be left.

import { Failure } from "../../build/failure.mjs";
import { amountOf } from "../../shared/compare/campaigns.ts";
import { type Entry, isObject, objectsIn } from "../../shared/compare/entry.ts";
import { countText, firstOf } from "../../shared/compare/text.ts";
import type { Deal } from "../../shared/deals/deal.ts";
import { decimal, NANOS, nanosOf, rounded } from "../../shared/report/decimal.ts";
import { timeIn } from "../../shared/time/days.ts";
import type { Known } from "./kept.ts";

/** Nobody: what the terms mean alone. */
export const NOBODY: Taker = { campaign: {}, creatives: [], ssp: {} };

/** What takes a deal: a campaign with the attributes of its template, its creatives, and the record of the SSP. */
export interface Taker {
  campaign: Entry;
  creatives: Entry[];
  ssp: Entry;
}

/** Attributes of a campaign's entry, and what they leave out. */
export interface Written {
  entry: Entry;
  notes: string[];
}

/** The formats of creatives, by `adtypes`. */
export const FORMATS: Readonly<Record<number, string>> = { 1: "banner", 2: "video", 3: "audio", 4: "native" };
/** The channels of a catalog, by `inclinventory`. */
const CHANNELS: Readonly<Record<number, string>> = { 1: "site", 2: "app", 3: "dooh" };
const FIXED = 3;
/** What is read of each object of a deal, or only for people. Other attributes are named in a note. */
const READ: [path: "deal" | "terms" | "inventory", names: string][] = [
  ["deal", "id name created sellerstatus origin seller desc wseat bseat adtypes auxdata pubcount dinventory terms"],
  ["terms", "startdate enddate countries dealfloor cur guar pricetype units totalcost"],
  ["inventory", "inclinventory devicetype sellerids sitedomains appbundles cat cattax"],
];

/** How the curator is paid, by `curfeetype`. */
const FEES = ["a fee that is not told", "a percentage of spend", "a flat fee", "a CPM", "no fee"];

type Values = (string | number)[];

/** The rules of `target` that the terms name, each with its values. */
export function rulesOf({ terms, inventory = {} }: Deal): [name: string, values: Values][] {
  const { inclinventory = [], devicetype = [], sellerids = [], sitedomains = [], appbundles = [] } = inventory;
  const channel = inclinventory.map((one) => CHANNELS[one] ?? "");
  const rules: Record<string, Values> = {
    ...{ channel: channel.includes("") ? [] : channel, country: terms.countries ?? [], devicetype },
    ...{ publisher: sellerids, domain: sitedomains, bundle: appbundles, cat: inventory.cat ?? [] },
  };
  return Object.entries(rules).filter(([, values]) => values.length > 0);
}

/** A rule as `target` has it. */
export function ruleOf(name: string, include: Values, { inventory }: Deal): Entry {
  const cattax = name === "cat" && inventory?.cattax !== undefined ? { cattax: inventory.cattax } : {};
  return { [name]: name === "channel" ? include : { include }, ...cattax };
}

/** What a campaign that buys under this deal only has to say. An empty campaign shows the terms alone. */
export function writtenOf(known: Known, { campaign, creatives, ssp }: Taker): Written {
  const { deal } = known;
  const notes: string[] = [];
  const target = targetOf(deal, campaign, notes);
  const entry = {
    ...{ ssps: [known.ssp], deals: [priceOf(deal, campaign, notes)], open: false },
    ...datesOf(deal, campaign, notes),
    ...budgetOf(deal, campaign, notes),
    ...(Object.keys(target).length > 0 && { target }),
    ...creativesOf(deal, creatives, notes),
  };
  notes.push(...seatNotes(deal, campaign, ssp), ...otherNotes(known));
  const { domain = deal.origin } = ssp;
  if (domain !== deal.origin) notes.push(`origin: ${deal.origin}, and the domain of ${known.ssp} is ${domain}`);
  const own = campaign["ssps"];
  if (Array.isArray(own) && !own.includes(known.ssp))
    throw new Failure(`the campaign buys from ${own.join(", ")} only, and the deal is at ${known.ssp}`);
  return { entry, notes };
}

function targetOf(deal: Deal, campaign: Entry, notes: string[]): Entry {
  const own = isObject(campaign["target"]) ? campaign["target"] : {};
  const target: Entry = {};
  const { inclinventory = [], sitedomains, appbundles } = deal.inventory ?? {};
  const isMixed = sitedomains?.length && appbundles?.length;
  if (isMixed) notes.push("sites and apps: a campaign takes these sites or those apps, so neither list is written");
  if (inclinventory.some((one) => CHANNELS[one] === undefined))
    notes.push(`inventory.inclinventory ${inclinventory.join(", ")}: a catalog knows 1 to 3 only, so none is written`);
  for (const [name, values] of rulesOf(deal)) {
    if (isMixed && (name === "domain" || name === "bundle")) continue;
    const rule = name === "channel" ? { include: own[name] } : isObject(own[name]) ? own[name] : {};
    const cattax = deal.inventory?.cattax;
    if (name === "cat" && own["cat"] !== undefined && own["cattax"] !== cattax) {
      notes.push(`inventory.cat ${textOf(values)} of cattax ${cattax ?? "1"}: the campaign's own rule is of another`);
      continue;
    }
    if (rule["include_lists"] !== undefined) {
      notes.push(`target.${name}: the campaign has lists, so nothing is written; are they all in ${textOf(values)}?`);
      continue;
    }
    const include = bothIn(name, (rule["include"] as Values | undefined) ?? values, values, notes);
    const written = ruleOf(name, include, deal);
    const whole = written[name];
    Object.assign(target, written, isObject(whole) && { [name]: { ...rule, ...whole } });
  }
  return target;
}

/** The values that the campaign's list and the deal's have in common. A domain includes its subdomains. */
function bothIn(name: string, own: Values, deals: Values, notes: string[]): Values {
  const within = (one: unknown, all: Values) =>
    all.some((other) => one === other || (name === "domain" && isWithin(`${one}`, `${other}`)));
  const both = [...own.filter((one) => within(one, deals)), ...deals.filter((one) => within(one, own))];
  const has = `target.${name}: the campaign takes ${textOf(own)}, the deal ${textOf(deals)}`;
  if (both.length === 0) throw new Failure(`${has}; nothing is left`);
  if (deals.some((one) => !within(one, own))) notes.push(`${has}; it takes what both have`);
  return [...new Set(both)];
}

/** Whether a domain is another one, or below it. */
function isWithin(domain: string, other: string): boolean {
  return `.${domain.toLowerCase()}`.endsWith(`.${other.toLowerCase()}`);
}

function textOf(values: Values): string {
  return firstOf(values.map(String));
}

/** The entry of `deals`. A fixed price is what is paid; any other floor is only guidance. */
function priceOf({ id, terms }: Deal, campaign: Entry, notes: string[]): Entry | string {
  const { dealfloor, cur = "USD", pricetype } = terms;
  const listed = objectsIn(campaign["deals"]);
  const before = listed.find((one) => one["id"] === id);
  const most = before?.["max_cpm"] ?? campaign["max_cpm"];
  if (dealfloor === undefined) return before ?? id;
  if (pricetype === FIXED && paysIn(cur, campaign)) return { ...before, id, max_cpm: amount(nanosIn(dealfloor)) };
  const pays = amountOf(most) ?? 0n;
  if (!paysIn(cur, campaign) || pays < nanosIn(dealfloor)) {
    const price =
      most === undefined ? "its price is open" : `the campaign pays ${decimal(pays)} ${campaign["cur"] ?? "USD"}`;
    notes.push(`terms.dealfloor ${dealfloor} ${cur}: ${price}; is it enough?`);
  }
  return before ?? id;
}

/** Whether the campaign pays in this currency. The terms alone are in any. */
function paysIn(cur: string, campaign: Entry): boolean {
  return campaign["max_cpm"] === undefined || cur === (campaign["cur"] ?? "USD");
}

/** A price or sum of a message in nanos: JSON has it as a number. */
function nanosIn(value: number): bigint {
  return nanosOf(value.toFixed(9)) ?? 0n;
}

/** Nanos as a decimal of at most six decimals, as a catalog has it. */
function amount(nanos: bigint): string {
  return rounded(nanos, NANOS, 6).replace(/\.?0+$/, "");
}

function datesOf({ terms: { startdate, enddate } }: Deal, campaign: Entry, notes: string[]): Entry {
  if (startdate === undefined && enddate === undefined) return {};
  if (campaign["flights"] !== undefined) {
    notes.push(`terms: ${startdate ?? "now"} to ${enddate ?? "ever"}: the campaign keeps its flights; do they fit?`);
    return {};
  }
  const times = (...texts: unknown[]) =>
    texts.flatMap((one) => (one === undefined ? [] : (timeIn(one) ?? Date.parse(`${one}`))));
  const [starts, ends] = [times(campaign["start"], startdate), times(campaign["end"], enddate)];
  const text = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");
  if (Math.max(...starts) >= Math.min(...ends)) throw new Failure("the campaign does not run while the deal does");
  return {
    ...(starts.length > 0 && { start: text(Math.max(...starts)) }),
    ...(ends.length > 0 && { end: text(Math.min(...ends)) }),
  };
}

/** The plan of a guaranteed deal: its money over the time of the deal. Impressions cannot be planned. */
function budgetOf({ terms }: Deal, campaign: Entry, notes: string[]): Entry {
  const { guar = 0, units, totalcost, dealfloor = 0, cur = "USD", pricetype } = terms;
  const ofUnits = pricetype === FIXED && units !== undefined ? (BigInt(units) * nanosIn(dealfloor)) / 1000n : undefined;
  const total = totalcost === undefined ? ofUnits : nanosIn(totalcost);
  if (units !== undefined) notes.push(`terms.units ${units}: a catalog plans money, not impressions`);
  if (guar === 1)
    notes.push(
      "terms.guar 1: a bid is due on each request; targeting, caps and a budget that is used up still prevent some",
      'to bid beyond the budget, add "guaranteed": true to the object of the deal',
    );
  const own = ["budget", "budget_of", "flights"].find((name) => campaign[name] !== undefined);
  const canPlan = guar === 1 && total !== undefined && own === undefined && paysIn(cur, campaign);
  if (canPlan) return { budget: { total: amount(total) } };
  const plan = total === undefined ? "no total" : `${amount(total)} ${cur} in all`;
  const why = own === undefined ? "" : `: the campaign keeps its ${own}`;
  if (guar === 1 || total !== undefined) notes.push(`the terms have ${plan}; no budget is written${why}`);
  return {};
}

/** The creatives in the formats of the deal, if others have to go. */
function creativesOf({ adtypes = [] }: Deal, creatives: Entry[], notes: string[]): Entry {
  const wanted = adtypes.map((one) => FORMATS[one] ?? "");
  const fits = (creative: Entry) => wanted.some((format) => creative[format] !== undefined);
  const others = creatives.filter((creative) => !fits(creative)).map(({ crid }) => String(crid));
  if (wanted.length === 0 || (others.length === 0 && creatives.length > 0)) return {};
  if (others.length > 0 && others.length === creatives.length)
    throw new Failure(`the deal takes ${wanted.join(", ")}, and no creative of the campaign is one`);
  const left = others.length > 0 ? `, so ${firstOf(others)} is left out` : "";
  notes.push(`adtypes: the deal takes ${wanted.join(", ")}${left}`);
  return others.length > 0 ? { creatives: creatives.filter(fits).map(({ crid }) => crid) } : {};
}

function seatNotes({ wseat = [], bseat = [] }: Deal, { seat }: Entry, ssp: Entry): string[] {
  const seats = objectsIn(ssp["seats"]);
  const name = seats.find((one) => one["seat"] === seat)?.["name"] ?? ssp["seat"] ?? seat;
  if (wseat.length > 0 && !wseat.includes(`${name}`))
    return [`wseat: only ${firstOf(wseat)} may bid; yours is ${name ?? "open"}`];
  return bseat.includes(`${name}`) ? [`bseat: the seat ${name} may not bid`] : [];
}

/** Notes about the deal as a whole, and about what is not read at all. */
function otherNotes({ deal, states, unordered, later }: Known): string[] {
  const { terms, inventory = {}, curation, ext, ...rest } = deal as Deal & { curation?: Entry };
  const parts = { deal: rest, terms, inventory };
  const unread = READ.flatMap(([path, names]) =>
    Object.keys(parts[path]).flatMap((name) => (names.split(" ").includes(name) ? [] : `${path}.${name}: is not read`)),
  );
  return [
    ...unread,
    ...(Object.keys(ext ?? {}).some((name) => name !== "updated") ? ["deal.ext: is not read"] : []),
    ...(deal.dinventory === 2 && deal.inventory ? ["dinventory 2: the seller may change sites and apps"] : []),
    ...((terms.pricetype ?? 0) >= 500 ? [`terms.pricetype ${terms.pricetype}: a kind of the exchange's own`] : []),
    ...(curation ? [`curation: ${curation["curator"]} gets ${FEES[Number(curation["curfeetype"] ?? 0)]}`] : []),
    ...(later > 0 ? [`${countText(later, "later message")} do not count: ext.updated is missing or older`] : []),
    ...(unordered > 0
      ? [
          `${unordered + 1} messages have no order (ext.updated); the one that was new last counts, and one that comes again changes nothing`,
        ]
      : []),
    ...states.filter((state) => state === "paused" || state === "pending").map((state) => `the seller says: ${state}`),
  ];
}
