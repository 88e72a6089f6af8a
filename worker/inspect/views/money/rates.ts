//! How often bids win, at which price, and why they lose; and the campaigns that frequency caps hold back.

import type { ListedCampaign } from "../../../src/operator/answers.ts";
import { h } from "../../dom.ts";
import { card, choice, list, says, text } from "../../parts/blocks.ts";
import { table } from "../../parts/table.ts";
import { columnsOf } from "./columns.ts";
import type { Row } from "./report.ts";
import { scatter } from "./scatter.ts";

/** Win rates by campaign and SSP. */
export function ratesCard(rows: Row[]): HTMLElement {
  const { campaign, ssp, bids, wins, winRate, billedRate, paid, lost, refused } = columnsOf(rows);
  const isRefused = rows.some(({ refused }) => Object.keys(refused).length > 0);
  const columns = [campaign, ssp, bids, wins, winRate, billedRate, paid, lost, ...(isRefused ? [refused] : [])];
  const caption = "Bids and wins by campaign and SSP";
  return card("How often do we win?", [
    text(
      "soft",
      "The win rate is wins per bid, from the SSP's notices of wins. An SSP that sends none has a dash: read Billed / bids instead. Bids are counted per impression.",
    ),
    rows.length === 0
      ? text("empty", "There was no bid on these days.")
      : table(caption, columns, rows, "npx edgebid report --by campaign,ssp"),
  ]);
}

/** The price paid against the part of bids that was billed: one point for each day and SSP of a campaign. */
export function pricesCard(rows: Row[]): HTMLElement {
  const paid = rows.filter(({ bids, billed }) => bids > 0 && billed > 0);
  const names = [...new Set(paid.map(({ campaign = "", cur }) => JSON.stringify([campaign, cur])))];
  const place = h("div");
  const options = names.map((name) => [name, JSON.parse(name).join(", in ")] as const);
  const select = choice("curve", options, draw);

  function draw(name: string): void {
    const [campaign, cur] = JSON.parse(name);
    const own = paid.filter((row) => row.campaign === campaign && row.cur === cur);
    place.replaceChildren(scatter(own, cur));
  }

  if (names[0] !== undefined) draw(names[0]);
  const label = h("label", { for: "curve" }, "Campaign");
  return card("What does a win cost?", [
    names.length === 0
      ? text("empty", "Nothing was billed on these days.")
      : h("div", {}, h("div", { class: "choose" }, label, select), place),
    text(
      "soft",
      "The report has the average price that was paid, for each day, campaign and SSP. It does not have the prices that were bid, nor the prices of bids that lost: those are in the events of single bids, which your collector has. With shading, a campaign's box in the catalog says what it bids in a first-price auction.",
    ),
  ]);
}

/** The campaigns with frequency caps or shading, in the words of the catalog. */
export function capsCard(campaigns: ListedCampaign[]): HTMLElement {
  const part = (title: string, about: string, own: ListedCampaign[]) => {
    const entries = own.map(({ cid, sections }) => {
      const sentences = sections.find((section) => section.about === about)?.sentences ?? [];
      const details = sentences.map((sentence) => [says(sentence)]);
      return [h("strong", { class: "says" }, cid), list("details", details)];
    });
    const none = text("empty", `No campaign of the served catalog has ${title.toLowerCase()}.`);
    return h("div", {}, h("h2", {}, title), own.length === 0 ? none : list("plain", entries));
  };
  const capped = campaigns.filter((campaign) => campaign.capped);
  const shaded = campaigns.filter((campaign) => campaign.shaded);
  const parts = [part("Frequency caps", "is seen", capped), part("Shading", "pays", shaded)];
  return h("section", { class: "card halves" }, ...parts);
}
