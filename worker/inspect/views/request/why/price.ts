//! How the price of a bid comes about, step by step.

import { h, put } from "../../../dom.ts";
import { card, choice, field, text } from "../../../parts/blocks.ts";
import { type Bid, bidsOf, type Report } from "../report.ts";

/** The card, with a choice among several bids; null without a bid. */
export function priceCard(report: Report): HTMLElement | null {
  const bids = bidsOf(report);
  const [first] = bids;
  if (first === undefined) return null;
  const cur = report.cur ?? "";
  const list = h("ol", { class: "steps" });
  const draw = (bid: Bid) => put(list, stepsOf(bid, cur).map(step));
  const options = bids.map(({ imp, bid }, n) => {
    return [`${n}`, `${bid.cid}${bid.dealid ? ` under ${bid.dealid}` : ""}, impression ${imp.id}`] as const;
  });
  const select = choice("price-bid", options, (n) => draw(bids[Number(n)]?.bid ?? first.bid));
  draw(first.bid);
  return card("Price", [
    bids.length > 1 && field("Bid", select),
    list,
    text("soft", "Prices are for a thousand impressions."),
  ]);
}

/** The report's steps; without them, what every report says of a bid. */
function stepsOf({ steps, most, most_by, floor, price, caps }: Bid, cur: string): { what: string; value: string }[] {
  const known = steps ?? [
    { what: most_by ?? "the campaign pays at most", value: `${most} ${cur}` },
    { what: "floor", value: `${floor} ${cur}` },
    { what: "price", value: `${price} ${cur}` },
  ];
  return caps ? [...known, { what: "frequency caps", value: caps }] : known;
}

function step({ what, value }: { what: string; value: string }): HTMLElement {
  return h("li", {}, h("span", {}, what), h("strong", {}, value));
}
