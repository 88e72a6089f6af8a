//! Chooses the bids on one impression. Among bids without deals: the best bid, or for a dynamic pod the best bids that
//! fit together. Among bids with deals: the best bid or bids in the same way, and the best bid of every other deal.

import type { Bid } from "./decide.ts";
import { type Imp, type LinearOffer, slotFor } from "./imp.ts";

export interface Chosen {
  /** Whether to offer all creatives of a campaign: in a pod, the first one may be too long for the rest of the time. */
  readonly takesAllCreatives: boolean;
  add(bid: Bid): void;
  /** Whether further bids of at most this price cannot change the choice, if no deal is guaranteed. */
  isSettled(most: number): boolean;
  /** The chosen bids, best first. */
  bids(): Bid[];
}

/** Maximum number of bids that fill one pod together, and maximum number of bids in an answer. */
const [MAX_POD_BIDS, MAX_BIDS] = [8, 256];

/** Chooses among bids without deals. */
export function openOn(imp: Imp, imps: number): Chosen {
  const isDynamic = [imp.video, imp.audio].some((offer) => offer !== undefined && offer.poddur > 0);
  return isDynamic ? new PodBids(Math.min(MAX_POD_BIDS, share(imps))) : new BestBid();
}

/** Chooses among bids with deals. */
export function underDealsOn(imp: Imp, imps: number): Chosen {
  return new BestPerDeal(openOn(imp, imps), share(imps));
}

/** Maximum number of bids with deals per impression, and also of bids without deals. */
function share(imps: number): number {
  return Math.floor(MAX_BIDS / (2 * imps));
}

/** Whether the seller would keep only one of two bids in the same pod. */
export function areAlike(a: Bid, b: Bid, by: readonly number[]): boolean {
  const shares = <T>(one: readonly T[], other: readonly T[]) => one.some((item) => other.includes(item));
  return by.some((by) => {
    switch (by) {
      case 1:
        return shares(a.campaign.adomain, b.campaign.adomain);
      case 2:
        return a.campaign.cattax === b.campaign.cattax && shares(a.campaign.cat, b.campaign.cat);
      case 3:
        return a.creative.crid === b.creative.crid;
      case 4:
        return shares(a.creative.filesIn(a.imp), b.creative.filesIn(b.imp));
      default:
        return false;
    }
  });
}

/** A guaranteed deal wins over any other bid; then the price decides. */
function isBetter(bid: Bid, held: Bid): boolean {
  const [guar, heldGuar] = [bid.deal?.guar ?? false, held.deal?.guar ?? false];
  return guar === heldGuar ? bid.price > held.price : guar;
}

class BestBid implements Chosen {
  readonly takesAllCreatives = false;
  #held: Bid | undefined;

  add(bid: Bid): void {
    if (!this.#held || isBetter(bid, this.#held)) this.#held = bid;
  }

  isSettled(most: number): boolean {
    return this.#held !== undefined && most <= this.#held.price;
  }

  bids(): Bid[] {
    return this.#held ? [this.#held] : [];
  }
}

class BestPerDeal implements Chosen {
  readonly #together: Chosen;
  readonly #most: number;
  /** The best bid of each deal, best first. */
  #ranked: Bid[] = [];

  constructor(together: Chosen, most: number) {
    this.#together = together;
    this.#most = most;
  }

  get takesAllCreatives(): boolean {
    return this.#together.takesAllCreatives;
  }

  add(bid: Bid): void {
    this.#together.add(bid);
    const held = this.#ranked.find(({ deal }) => deal === bid.deal);
    if (held && !isBetter(bid, held)) return;
    const others = this.#ranked.filter((other) => other !== held);
    const place = others.findLastIndex((other) => !isBetter(bid, other)) + 1;
    this.#ranked = others.toSpliced(place, 0, bid).slice(0, this.#most);
  }

  isSettled(): boolean {
    return false;
  }

  bids(): Bid[] {
    const together = this.#together.bids();
    const others = this.#ranked.filter((bid) => together.every(({ deal }) => deal !== bid.deal));
    const all = [...together, ...others];
    const isGuaranteed = ({ deal }: Bid) => deal?.guar === true;
    return [...all.filter(isGuaranteed), ...all.filter((bid) => !isGuaranteed(bid))].slice(0, this.#most);
  }
}

class PodBids implements Chosen {
  readonly takesAllCreatives = true;
  readonly #most: number;
  readonly #beside: Bid[] = [];
  /** All bids, best first. The bids before `#next` are decided. */
  readonly #ranked: Bid[] = [];
  #next = 0;
  #seconds = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(bid: Bid): void {
    let place = this.#ranked.length;
    while (place > this.#next && isBetter(bid, this.#ranked[place - 1] as Bid)) place--;
    this.#ranked.splice(place, 0, bid);
  }

  isSettled(most: number): boolean {
    this.#fill((bid) => most <= bid.price);
    const [first] = this.#beside;
    if (!first) return false;
    const offer = dynamicOf(first);
    return !offer || this.#beside.length >= this.#room(offer) || this.#seconds >= offer.poddur;
  }

  bids(): Bid[] {
    this.#fill(() => true);
    return this.#beside;
  }

  #fill(isDue: (bid: Bid) => boolean): void {
    for (let bid = this.#ranked[this.#next]; bid && isDue(bid); bid = this.#ranked[++this.#next]) {
      if (!this.#takes(bid)) continue;
      this.#beside.push(bid);
      this.#seconds += bid.creative.dur ?? 0;
    }
  }

  #takes(bid: Bid): boolean {
    const [first] = this.#beside;
    if (!first) return true;
    const offer = dynamicOf(first);
    if (!offer || dynamicOf(bid) !== offer) return false;
    if (this.#beside.length >= this.#room(offer) || this.#seconds + (bid.creative.dur ?? 0) > offer.poddur)
      return false;
    const slot = slotFor(offer, bid.campaign.slots);
    return this.#beside.every(
      (other) =>
        other.campaign !== bid.campaign &&
        (slot === undefined || slot !== slotFor(offer, other.campaign.slots)) &&
        !areAlike(bid, other, offer.poddedupe),
    );
  }

  #room({ maxseq }: LinearOffer): number {
    return maxseq > 0 ? Math.min(maxseq, this.#most) : this.#most;
  }
}

/** The player that the bid would fill, if that player is a dynamic pod. */
function dynamicOf({ imp, creative }: Bid): LinearOffer | undefined {
  const offer = creative.playerOf(imp);
  return offer && offer.poddur > 0 ? offer : undefined;
}
