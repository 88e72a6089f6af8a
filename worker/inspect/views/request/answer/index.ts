//! The answer that the exchange would get, each bid shown as what it is.

import { type Child, h } from "../../../dom.ts";
import { card, chip, code, facts, opening, text } from "../../../parts/blocks.ts";
import type { Report, Sent } from "../report.ts";
import { creative } from "./creative.ts";
import { nativeCard, nativeOf } from "./native.ts";
import { player } from "./player.ts";
import { vastOf } from "./vast.ts";

/** OpenRTB's numbers of media types (`bid.mtype`). */
const MEDIA: Record<number, string> = { 1: "banner", 2: "video", 3: "audio", 4: "native" };
/** CSS pixels of a banner that does not say its size. */
const UNKNOWN_SIZE = { w: 300, h: 250 };
/** The most bids that are shown at once; a dynamic pod may have more. */
const MOST = 8;

/** The card of the answer; null if the bidder does not send its response. */
export function answerCard({ response, cur = "" }: Report): HTMLElement | null {
  if (response === undefined) return null;
  const seats = response?.seatbid ?? [];
  const bids = seats.flatMap(({ seat, bid = [] }) => bid.map((one) => ({ seat, bid: one })));
  const more = bids.length - MOST;
  // A frame for each of many ads would be slow, so an ad is drawn when its box opens.
  const boxes = bids.slice(0, MOST).map(({ seat, bid }, n) => {
    return opening("bid", heading(bid, seat, response?.cur ?? cur), () => shown(bid), n === 0);
  });
  const none = text("empty", "The exchange gets no bid, so there is no ad to show.");
  const rest = more > 0 && text("soft", `${more} more bids are in the response below.`);
  return card("Answer", [bids.length === 0 && none, ...boxes, rest], "answer");
}

function heading({ cid, crid, price, impid, dealid, mtype = 0 }: Sent, seat = "", cur = ""): Child[] {
  const about = [`impression ${impid}`, dealid && `deal ${dealid}`, seat && `seat ${seat}`, `creative ${crid}`];
  return [
    h("strong", {}, `${cid} `),
    chip(`${price} ${cur}`, "good"),
    " ",
    chip(MEDIA[mtype] ?? "no media type"),
    h("span", { class: "soft" }, ` ${about.filter(Boolean).join(" · ")}`),
  ];
}

function shown(bid: Sent): Child[] {
  const { adomain = [], nurl, burl, lurl } = bid;
  const notices = [
    ["nurl, at a win", nurl],
    ["burl, at a billed impression", burl],
    ["lurl, at a loss", lurl],
  ].filter(([, url]) => url);
  const called = facts(notices.map(([name = "", url = ""]) => [name, code(url)]));
  return [
    ad(bid),
    facts([["Advertiser", adomain.join(", ")]]),
    notices.length > 0 && opening("", ["Notices that the exchange would call"], () => [called]),
  ];
}

function ad({ adm, mtype, w, h: height, crid }: Sent): HTMLElement {
  if (!adm) return text("empty", "The bid has no markup.");
  if (mtype === 4) {
    const native = nativeOf(adm);
    return native ? nativeCard(native) : text("error", "The markup is not the JSON of a native ad.");
  }
  if (mtype === 2 || mtype === 3) {
    const vast = vastOf(adm);
    return vast ? player(vast, mtype === 3) : text("error", "The markup is no VAST document.");
  }
  const size = w && height ? { w, h: height } : UNKNOWN_SIZE;
  const name = `Creative ${crid}, ${w && height ? `${w}×${height}` : "size not told"}`;
  return h("div", {}, text("soft", name), creative(adm, size.w, size.h, name));
}
