//! What a win costs: the price paid against the part of the bids that was billed.

import { amountOf } from "../../../../shared/report/totals.ts";
import { type Child, h, put } from "../../dom.ts";
import { card, choice, field } from "../../parts/blocks.ts";
import { largest, percentOf, points } from "../../parts/chart.ts";
import { amountText } from "../../parts/money.ts";
import { countText, percentText } from "../../parts/text.ts";
import type { Row } from "./report.ts";

/** If there are fewer points, they are described in words. */
const FEWEST_POINTS = 3;

/** The card of one campaign: a point for each day and SSP, in each currency. */
export function pricesCard(rows: Row[]): HTMLElement {
  const paid = rows.filter(({ bids, billed }) => bids > 0 && billed > 0);
  const groups = [...Map.groupBy(paid, ({ cur }) => cur)];
  const area = h("div");
  const draw = (n: string) => put(area, pricesPart(groups[Number(n)]?.[1] ?? []));
  const options = groups.map(([name], n) => [`${n}`, name] as const);
  const select = choice("curve", options, draw);
  if (groups.length > 0) draw("0");
  return card("What does a win cost?", [
    groups.length === 0
      ? h("p.empty", "Nothing was billed on these days.")
      : [groups.length > 1 && field("Currency", select), area],
    h(
      "p.soft",
      "The report has the average price that was paid, for each day, campaign and SSP. It does not have the prices that were bid, nor the prices of bids that lost: those are in the events of single bids, which your collector has. With shading, a campaign's box in the catalog says what it bids in a first-price auction.",
    ),
  ]);
}

/** The points of these rows, which all have bids and bills in one currency. */
function pricesPart(rows: Row[]): Child {
  if (rows.length < FEWEST_POINTS) return h("p", `${rows.map(pointText).join("; ")}.`);
  const most = largest(rows.map(({ price }) => amountOf(price)));
  const dear = rows.find(({ price }) => amountOf(price) === most);
  const highest = Math.max(...rows.map(({ bids, billed }) => billed / bids));
  const all = rows.map((row) => {
    const { price, bids, billed } = row;
    return { x: percentOf(amountOf(price), most), y: (billed / bids / highest) * 100, title: pointText(row) };
  });
  const [cpm, rate] = [dear ? priceText(dear) : "–", percentText(highest, 1)];
  const label = `${rows.length} points, one for each day and SSP: price paid from 0 to ${cpm}, billed per bid from 0 to ${rate}`;
  return [
    h("p.soft", `Billed / bids, up to ${rate}`),
    points(all, label),
    h("p.row.ends.soft", h("span", "0"), h("span", `average CPM paid, up to ${cpm}`)),
  ];
}

function priceText({ price, cur }: Row): string {
  return `${amountText(price, cur)} ${cur}`;
}

function pointText(row: Row): string {
  const { day = "", ssp = "", bids, billed } = row;
  return `${day}, ${ssp}: ${priceText(row)} paid on average, ${percentText(billed, bids)} of ${countText(bids, "bid")} billed`;
}
