//! A campaign as a box that opens: what it does in sentences, and its creatives.

import type { Entry } from "../../../../shared/compare/entry.ts";
import { quoted } from "../../../../shared/compare/text.ts";
import type { ListedCampaign } from "../../../../shared/operator/answers.ts";
import { type Child, h } from "../../dom.ts";
import { addressOf } from "../../parts/address.ts";
import { chip, facts, opening } from "../../parts/blocks.ts";
import { commands, where } from "../../parts/command.ts";
import { creativePart } from "./creative.ts";

/** The box. `creatives` are those of the catalog by their ids. */
export function campaignItem(
  campaign: ListedCampaign,
  creatives: Map<string, Entry>,
  { isStopped, isOpen, kv }: { isStopped: boolean; isOpen: boolean; kv: string | null },
): HTMLElement {
  const { cid, name, sections, paused, capped, shaded, budget_of, template } = campaign;
  const price = sections.find(({ about }) => about === "pays")?.sentences[0] ?? "";
  const chips = [
    isStopped && chip("stopped", "bad"),
    paused && chip("paused", "warn.says"),
    capped && chip("frequency caps", "says"),
    shaded && chip("shading", "says"),
    budget_of !== undefined && chip(`order ${budget_of}`, "says"),
    template !== undefined && chip(`template ${template}`, "says"),
  ];
  const title = [h("strong.says", cid), " ", name && h("span.says.soft", `${name} `)];
  const summary = [title, h("span.chips", chips), h("p.says.soft", price)];
  return opening("card.campaign", summary, () => inside(campaign, creatives, kv), isOpen);
}

function inside(
  { cid, sections, creatives: crids }: ListedCampaign,
  creatives: Map<string, Entry>,
  kv: string | null,
): Child {
  const parts = crids.map((crid) => {
    const creative = creatives.get(crid);
    return creative ? creativePart(creative) : h("p.empty", `${crid} is not in this answer.`);
  });
  const own = { campaign: cid };
  return [
    h(
      "p",
      h("a", { href: addressOf("money", own) }, "What it bought"),
      " · ",
      h("a", { href: addressOf("catalog", own) }, "Link to it"),
    ),
    facts(sections.map(({ about, sentences }) => [about, sentences.map((sentence) => h("p", sentence))])),
    h("h2", "Creatives"),
    crids.length === 0 ? h("p.empty", "It has none.") : parts,
    commands([
      [`npx edgebid catalog explain ${quoted(cid)} ${where(kv)}`, "The same in a terminal."],
      [`npx edgebid forecast ${quoted(cid)} --recording kept.ndjson.gz`, "What it can buy, and a link to its picture."],
    ]),
  ];
}
