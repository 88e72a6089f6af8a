//! How often bids win, at which price, and why they lose, also in a split; and the campaigns that frequency caps hold
//! back.

import type { ListedCampaign } from "../../../src/operator/answers.ts";
import { comparisonsOf, comparisonText } from "../../../src/report/comparison.ts";
import { type Child, h, put } from "../../dom.ts";
import { card, choice, field, list, outline } from "../../parts/blocks.ts";
import { largest, percentOf, points } from "../../parts/chart.ts";
import { table } from "../../parts/table.ts";
import { countText, percentText } from "../../parts/text.ts";
import { columnsOf, lengthOf, type Row } from "./report.ts";

/** If there are fewer points, they are described in words. */
const FEWEST_POINTS = 3;

/** Win rates by campaign and SSP. */
export function ratesCard(rows: Row[]): HTMLElement {
  const { campaign, ssp, bids, wins, winRate, billedRate, paid, lost, refused } = columnsOf(rows);
  const isRefused = rows.some(({ refused }) => Object.keys(refused).length > 0);
  const columns = [campaign, ssp, bids, wins, winRate, billedRate, paid, lost, ...(isRefused ? [refused] : [])];
  const shown = table("Bids and wins by campaign and SSP", columns);
  return card("How often do we win?", [
    h(
      "p.soft",
      "The win rate is wins per bid, from the SSP's notices of wins. An SSP that sends none has a dash: read Billed / bids instead. Bids are counted per impression.",
    ),
    rows.length === 0
      ? h("p.empty", "There was no bid on these days.")
      : shown.show(rows, "npx edgebid report --by campaign,ssp"),
  ]);
}

/** The versions of a split by their rows, and what the rows by hour show; nothing without a split. */
export function splitCard(rows: Row[], byHour: Row[]): Child {
  if (byHour.length === 0) return null;
  const { version, bids, wins, billed, winRate, billedRate, paid, spend } = columnsOf(rows);
  const shown = table("Bids and wins by version", [version, bids, wins, billed, winRate, billedRate, paid, spend]);
  const comparisons = comparisonsOf(byHour).map((comparison) => h("p", comparisonText(comparison)));
  return card("Which version of the split is better?", [
    comparisons,
    shown.show(rows, "npx edgebid report --by version"),
  ]);
}

/** The price paid against the part of bids that was billed: one point for each day and SSP of a campaign. */
export function pricesCard(rows: Row[]): HTMLElement {
  const paid = rows.filter(({ bids, billed }) => bids > 0 && billed > 0);
  const groups = [...Map.groupBy(paid, ({ campaign = "", cur }) => `${campaign}, in ${cur}`)];
  const place = h("div");
  const draw = (n: string) => put(place, pricesPart(groups[Number(n)]?.[1] ?? []));
  const options = groups.map(([name], n) => [`${n}`, name] as const);
  const select = choice("curve", options, draw);
  if (groups.length > 0) draw("0");
  return card("What does a win cost?", [
    groups.length === 0 ? h("p.empty", "Nothing was billed on these days.") : [field("Campaign", select), place],
    h(
      "p.soft",
      "The report has the average price that was paid, for each day, campaign and SSP. It does not have the prices that were bid, nor the prices of bids that lost: those are in the events of single bids, which your collector has. With shading, a campaign's box in the catalog says what it bids in a first-price auction.",
    ),
  ]);
}

/** The points of these rows, which all have bids and bills in one currency. */
function pricesPart(rows: Row[]): Child {
  if (rows.length < FEWEST_POINTS) return h("p", `${rows.map(pointText).join("; ")}.`);
  const most = largest(rows.map(({ price }) => lengthOf(price)));
  const dear = rows.find(({ price }) => lengthOf(price) === most);
  const highest = Math.max(...rows.map(({ bids, billed }) => billed / bids));
  const all = rows.map((row) => {
    const { price, bids, billed } = row;
    return { x: percentOf(lengthOf(price), most), y: (billed / bids / highest) * 100, title: pointText(row) };
  });
  const [cpm, rate] = [`${dear?.price} ${dear?.cur}`, percentText(highest, 1)];
  const label = `${rows.length} points, one for each day and SSP: price paid from 0 to ${cpm}, billed per bid from 0 to ${rate}`;
  return [
    h("p.soft", `Billed / bids, up to ${rate}`),
    points(all, label),
    h("p.row.ends.soft", h("span", "0"), h("span", `average CPM paid, up to ${cpm}`)),
  ];
}

function pointText({ day = "", ssp = "", price, cur, bids, billed }: Row): string {
  return `${day}, ${ssp}: ${price} ${cur} paid on average, ${percentText(billed, bids)} of ${countText(bids, "bid")} billed`;
}

/** The campaigns with frequency caps or shading, in the words of the catalog. */
export function capsCard(campaigns: ListedCampaign[]): HTMLElement {
  const part = (title: string, about: string, own: ListedCampaign[]) => {
    const entries = own.map(({ cid, sections }) => {
      return outline(cid, sections.find((section) => section.about === about)?.sentences ?? []);
    });
    const none = h("p.empty", `No campaign of the served catalog has ${title.toLowerCase()}.`);
    return h("div", h("h2", title), own.length === 0 ? none : list("stack", entries));
  };
  const capped = campaigns.filter((campaign) => campaign.capped);
  const shaded = campaigns.filter((campaign) => campaign.shaded);
  return h("section.card.grid", part("Frequency caps", "is seen", capped), part("Shading", "pays", shaded));
}
