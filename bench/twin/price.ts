//! The price of a bid: the campaign's maximum, its shaded price, or a deal's fixed price. It is never below the floor.

import type { Campaign } from "./catalog.ts";
import type { Creative } from "./creative.ts";
import type { Deal, Imp, TimedFloors } from "./imp.ts";
import type { Rates } from "./money.ts";

const FIRST_PRICE = 1;
/** `deal.at`: the deal's floor is the agreed price. */
const FIXED_PRICE = 3;

/** The price in micros of `cur`; undefined if there is none. */
export function priceOf(
  rates: Rates,
  requestAt: number,
  imp: Imp,
  deal: Deal | undefined,
  campaign: Campaign,
  creative: Creative,
  cur: string,
): number | undefined {
  const most = rates.convertDown(campaign.maxCpm, campaign.cur, cur);
  const floor = floorIn(rates, imp, deal, creative, cur);
  if (most === undefined || floor === undefined || most < floor || most <= 0) return undefined;
  const at = deal?.at || requestAt;
  if (at === FIXED_PRICE && deal && floor > 0) return floor;
  if (at !== FIRST_PRICE) return most;
  const shaded = rates.convertDown(campaign.shadedCpm, campaign.cur, cur) ?? most;
  return Math.min(Math.max(shaded, floor, 1), most);
}

/** The floor of the deal; without one the floor of the video or audio; without one the floor of the impression. */
function floorIn(rates: Rates, imp: Imp, deal: Deal | undefined, creative: Creative, cur: string): number | undefined {
  const { dur } = creative;
  if (deal) {
    const floor = byTime(deal, dur) ?? (deal.bidfloor > 0 ? deal.bidfloor : undefined);
    if (floor !== undefined) return demand(rates, floor, deal.bidfloorcur, cur);
  }
  const offer = creative.video ? imp.video : creative.audio ? imp.audio : undefined;
  const ofMedia = offer && byTime(offer, dur);
  return demand(rates, ofMedia ?? imp.bidfloor, imp.bidfloorcur, cur);
}

/** The floor per second or for the duration's range; the higher one if both exist. */
function byTime({ mincpmpersec, durfloors }: TimedFloors, dur: number | undefined): number | undefined {
  if (dur === undefined) return undefined;
  const ranges = durfloors.filter(({ mindur, maxdur }) => mindur <= dur && (maxdur <= 0 || dur <= maxdur));
  const floors = ranges.map(({ bidfloor }) => bidfloor);
  if (mincpmpersec > 0) floors.push(mincpmpersec * dur);
  return floors.length > 0 ? Math.max(...floors) : undefined;
}

/** A floor in another currency; undefined if it cannot be read or has no rate. A floor of 0 needs no rate. */
function demand(rates: Rates, floor: number, from: string, to: string): number | undefined {
  if (!Number.isFinite(floor)) return undefined;
  return floor <= 0 ? 0 : rates.convertUp(floor, from, to);
}
