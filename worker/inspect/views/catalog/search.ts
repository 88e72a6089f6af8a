//! Searches campaigns by words.

import type { ListedCampaign } from "../../../src/operator/answers.ts";
import { hasWords } from "../../parts/text.ts";

/** Whether everything that is told of a campaign has all these words. */
export function matcher(words: string): (campaign: ListedCampaign) => boolean {
  return (campaign) => hasWords(textOf(campaign), words);
}

function textOf(campaign: ListedCampaign): string {
  const { cid, name = "", template = "", budget_of = "", sections, creatives } = campaign;
  const marks = [campaign.paused && "paused", campaign.capped && "frequency caps", campaign.shaded && "shading"];
  const sentences = sections.flatMap(({ about, sentences }) => [about, ...sentences]);
  return [cid, name, template, budget_of, ...marks, ...sentences, ...creatives].join("\n");
}
