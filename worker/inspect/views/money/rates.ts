//! How often bids win, at which price, and why they lose; and the campaigns that frequency caps hold back.

import type { ListedCampaign } from "../../../src/inspect/listed.ts";
import { lossText } from "../../../src/report/losses.ts";
import { h } from "../../dom.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped, percentText } from "../../parts/text.ts";
import { columnOf, type Row } from "./report.ts";
import { scatter } from "./scatter.ts";

/** The most reasons in one cell. */
const MOST_REASONS = 3;

/** Win rates by campaign and SSP. */
export function ratesCard(rows: Row[]): HTMLElement {
  const priceText = columnOf(rows.map(({ price }) => price));
  const columns: Column<Row>[] = [
    { title: "Campaign", of: ({ campaign }) => says(campaign || "–") },
    { title: "SSP", of: ({ ssp }) => says(ssp || "–") },
    { title: "Bids", isNumber: true, of: ({ bids }) => grouped(bids) },
    { title: "Wins", isNumber: true, of: ({ wins }) => grouped(wins) },
    { title: "Win rate", isNumber: true, of: ({ bids, wins }) => (wins > 0 ? percentText(wins, bids) : "–") },
    { title: "Billed / bids", isNumber: true, of: ({ bids, billed }) => percentText(billed, bids) },
    { title: "Paid CPM", isNumber: true, of: ({ price, cur }) => (price ? `${priceText(price)} ${cur}` : "–") },
    { title: "Lost", of: ({ losses }) => says(countsText(losses, lossText), "wide") },
    ...(rows.some(({ refused }) => Object.keys(refused).length > 0)
      ? [
          {
            title: "Notices refused",
            of: ({ refused }: Row) =>
              says(
                countsText(refused, (why) => why),
                "wide",
              ),
          },
        ]
      : []),
  ];
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "How often do we win?"),
    h(
      "p",
      { class: "soft" },
      "The win rate is wins per bid, from the SSP's notices of wins. An SSP that sends none has a dash: read Billed / bids instead. Bids are counted per impression.",
    ),
    rows.length === 0
      ? h("p", { class: "empty" }, "There was no bid on these days.")
      : table("Bids and wins by campaign and SSP", columns, rows, "npx edgebid report --by campaign,ssp"),
  );
}

function says(text: string, more = ""): HTMLElement {
  return h("span", { class: `says ${more}` }, text);
}

/** The largest counts with their names. */
function countsText(counts: Record<string, number>, nameOf: (key: string) => string): string {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const texts = sorted.slice(0, MOST_REASONS).map(([key, count]) => `${nameOf(key)} ${grouped(count)}`);
  const more = sorted.length - MOST_REASONS;
  return [...texts, ...(more > 0 ? [`${more} more reasons`] : [])].join(", ") || "–";
}

/** The price paid against the part of bids that was billed: one point for each day and SSP of a campaign. */
export function pricesCard(rows: Row[]): HTMLElement {
  const paid = rows.filter(({ bids, billed }) => bids > 0 && billed > 0);
  const names = [...new Set(paid.map(({ campaign = "", cur }) => JSON.stringify([campaign, cur])))];
  const place = h("div");
  const choice = h(
    "select",
    { id: "curve", onchange: draw },
    ...names.map((name) => h("option", { value: name }, JSON.parse(name).join(", in "))),
  );

  function draw(): void {
    const [campaign, cur] = JSON.parse(choice.value);
    place.replaceChildren(
      scatter(
        paid.filter((row) => row.campaign === campaign && row.cur === cur),
        cur,
      ),
    );
  }

  if (names.length > 0) draw();
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "What does a win cost?"),
    names.length === 0
      ? h("p", { class: "empty" }, "Nothing was billed on these days.")
      : h("div", {}, h("div", { class: "choose" }, h("label", { for: "curve" }, "Campaign"), choice), place),
    h(
      "p",
      { class: "soft" },
      "The report has the average price that was paid, for each day, campaign and SSP. It does not have the prices that were bid, nor the prices of bids that lost: those are in the events of single bids, which your collector has. With shading, a campaign's box in the catalog says what it bids in a first-price auction.",
    ),
  );
}

/** The campaigns with frequency caps, in the words of the catalog. */
export function capsCard(campaigns: ListedCampaign[]): HTMLElement {
  const sentences = ({ sections }: ListedCampaign, about: string) =>
    sections.find((section) => section.about === about)?.sentences ?? [];
  const part = (campaign: ListedCampaign, about: string) =>
    h(
      "li",
      {},
      h("strong", { class: "says" }, campaign.cid),
      h("ul", { class: "details" }, ...sentences(campaign, about).map((text) => h("li", { class: "says" }, text))),
    );
  const list = (title: string, none: string, about: string, own: ListedCampaign[]) =>
    h(
      "div",
      {},
      h("h2", {}, title),
      own.length === 0
        ? h("p", { class: "empty" }, none)
        : h("ul", { class: "plain" }, ...own.map((campaign) => part(campaign, about))),
    );
  const [capped, shaded] = [campaigns.filter(({ capped }) => capped), campaigns.filter(({ shaded }) => shaded)];
  return h(
    "section",
    { class: "card halves" },
    list("Frequency caps", "No campaign of the served catalog has frequency caps.", "is seen", capped),
    list("Shading", "No campaign of the served catalog has shading.", "pays", shaded),
  );
}
