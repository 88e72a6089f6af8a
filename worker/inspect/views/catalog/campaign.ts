//! A campaign as a box that opens: what it does in sentences, and its creatives.

import type { Entry, ListedCampaign, Section } from "../../../src/inspect/listed.ts";
import { type Child, h } from "../../dom.ts";
import { command, quoted, where } from "../../parts/command.ts";
import { creativePart } from "./creative.ts";

/** What the box needs besides the campaign. */
interface Around {
  /** The creatives by their ids. */
  creatives: Map<string, Entry>;
  /** Whether an operator has stopped it. */
  isStopped: boolean;
  /** Whether the box is open at first. */
  isOpen: boolean;
}

/** The box. What is inside is drawn when it opens. */
export function campaignItem(campaign: ListedCampaign, { creatives, isStopped, isOpen }: Around): HTMLElement {
  const { cid, name } = campaign;
  const box = h(
    "details",
    { class: "card campaign", open: isOpen },
    h(
      "summary",
      {},
      h("strong", { class: "says" }, cid),
      " ",
      name && h("span", { class: "soft says" }, `${name} `),
      h("span", { class: "chips" }, isStopped && h("span", { class: "chip bad" }, "stopped"), ...chips(campaign)),
      h("span", { class: "brief says" }, brief(campaign.sections)),
    ),
  );
  const draw = () => {
    if (box.open && box.childElementCount === 1) box.append(body(campaign, creatives));
  };
  box.addEventListener("toggle", draw);
  draw();
  return box;
}

function chips({ paused, capped, shaded, budget_of, template }: ListedCampaign): Child[] {
  const chip = (text: string, kind = "") => h("span", { class: `chip ${kind} says` }, text);
  return [
    paused && chip("paused", "warn"),
    capped && chip("frequency caps"),
    shaded && chip("shading"),
    budget_of !== undefined && chip(`order ${budget_of}`),
    template !== undefined && chip(`template ${template}`),
  ];
}

/** The sentence on the price. */
function brief(sections: Section[]): string {
  return sections.find(({ about }) => about === "pays")?.sentences[0] ?? "";
}

function body({ cid, sections, creatives: crids }: ListedCampaign, creatives: Map<string, Entry>): HTMLElement {
  return h(
    "div",
    {},
    h(
      "dl",
      { class: "sections" },
      ...sections.flatMap(({ about, sentences }) => [
        h("dt", {}, about),
        h("dd", {}, ...sentences.map((sentence) => h("p", {}, sentence))),
      ]),
    ),
    h("h3", {}, "Creatives"),
    crids.length === 0 ? h("p", { class: "empty" }, "It has none.") : null,
    h(
      "div",
      { class: "creatives" },
      ...crids.map((crid) => {
        const creative = creatives.get(crid);
        return creative ? creativePart(creative) : h("p", { class: "empty" }, `${crid} is not in this answer.`);
      }),
    ),
    command(`npx edgebid catalog explain ${quoted(cid)} ${where()}`, "The same in a terminal."),
  );
}
