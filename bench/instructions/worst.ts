//! The cost of deciding on hostile requests, as a multiple of the mean cost of a request of the mix
//! (`requests/mix.ts`). The cost of reading is not included: the instructions with an empty catalog are subtracted.

import type { Document } from "../catalogs/generate.ts";
import { mix } from "../requests/mix.ts";
import { countingModule, Decisions } from "./count.ts";
import type { Hostile } from "./hostile.ts";

/** A request and its cost. */
export interface Cost {
  name: string;
  bytes: number;
  instructions: number;
  /** The cost divided by the mean cost of a request of the mix. */
  share: number;
}

/** The catalog to decide with. */
export interface Setup {
  campaigns: number;
  /** Maximum size of an answer in bytes, if the SSP has one. */
  maxResponseBytes?: number;
}

/** The costs in each setup, highest first. */
export function costs(setups: readonly Setup[], requests: readonly Hostile[]): { setup: Setup; costs: Cost[] }[] {
  const wasm = countingModule();
  const none = new Decisions(wasm, 0);
  const reading = requests.map(({ text }) => none.mean([text]));
  return setups.map((setup) => {
    const decisions = new Decisions(wasm, setup.campaigns, (catalog) => limited(catalog, setup));
    const mean = decisions.mean(mix());
    const all = requests.map(({ name, text }, at) => {
      const instructions = decisions.mean([text]) - (reading[at] ?? 0);
      return { name, bytes: text.length, instructions, share: instructions / mean };
    });
    return { setup, costs: all.sort((a, b) => b.share - a.share) };
  });
}

function limited(catalog: Document, { maxResponseBytes }: Setup): Document {
  if (maxResponseBytes === undefined) return catalog;
  return { ...catalog, ssps: catalog.ssps.map((ssp) => ({ ...ssp, max_response_bytes: maxResponseBytes })) };
}
