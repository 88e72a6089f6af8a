//! The view `#catalog`: the campaigns of a version in words, with their creatives, and the SSPs.

import type { Stopped } from "../../../src/catalog/stopped.ts";
import type { Listed } from "../../../src/operator/answers.ts";
import { ask } from "../../ask.ts";
import { type Child, h, put } from "../../dom.ts";
import { choice, field, type Option, offer, text } from "../../parts/blocks.ts";
import { afterPause, fill } from "../../parts/loading.ts";
import { countText, grouped } from "../../parts/text.ts";
import { type Versions, versionOptions } from "../../parts/versions.ts";
import { campaignItem } from "./campaign.ts";
import { matcher } from "./search.ts";
import { sspsCard } from "./ssps.ts";

/** Milliseconds after the last key until the search runs. */
const PAUSE_MS = 150;

/** The most campaigns that are drawn at once. A search finds the others. */
const MOST = 200;

const SERVED: Option = ["", "the one that is served"];

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const version = choice("catalog-version", [SERVED], load);
  const search = h("input", { id: "search", type: "search", autocomplete: "off", oninput: () => later(PAUSE_MS) });
  const said = h("p", { class: "soft", role: "status" });
  const campaigns = h("div", { class: "campaign-list" });
  const ssps = h("div");
  let known: Listed | undefined;
  let stopped: Stopped | null = null;
  const later = afterPause(left, () => {
    if (known === undefined) return;
    if (known.more > 0 || known.campaigns.length < known.all) load();
    else put(campaigns, shown(known));
  });

  /** Asks for the campaigns. Only a catalog that is too long for one answer is searched by the Worker. */
  function load(): void {
    fill(campaigns, left, async (signal) => {
      const query = new URLSearchParams();
      if (version.value) query.set("version", version.value);
      if (known !== undefined && known.all > known.campaigns.length) query.set("cid", search.value.trim());
      known = await ask<Listed>(`/inspect/api/catalog?${query}`, { signal });
      put(ssps, [sspsCard(known.ssps)]);
      return shown(known);
    });
  }

  function shown(listed: Listed): Child[] {
    const isWhole = listed.campaigns.length === listed.all;
    const words = search.value.trim();
    const found = isWhole ? listed.campaigns.filter(matcher(words)) : listed.campaigns;
    const drawn = found.slice(0, MOST);
    const more = found.length - drawn.length + listed.more;
    const all = countText(listed.all, "campaign");
    put(said, [
      words === "" ? all : `${grouped(found.length + listed.more)} of ${all}`,
      more > 0 && `; ${grouped(more)} more are not shown: search for ${isWhole ? "them" : "the beginning of an id"}`,
    ]);
    const creatives = new Map(listed.creatives.map((creative) => [String(creative["crid"]), creative]));
    if (drawn.length === 0)
      return [text("empty", words === "" ? "The catalog has no campaigns." : "No campaign says that.")];
    return drawn.map((campaign) => {
      const isStopped = stopped?.all === true || stopped?.cids?.includes(campaign.cid) === true;
      return campaignItem(campaign, { creatives, isStopped, isOpen: drawn.length === 1 });
    });
  }

  root.append(
    h("h1", {}, "Catalog"),
    h(
      "div",
      { class: "choose" },
      field("Search ids, names, and everything below", search, "grow"),
      field("Version", version),
    ),
    said,
    h("div", { class: "cards beside" }, campaigns, ssps),
  );
  fill(h("div"), left, async (signal) => {
    const versions = await ask<Versions>("/inspect/api/versions", { signal });
    offer(version, [SERVED, ...versionOptions(versions).filter(([name]) => name !== versions.served)]);
    ({ stopped } = versions);
    if (known !== undefined) put(campaigns, shown(known));
    return [];
  });
  load();
}
