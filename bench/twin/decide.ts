//! The decision: for each impression the best bid of each deal and the best bid without a deal. A dynamic pod gets
//! several bids of both kinds.

import { ANY_COUNTRY, type Campaign, type Catalog } from "./catalog.ts";
import { areAlike, type Chosen, openOn, underDealsOn } from "./chosen.ts";
import { type Creative, keysOf } from "./creative.ts";
import { Draw } from "./draw.ts";
import { allowsBid } from "./dsa.ts";
import type { Facts } from "./facts.ts";
import type { Deal, Imp } from "./imp.ts";
import { priceOf } from "./price.ts";
import type { Auction } from "./request.ts";
import { domainSet, isUnder, isWithin } from "./text.ts";

export interface Bid {
  imp: Imp;
  deal: Deal | undefined;
  campaign: Campaign;
  creative: Creative;
  /** In micros of the response's currency. */
  price: number;
}

/** Decides on one request. */
export class Decision {
  readonly bids: Bid[] = [];
  readonly #catalog: Catalog;
  readonly #auction: Auction;
  readonly #facts: Facts;
  /** By rank, whether the campaign may bid on this request at all. Computed once for all impressions. */
  readonly #fitting = new Map<number, boolean>();
  #draw!: Draw;

  constructor(catalog: Catalog, auction: Auction, facts: Facts) {
    this.#catalog = catalog;
    this.#auction = auction;
    this.#facts = facts;
    const id = new TextEncoder().encode(auction.id);
    for (const [number, imp] of auction.imps.entries()) {
      this.#draw = Draw.new(id, number);
      // The exchange chooses among bids with and without deals, so both are sent.
      const [deal, open] = [underDealsOn(imp, auction.imps.length), openOn(imp, auction.imps.length)];
      this.#addDeals(imp, deal);
      this.#addOpen(imp, open);
      this.bids.push(...deal.bids(), ...open.bids());
    }
  }

