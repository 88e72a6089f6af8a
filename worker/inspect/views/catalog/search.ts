//! Searches campaigns by words.

import type { ListedCampaign } from "../../../src/inspect/listed.ts";

/** Whether everything that is told of a campaign has all these words, in any order, as whole words or as parts. */
export function matcher(words: string): (campaign: ListedCampaign) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (campaign) => {
    const text = textOf(campaign);
    return wanted.every((word) => text.includes(word));
  };
}

function textOf(campaign: ListedCampaign): string {
  const { cid, name = "", template = "", budget_of = "", sections, creatives } = campaign;
  const marks = [campaign.paused && "paused", campaign.capped && "frequency caps", campaign.shaded && "shading"];
  const sentences = sections.flatMap(({ about, sentences }) => [about, ...sentences]);
  return [cid, name, template, budget_of, ...marks, ...sentences, ...creatives].join("\n").toLowerCase();
}
