//! The catalog, ready for decisions. Campaigns are grouped by country and by kind of ad, and ordered by their *worth*,
//! which is `max_cpm` in dollars, highest first.

import { Creative, SIZED, UNSIZED_KEY } from "./creative.ts";
import type { CampaignEntry, Document, DsaEntry, Zone } from "./document.ts";
import { ownerHash, type Run } from "./draw.ts";
import { currency, microsUp, Rates } from "./money.ts";
import { hasPlainHttp } from "./plain-http.ts";
import { Privacy } from "./privacy/privacy.ts";
import { bestShaded } from "./shading.ts";
import { compileTarget, type ImpRule, type Rule, type SpotRule } from "./target.ts";

/** Network time of a request and its answer in milliseconds, if the catalog has none. */
const DEFAULT_LATENCY_MS = 20;
/** The group of campaigns that target no country or only exclude some. */
export const ANY_COUNTRY = "*";

export interface Campaign {
  /** Position in the order of worth. */
  rank: number;
  /** In micros of dollars, rounded down. */
  worth: number;
  /** The positions of all campaigns with this worth. */
  equals: Run;
  /** In lower case; {@link ANY_COUNTRY} without country targeting. */
  countries: string[];
  seat: string;
  adomain: string[];
  /** In lower case; empty if it advertises no app. */
  bundle: string;
  /** In lower case. */
  cat: string[];
  cattax: number;
  maxCpm: number;
  shadedCpm: number;
  cur: string;
  /** Empty: all SSPs. */
  ssps: string[];
  deals: Set<string>;
  open: boolean;
  rules: Rule[];
  impRules: ImpRule[];
  spotRules: SpotRule[];
  creatives: Creative[];
  /** For the draw among its creatives. */
  hash: number;
  /** The slots in a pod that the campaign wants. */
  slots: number[];
  /** Seconds until billing that the campaign accepts; 0: as many as the exchange asks for. */
  exp: number;
  dsa: DsaEntry | undefined;
  /** The attributes that all its bids share. */
  wire: object;
}

export class Catalog {
  readonly rates: Rates;
  readonly privacy: Privacy;
  /** In lower case. */
  readonly prebidCode: string;
  /** Network time in milliseconds, by SSP. */
  readonly latencies: Map<string, number>;
  readonly campaigns: Campaign[];
  /** Campaigns by deal, and by country and kind of ad; each list in the order of worth. */
  readonly #byDeal = new Map<string, Campaign[]>();
  readonly #byCountry = new Map<string, Map<string, Campaign[]>>();

  constructor(document: Document, zones: readonly Zone[]) {
    this.rates = new Rates(document.rates ?? []);
    this.privacy = new Privacy(document.privacy);
    this.prebidCode = (document.prebid_code ?? "").toLowerCase();
    this.latencies = new Map(document.ssps.map(({ id, latency_ms }) => [id, latency_ms ?? DEFAULT_LATENCY_MS]));
    const creatives = new Map((document.creatives ?? []).map((entry) => [entry.crid, new Creative(entry)]));
    this.campaigns = (document.campaigns ?? [])
      .map((entry) => campaign(entry, creatives, this.rates, zones))
      .sort((a, b) => b.worth - a.worth);
    let equals: Run = { from: 0, to: 0 };
    for (const [rank, campaign] of this.campaigns.entries()) {
      if (this.campaigns[rank - 1]?.worth !== campaign.worth) equals = { from: rank, to: rank };
      equals.to = rank + 1;
      campaign.rank = rank;
      campaign.equals = equals;
      this.#group(campaign);
    }
  }

  withDeal(id: string): readonly Campaign[] {
    return this.#byDeal.get(id) ?? [];
  }

  /** Campaigns that may bid in a country (in lower case) and have creatives with this key. */
  showing(key: string, country: string): readonly Campaign[] {
    return this.#byCountry.get(country)?.get(key) ?? [];
  }

  #group(campaign: Campaign): void {
    for (const deal of campaign.deals) put(this.#byDeal, deal, campaign);
    if (!campaign.open) return;
    const keys = new Set(campaign.creatives.flatMap(({ key }) => (key.startsWith(SIZED) ? [key, UNSIZED_KEY] : [key])));
    for (const country of new Set(campaign.countries)) {
      const group = this.#byCountry.get(country) ?? new Map<string, Campaign[]>();
      this.#byCountry.set(country, group);
      for (const key of keys) put(group, key, campaign);
    }
  }
}

function put(groups: Map<string, Campaign[]>, key: string, campaign: Campaign): void {
  const group = groups.get(key);
  if (group) group.push(campaign);
  else groups.set(key, [campaign]);
}

function campaign(
  entry: CampaignEntry,
  creatives: ReadonlyMap<string, Creative>,
  rates: Rates,
  zones: readonly Zone[],
): Campaign {
  const cur = entry.cur === undefined ? "USD" : currency(entry.cur);
  const maxCpm = amount(entry.max_cpm);
  const { shading, nurl, burl, lurl, cattax = 1 } = entry;
  const adomain = entry.adomain.map((domain) => domain.toLowerCase());
  const isInsecure = [nurl, burl, lurl].some((url) => url !== undefined && hasPlainHttp(url));
  const cat = entry.cat ?? [];
  const countries = (entry.target?.country?.include ?? []).map((country) => country.toLowerCase());
  return {
    rank: 0,
    equals: { from: 0, to: 0 },
    worth: rates.convertDown(maxCpm, cur, "USD") ?? 0,
    countries: countries.length > 0 ? countries : [ANY_COUNTRY],
    seat: entry.seat,
    adomain,
    bundle: (entry.bundle ?? "").toLowerCase(),
    cat: cat.map((cat) => cat.toLowerCase()),
    cattax,
    maxCpm,
    shadedCpm: shading ? bestShaded(maxCpm, amount(shading.typical), shading.steepness) : maxCpm,
    cur,
    ssps: entry.ssps ?? [],
    deals: new Set(entry.deals),
    open: entry.open ?? true,
    ...compileTarget(entry.target ?? {}, zones),
    creatives: entry.creatives.flatMap((crid) => creatives.get(crid)?.servedBy(isInsecure) ?? []),
    hash: ownerHash(entry.cid),
    slots: entry.target?.slotinpod?.include ?? [],
    exp: entry.exp ?? 0,
    dsa: entry.dsa,
    wire: {
      nurl,
      burl,
      lurl,
      adomain,
      bundle: entry.bundle,
      cid: entry.cid,
      ...(cat.length > 0 && { cat, cattax }),
    },
  };
}

/** Integer micros, or a decimal with at most six places. */
function amount(value: string | number): number {
  return typeof value === "number" ? value : (microsUp(value) ?? 0);
}
