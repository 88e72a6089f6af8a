//! How the price of a bid comes about, step by step.

import { h, put } from "../../../dom.ts";
import { card, choice, facts, field } from "../../../parts/blocks.ts";
import { type Bid, bidsOf, nameOf, type Report } from "../report.ts";

/** The card, with a choice among several bids; null without a bid. */
export function priceCard(report: Report): HTMLElement | null {
  const bids = bidsOf(report);
  const place = h("div");
  const draw = (n: string) => {
    const steps = bids.slice(Number(n), Number(n) + 1).flatMap(({ bid }) => stepsOf(bid, report.cur ?? ""));
    put(place, facts(steps.map(({ what, value }) => [what, value])));
  };
  const options = bids.map(({ imp, bid }, n) => [`${n}`, `${nameOf(bid)}, impression ${imp.id}`] as const);
  const select = choice("price-bid", options, draw);
  draw("0");
  const note = h("p.soft", "Prices are for a thousand impressions.");
  return bids.length === 0 ? null : card("Price", [bids.length > 1 && field("Bid", select), place, note]);
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
