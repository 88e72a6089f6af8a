//! The view `#catalog`: the campaigns of a version in words, with their creatives, and the SSPs.

import type { Stopped } from "../../../src/catalog/stopped.ts";
import type { Entry, Listed } from "../../../src/operator/answers.ts";
import { ask } from "../../ask.ts";
import { type Child, h, put } from "../../dom.ts";
import { card, choice, field, list, type Option, offer, outline } from "../../parts/blocks.ts";
import { afterPause, fill } from "../../parts/loading.ts";
import { countText, grouped } from "../../parts/text.ts";
import { type Versions, versionOptions } from "../../parts/versions.ts";
import { campaignItem, matcher } from "./campaign.ts";

/** Milliseconds after the last key until the search runs. */
const PAUSE_MS = 150;

/** A whole catalog is searched in its sentences, a longer one in its document. */
const NONE_SAYS = "No campaign says that.";
const NONE_HAS = "No campaign has all these words in the catalog's document.";

/** The most campaigns that are drawn at once. A search finds the others. */
const MOST = 200;

const SERVED: Option = ["", "the one that is served"];

/** How people read some attributes of an SSP. Other attributes are shown with their names in the catalog. */
const WORDS: Record<string, (value: unknown) => string> = {
  credentials: (value) => (value === 1 ? "must send its token" : `must send one of its ${value} tokens`),
  nbr: (value) => (value === true ? "gets the reason of a no-bid" : ""),
  gzip: (value) => (value === true ? "takes gzip" : ""),
  test: (value) => (value === true ? "only tests: nobody is billed" : ""),
};

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const version = choice("catalog-version", [SERVED], load);
  const search = h("input", { id: "search", type: "search", autocomplete: "off", oninput: () => later(PAUSE_MS) });
  const found = h("p.soft", { role: "status" });
  const [campaigns, ssps] = [h("div.stack"), h("div")];
  let known: Listed | undefined;
  let stopped: Stopped | null = null;
  const isWhole = () => known === undefined || known.campaigns.length === known.all;
  const later = afterPause(left, () => {
    if (known === undefined) return;
    if (isWhole()) put(campaigns, shown(known));
    else load();
  });

  /** Loads the campaigns. If a catalog is too long for one answer, the Worker searches it; otherwise the page does. */
  function load(): void {
    void fill(campaigns, left, async (signal) => {
      const query = new URLSearchParams(version.value && { version: version.value });
      if (!isWhole()) query.set("words", search.value.trim());
      known = await ask<Listed>(`/inspect/api/catalog?${query}`, { signal });
      put(ssps, sspsCard(known.ssps));
      return shown(known);
    });
  }

  function shown(listed: Listed): Child {
    const words = search.value.trim();
    const matching = isWhole() ? listed.campaigns.filter(matcher(words)) : listed.campaigns;
    const drawn = matching.slice(0, MOST);
    const more = matching.length - drawn.length + listed.more;
    const all = countText(listed.all, "campaign");
    put(
      found,
      words === "" ? all : `${grouped(matching.length + listed.more)} of ${all}`,
      more > 0 && `; ${grouped(more)} more are not shown: search for them`,
    );
    const creatives = new Map(listed.creatives.map((creative) => [String(creative["crid"]), creative]));
    if (drawn.length === 0)
      return h("p.empty", words === "" ? "The catalog has no campaigns." : isWhole() ? NONE_SAYS : NONE_HAS);
    return drawn.map((campaign) => {
      const isStopped = stopped?.all === true || stopped?.cids?.includes(campaign.cid) === true;
      return campaignItem(campaign, creatives, { isStopped, isOpen: drawn.length === 1 });
    });
  }

  root.append(
    h("h1", "Catalog"),
    h("div.row", field("Search ids, names, and everything below", search, "grow"), field("Version", version)),
    found,
    h("div.split.aside", campaigns, ssps),
  );
  void fill(h("div"), left, async (signal) => {
    const versions = await ask<Versions>("/inspect/api/versions", { signal });
    offer(version, [SERVED, ...versionOptions(versions).filter(([name]) => name !== versions.served)]);
    ({ stopped } = versions);
    if (known !== undefined) put(campaigns, shown(known));
    return null;
  });
  load();
}

/** The SSPs, with what the catalog says about each. */
function sspsCard(ssps: Entry[]): HTMLElement {
  const valueText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const entries = ssps.map(({ id, ...rest }) => {
    const details = Object.entries(rest).map(([name, value]) => WORDS[name]?.(value) ?? `${name}: ${valueText(value)}`);
    return outline(String(id), details.filter(Boolean));
  });
  return card("SSPs", [ssps.length === 0 && h("p.empty", "The catalog has none."), list("stack", entries)]);
}
