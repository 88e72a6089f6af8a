//! The answer that the exchange would get, with each bid shown by its kind.

import { type Child, h } from "../../../dom.ts";
import { card, chip, facts, opening } from "../../../parts/blocks.ts";
import type { Report, Sent } from "../report.ts";
import { creative } from "./creative.ts";
import { nativeOf } from "./native.ts";
import { playerOf } from "./player.ts";

/** OpenRTB's numbers of media types (`bid.mtype`). */
const MEDIA = ["no media type", "banner", "video", "audio", "native"];
/** CSS pixels of a banner that does not say its size. */
const UNKNOWN_SIZE = { w: 300, h: 250 };
/** The most bids that are shown at once; a dynamic pod may have more. */
const MOST = 8;

/** The card of the answer; null if the bidder does not send its response. */
export function answerCard({ response, cur = "" }: Report): HTMLElement | null {
  if (response === undefined) return null;
  const bids = (response?.seatbid ?? []).flatMap(({ seat, bid = [] }) => bid.map((one) => ({ seat, ...one })));
  const more = bids.length - MOST;
  // Frames for many ads would be slow, so each ad is drawn when its box opens.
  const boxes = bids.slice(0, MOST).map((bid, n) => {
    return opening("bid", heading(bid, response?.cur ?? cur), () => shown(bid), n === 0);
  });
  const none = h("p.empty", "The exchange gets no bid, so there is no ad to show.");
  const rest = more > 0 && h("p.soft", `${more} more bids are in the response below.`);
  return card("Answer", [bids.length === 0 && none, boxes, rest], "answer");
}

function heading(
  { cid, crid, price, impid, dealid, seat, mtype = 0 }: Sent & { seat: string | undefined },
  cur: string,
): Child {
  const about = [`impression ${impid}`, dealid && `deal ${dealid}`, seat && `seat ${seat}`, `creative ${crid}`];
  const chips = [chip(`${price} ${cur}`, "good"), " ", chip(MEDIA[mtype] ?? "no media type")];
  return [h("strong", `${cid} `), chips, h("span.soft", ` ${about.filter(Boolean).join(" · ")}`)];
}

function shown(bid: Sent): Child {
  const { adomain = [], nurl, burl, lurl } = bid;
  const called = facts([
    ["nurl, at a win", nurl && h("code", nurl)],
    ["burl, at a billed impression", burl && h("code", burl)],
    ["lurl, at a loss", lurl && h("code", lurl)],
  ]);
  return [
    ad(bid),
    facts([["Advertiser", adomain.join(", ")]]),
    (nurl || burl || lurl) && opening("", "Notices that the exchange would call", () => called),
  ];
}

function ad({ adm, mtype, w, h: height, crid }: Sent): Child {
  if (!adm) return h("p.empty", "The bid has no markup.");
  if (mtype === 4) return nativeOf(adm) ?? h("p.error", "The markup is not the JSON of a native ad.");
  if (mtype === 2 || mtype === 3) return playerOf(adm, mtype === 3);
  const size = w && height ? { w, h: height } : UNKNOWN_SIZE;
  const name = `Creative ${crid}, ${w && height ? `${w}×${height}` : "size not told"}`;
  return [h("p.soft", name), creative(adm, size.w, size.h, name)];
}
