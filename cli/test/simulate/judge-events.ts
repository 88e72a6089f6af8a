//! The judge of events: each bid and each bill has reached the collector, or is where the documents say that lost events
//! are.

import { Broken } from "./broken.ts";
import { LEAVING } from "./catalog.ts";
import type { Bid } from "./market.ts";
import { type Event, eventsIn } from "./platform/collector.ts";
import type { Platform } from "./platform/platform.ts";

/** An isolate that ends in this time after a bid or a notice may take the event with it. */
const GATHERING_MS = 60_000;

/**
 * Everything was healed hours ago. Events are in the collector, in the dead-letter queue or in the log; those of an
 * isolate that ended at once may be missing.
 */
export function judgeEvents({ queue, collector, world }: Platform, bids: ReadonlyMap<string, Bid>): void {
  if (queue.length > 0) throw new Broken("events", `${queue.length} messages are still in the queue`);
  const dead = queue.dead.flatMap(({ body }) => eventsIn(new TextDecoder().decode(body)));
  const logged = world.trace.flatMap((line) => {
    const at = line.indexOf(' logs {"v":');
    return at < 0 ? [] : eventsIn(line.slice(at + " logs ".length));
  });
  const found = { bid: new Set<string>(), bill: new Set<string>() };
  for (const event of [...collector.events, ...dead, ...logged]) {
    if (event.type !== "bid" && event.type !== "bill") continue;
    const bid = bids.get(event.id);
    if (bid) judgeOne(event, bid);
    else if (event.type === "bill") throw new Broken("events", `${event.id} is billed, and no exchange has it`);
    found[event.type].add(event.id);
  }
  for (const bid of bids.values()) {
    const ways = [{ isolate: bid.isolate, at: bid.askedAt }];
    if (!found.bid.has(bid.id) && !areLost(ways)) throw new Broken("events", `${bid.id} has no event`, [bid.id]);
    if (bid.booked === undefined || found.bill.has(bid.id) || areLost(bid.notices)) continue;
    throw new Broken("events", `${bid.id} is billed, and the bill has no event`, [bid.id]);
  }
}

/** What an event says of a bid is true. Of some bids, the answer got lost, so that no exchange knows them. */
function judgeOne({ type, id, ssp, cid, cur, price_micros }: Event, bid: Bid): void {
  // A notice names no campaign that has left the catalog.
  const hasLeft = type !== "bid" && cid === undefined && bid.campaign.cid === LEAVING;
  const isOwn = ssp === bid.ssp && (hasLeft || cid === bid.campaign.cid) && cur === bid.cur;
  const prices = type === "bid" ? [bid.price] : bid.notices.map(({ price }) => price);
  if (isOwn && prices.includes(BigInt(price_micros ?? 0))) return;
  throw new Broken("events", `the ${type} of ${id} is told as ${ssp}, ${cid} and ${price_micros} ${cur}`, [id]);
}

function areLost(ways: Pick<Bid["notices"][number], "isolate" | "at">[]): boolean {
  return ways.some(({ isolate: { instance }, at }) => instance.endedAt < at + GATHERING_MS);
}