  #addDeals(imp: Imp, chosen: Chosen): void {
    if (imp.deals.length === 0) return;
    const holders = new Set(imp.deals.flatMap(({ id }) => this.#catalog.withDeal(id)));
    for (const campaign of [...holders].sort((a, b) => this.#compare(a, b))) {
      if (!this.#mayBid(campaign, imp)) continue;
      for (const deal of imp.deals) {
        if (campaign.deals.has(deal.id) && isOpenTo(deal, campaign)) this.#offer(imp, deal, campaign, chosen);
      }
    }
  }

  /** Stops at the first campaign that cannot pay more. */
  #addOpen(imp: Imp, chosen: Chosen): void {
    if (imp.privateAuction) return;
    for (const campaign of this.#drawn(imp)) {
      if (chosen.isSettled(this.#mostOf(campaign))) return;
      if (this.#mayBid(campaign, imp)) this.#offer(imp, undefined, campaign, chosen);
    }
  }

  /** The most that this and all later campaigns could bid. Adds 1 because `worth` is rounded down. */
  #mostOf({ worth }: Campaign): number {
    const { cur } = this.#auction;
    if (cur === "USD") return worth;
    return this.#catalog.rates.convertUp(worth + 1, "USD", cur) ?? Number.POSITIVE_INFINITY;
  }

  /** Compares campaigns by worth. Campaigns with equal worth are in drawn order. */
  #compare(a: Campaign, b: Campaign): number {
    return a.equals === b.equals ? this.#draw.compare(a.equals, a, b) : a.rank - b.rank;
  }

  /** The candidates in the order in which they are tried. */
  *#drawn(imp: Imp): Generator<Campaign> {
    let equals: Campaign[] = [];
    for (const campaign of this.#candidates(imp)) {
      if (equals[0] && equals[0].equals !== campaign.equals) {
        yield* equals.sort((a, b) => this.#compare(a, b));
        equals = [];
      }
      equals.push(campaign);
    }
    yield* equals.sort((a, b) => this.#compare(a, b));
  }

  /** The campaigns with an ad that the impression may accept, in its country or in any, in the order of worth. */
  *#candidates(imp: Imp): Generator<Campaign> {
    const cursors: { group: readonly Campaign[]; at: number }[] = [];
    for (const key of keysOf(imp)) {
      for (const country of [this.#facts.country, ANY_COUNTRY]) {
        const group = this.#catalog.showing(key, country);
        if (group.length > 0) cursors.push({ group, at: 0 });
      }
    }
    let last = -1;
    for (;;) {
      let next: Campaign | undefined;
      for (const cursor of cursors) {
        while ((cursor.group[cursor.at]?.rank ?? Number.POSITIVE_INFINITY) <= last) cursor.at++;
        const head = cursor.group[cursor.at];
        if (head && (!next || head.rank < next.rank)) next = head;
      }
      if (!next) return;
      last = next.rank;
      yield next;
    }
  }

  #mayBid(campaign: Campaign, imp: Imp): boolean {
    let fits = this.#fitting.get(campaign.rank);
    if (fits === undefined) {
      fits = mayBidAtAll(campaign, this.#auction, this.#facts);
      this.#fitting.set(campaign.rank, fits);
    }
    if (!fits || (campaign.exp > 0 && imp.exp > campaign.exp)) return false;
    for (const rule of campaign.impRules) if (!rule(imp, this.#facts)) return false;
    return true;
  }

  /** The creatives of a campaign in drawn order. */
  #creatives({ creatives, hash }: Campaign): Creative[] {
    if (creatives.length < 2) return creatives;
    const draw = this.#draw.of(hash);
    const lots = creatives.map((creative, number) => ({ creative, lot: draw.lot(number) }));
    return lots.sort((a, b) => a.lot - b.lot).map(({ creative }) => creative);
  }

  /**
   * Adds a bid with the first creative that fits the impression, pays the floor, and duplicates no other bid in its
   * pod. In a dynamic pod, adds a bid with each such creative.
   */
  #offer(imp: Imp, deal: Deal | undefined, campaign: Campaign, chosen: Chosen): void {
    const { at, cur, languages } = this.#auction;
    for (const creative of this.#creatives(campaign)) {
      if (!creative.fits(imp, languages)) continue;
      const spot = creative.spotIn(imp);
      if (!campaign.spotRules.every((rule) => rule(spot))) continue;
      const price = priceOf(this.#catalog.rates, at, imp, deal, campaign, creative, cur);
      if (price === undefined) continue;
      const bid = { imp, deal, campaign, creative, price };
      if (this.#repeats(bid)) continue;
      chosen.add(bid);
      if (!chosen.takesAllCreatives) return;
    }
  }

  /** Whether the seller would remove the bid as a duplicate of another bid in its pod. */
  #repeats(bid: Bid): boolean {
    const pod = podOf(bid.imp);
    if (!pod || pod.poddedupe.length === 0) return false;
    return this.bids.some(
      (other) => other.imp !== bid.imp && podOf(other.imp)?.podid === pod.podid && areAlike(bid, other, pod.poddedupe),
    );
  }
}

function isOpenTo({ wseat, wadomain }: Deal, { seat, adomain }: Campaign): boolean {
  if (wseat.length > 0 && !wseat.includes(seat)) return false;
  const welcome = domainSet(wadomain);
  return welcome === null || adomain.every((domain) => isWithin(domain, welcome));
}

function mayBidAtAll(campaign: Campaign, auction: Auction, facts: Facts): boolean {
  const { ssps, seat, rules, adomain, cat, cattax, bundle } = campaign;
  if (ssps.length > 0 && !ssps.includes(auction.ssp)) return false;
  if (auction.wseat && !auction.wseat.has(seat)) return false;
  if (auction.bseat?.has(seat)) return false;
  for (const rule of rules) if (!rule(facts)) return false;
  const { badv, bcat, acat, bapp } = auction;
  if (badv && adomain.some((domain) => isWithin(domain, badv))) return false;
  // Categories of different taxonomies cannot be compared.
  const isComparable = auction.cattax === cattax;
  if (bcat && cat.length > 0 && (!isComparable || cat.some((cat) => isUnder(cat, bcat)))) return false;
  if (acat && !(isComparable && cat.length > 0 && cat.every((cat) => isUnder(cat, acat)))) return false;
  return (bundle === "" || !bapp?.has(bundle)) && allowsBid(auction.dsa, campaign.dsa);
}

function podOf({ video, audio }: Imp) {
  return [video, audio].find((offer) => offer !== undefined && offer.podid !== "");
}
