//! A campaign as a box that opens: what it does in sentences, and its creatives.

import type { Entry, ListedCampaign } from "../../../src/operator/answers.ts";
import { type Child, h } from "../../dom.ts";
import { chip, facts, opening, says, text } from "../../parts/blocks.ts";
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

/** The box. */
export function campaignItem(campaign: ListedCampaign, { creatives, isStopped, isOpen }: Around): HTMLElement {
  const { cid, name, sections, paused, capped, shaded, budget_of, template } = campaign;
  const price = sections.find(({ about }) => about === "pays")?.sentences[0] ?? "";
  const chips = [
    isStopped && chip("stopped", "bad"),
    paused && chip("paused", "warn says"),
    capped && chip("frequency caps", "says"),
    shaded && chip("shading", "says"),
    budget_of !== undefined && chip(`order ${budget_of}`, "says"),
    template !== undefined && chip(`template ${template}`, "says"),
  ];
  const summary = [
    h("strong", { class: "says" }, cid),
    " ",
    name && says(`${name} `, "soft"),
    h("span", { class: "chips" }, ...chips),
    says(price, "brief"),
  ];
  return opening("card campaign", summary, () => inside(campaign, creatives), isOpen);
}

function inside({ cid, sections, creatives: crids }: ListedCampaign, creatives: Map<string, Entry>): Child[] {
  const parts = crids.map((crid) => {
    const creative = creatives.get(crid);
    return creative ? creativePart(creative) : text("empty", `${crid} is not in this answer.`);
  });
  return [
    facts(
      sections.map(({ about, sentences }) => [about, ...sentences.map((sentence) => h("p", {}, sentence))]),
      "sections",
    ),
    h("h3", {}, "Creatives"),
    crids.length === 0 && text("empty", "It has none."),
    h("div", { class: "creatives" }, ...parts),
    command(`npx edgebid catalog explain ${quoted(cid)} ${where()}`, "The same in a terminal."),
  ];
}
