//! The answer that the exchange would get, each bid shown as what it is.

import { h } from "../../../dom.ts";
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
  return h(
    "section",
    { class: "card answer", "aria-labelledby": "answer-title" },
    h("h2", { id: "answer-title" }, "Answer"),
    bids.length === 0 ? h("p", { class: "empty" }, "The exchange gets no bid, so there is no ad to show.") : null,
    ...bids.slice(0, MOST).map(({ seat, bid }, n) => {
      const box = h(
        "details",
        { class: "bid", open: n === 0 },
        h("summary", {}, heading(bid, seat, response?.cur ?? cur)),
      );
      // A frame for each of many ads would be slow, so an ad is drawn when its box opens.
      const draw = () => {
        if (box.open && box.childElementCount === 1) box.append(shown(bid));
      };
      box.addEventListener("toggle", draw);
      draw();
      return box;
    }),
    bids.length > MOST ? h("p", { class: "soft" }, `${bids.length - MOST} more bids are in the response below.`) : null,
  );
}

function heading(
  { cid, crid, price, impid, dealid, mtype = 0 }: Sent,
  seat: string | undefined,
  cur: string,
): HTMLElement {
  const about = [`impression ${impid}`, dealid && `deal ${dealid}`, seat && `seat ${seat}`, `creative ${crid}`];
  return h(
    "span",
    {},
    h("strong", {}, `${cid} `),
    h("span", { class: "chip good" }, `${price} ${cur}`),
    " ",
    h("span", { class: "chip" }, MEDIA[mtype] ?? "no media type"),
    h("span", { class: "soft" }, ` ${about.filter(Boolean).join(" · ")}`),
  );
}

function shown(bid: Sent): HTMLElement {
  const { adomain = [], nurl, burl, lurl } = bid;
  const notices: [string, string | undefined][] = [
    ["nurl, at a win", nurl],
    ["burl, at a billed impression", burl],
    ["lurl, at a loss", lurl],
  ];
  const sent = notices.flatMap(([name, url]) => (url ? [h("dt", {}, name), h("dd", {}, h("code", {}, url))] : []));
  return h(
    "div",
    {},
    ad(bid),
    adomain.length > 0 ? h("dl", {}, h("dt", {}, "Advertiser"), h("dd", {}, adomain.join(", "))) : null,
    sent.length > 0
      ? h("details", {}, h("summary", {}, "Notices that the exchange would call"), h("dl", {}, ...sent))
      : null,
  );
}

function ad({ adm, mtype, w, h: height, crid }: Sent): HTMLElement {
  if (!adm) return h("p", { class: "empty" }, "The bid has no markup.");
  if (mtype === 4) {
    const native = nativeOf(adm);
    return native ? nativeCard(native) : h("p", { class: "error" }, "The markup is not the JSON of a native ad.");
  }
  if (mtype === 2 || mtype === 3) {
    const vast = vastOf(adm);
    return vast ? player(vast, mtype === 3) : h("p", { class: "error" }, "The markup is no VAST document.");
  }
  const size = w && height ? { w, h: height } : UNKNOWN_SIZE;
  const name = `Creative ${crid}, ${w && height ? `${w}×${height}` : "size not told"}`;
  return h("div", {}, h("p", { class: "soft" }, name), creative(adm, size.w, size.h, name));
}
