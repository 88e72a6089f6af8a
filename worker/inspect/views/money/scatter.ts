//! Points on two axes: the price that was paid, and the part of bids that was billed.

import { h, s } from "../../dom.ts";
import { countText, percentText } from "../../parts/text.ts";
import { lengthOf, type Row } from "./report.ts";

const [WIDTH, HEIGHT] = [480, 200];
/** Room for the point at the edge. */
const EDGE = 8;
/** Fewer points are told in words. */
const FEWEST = 3;

/** The points of these rows, which all have bids and bills in `cur`. */
export function scatter(rows: Row[], cur: string): HTMLElement {
  if (rows.length < FEWEST) return h("p", {}, `${rows.map((row) => pointText(row, cur)).join("; ")}.`);
  const most = rows.reduce((most, { price }) => (lengthOf(price) > most ? lengthOf(price) : most), 1n);
  const rates = rows.map(({ bids, billed }) => billed / bids);
  const highest = Math.max(...rates, Number.MIN_VALUE);
  const points = rows.map((row, at) => {
    const x = EDGE + (Number((lengthOf(row.price) * 1000n) / most) / 1000) * (WIDTH - 2 * EDGE);
    const y = HEIGHT - EDGE - ((rates[at] ?? 0) / highest) * (HEIGHT - 2 * EDGE);
    return s("circle", { cx: x, cy: y, r: 5, class: "point" }, s("title", {}, pointText(row, cur)));
  });
  const top = rows.find((_, at) => rates[at] === highest);
  const dear = rows.find(({ price }) => lengthOf(price) === most);
  const label = `${rows.length} points, one for each day and SSP: price paid from 0 to ${dear?.price} ${cur}, billed per bid from 0 to ${top ? percentText(top.billed, top.bids) : "0"}`;
  return h(
    "div",
    { class: "scatter" },
    h("p", { class: "soft" }, `Billed / bids, up to ${top ? percentText(top.billed, top.bids) : "0 %"}`),
    s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      s("line", { x1: EDGE, y1: EDGE, x2: EDGE, y2: HEIGHT - EDGE, class: "axis" }),
      s("line", { x1: EDGE, y1: HEIGHT - EDGE, x2: WIDTH - EDGE, y2: HEIGHT - EDGE, class: "axis" }),
      ...points,
    ),
    h("p", { class: "ends soft" }, h("span", {}, "0"), h("span", {}, `average CPM paid, up to ${dear?.price} ${cur}`)),
  );
}

function pointText({ day = "", ssp = "", price, bids, billed }: Row, cur: string): string {
  return `${day}, ${ssp}: ${price} ${cur} paid on average, ${percentText(billed, bids)} of ${countText(bids, "bid")} billed`;
}
