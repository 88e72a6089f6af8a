//! Writes the decision as a `BidResponse`.

import type { Bid } from "./decide.ts";
import { type DsaRequest, extOf } from "./dsa.ts";
import { slotFor } from "./imp.ts";
import { toUnits } from "./money.ts";
import type { Auction } from "./request.ts";

/** The time until billing if neither the campaign nor the request sets it. */
const DEFAULT_EXP_SECONDS = 3600;

/** The text of the response. `number` makes the bid ids unique. */
export function respond({ id, cur, dsa }: Auction, bids: readonly Bid[], number: number): string {
  const seats = new Map<string, object[]>();
  const bidid = number.toString(16).padStart(16, "0");
  for (const [place, bid] of bids.entries()) {
    const wire = wireOf(bid, `${bidid}${place.toString(16).padStart(2, "0")}`, dsa);
    const seat = seats.get(bid.campaign.seat);
    if (seat) seat.push(wire);
    else seats.set(bid.campaign.seat, [wire]);
  }
  return JSON.stringify({ id, bidid, cur, seatbid: [...seats].map(([seat, bid]) => ({ bid, seat })) });
}

function wireOf({ imp, deal, campaign, creative, price }: Bid, id: string, dsa: DsaRequest): object {
  return {
    id,
    impid: imp.id,
    price: toUnits(price),
    ...campaign.wire,
    ...creative.wire,
    ...creative.markup(imp),
    exp: campaign.exp || (imp.exp > 0 ? imp.exp : DEFAULT_EXP_SECONDS),
    dealid: deal?.id,
    slotinpod: slotFor(creative.playerOf(imp), campaign.slots),
    ext: extOf(dsa, campaign.dsa),
  };
}
