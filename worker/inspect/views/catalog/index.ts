//! The view `#catalog`: the campaigns of a version in words, with their creatives, and the SSPs.

import type { Stopped } from "../../../src/catalog/stopped.ts";
import type { Listed } from "../../../src/inspect/listed.ts";
import { ask } from "../../ask.ts";
import { type Child, h, put } from "../../dom.ts";
import { fill } from "../../parts/loading.ts";
import { countText, grouped, timeText } from "../../parts/text.ts";
import type { Versions } from "../versions/index.ts";
import { campaignItem } from "./campaign.ts";
import { matcher } from "./search.ts";
import { sspsCard } from "./ssps.ts";

/** Milliseconds after the last key until the search runs. */
const PAUSE_MS = 150;

/** The most campaigns that are drawn at once. A search finds the others. */
const MOST = 200;

/** Shows the view. */
export function mount(root: HTMLElement): () => void {
  const version = h("select", { id: "catalog-version", onchange: load });
  const search = h("input", { id: "search", type: "search", autocomplete: "off", oninput: later });
  const said = h("p", { class: "soft", role: "status" });
  const list = h("div", { class: "campaign-list" });
  const ssps = h("div");
  let known: Listed | undefined;
  let stopped: Stopped | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endList = () => {};
  const endVersions = fill(h("div"), async (signal) => {
    const versions = await ask<Versions>("/inspect/api/versions", { signal });
    put(version, options(versions));
    ({ stopped } = versions);
    if (known !== undefined) put(list, shown(known));
    return [];
  });

  /** Asks for the campaigns. Only a catalog that is too long for one answer is searched by the Worker. */
  function load(): void {
    endList();
    endList = fill(list, async (signal) => {
      const query = new URLSearchParams();
      if (version.value) query.set("version", version.value);
      if (known !== undefined && known.all > known.campaigns.length) query.set("cid", search.value.trim());
      known = await ask<Listed>(`/inspect/api/catalog?${query}`, { signal });
      put(ssps, [sspsCard(known.ssps)]);
      return shown(known);
    });
  }

  function later(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (known === undefined) return;
      if (known.more > 0 || known.campaigns.length < known.all) load();
      else put(list, shown(known));
    }, PAUSE_MS);
  }

  function shown(listed: Listed): Child[] {
    const isWhole = listed.campaigns.length === listed.all;
    const words = search.value.trim();
    const found = isWhole ? listed.campaigns.filter(matcher(words)) : listed.campaigns;
    const drawn = found.slice(0, MOST);
    const left = found.length - drawn.length + listed.more;
    put(said, [
      words === ""
        ? countText(listed.all, "campaign")
        : `${grouped(found.length + listed.more)} of ${countText(listed.all, "campaign")}`,
      left > 0 && `; ${grouped(left)} more are not shown: search for ${isWhole ? "them" : "the beginning of an id"}`,
    ]);
    const creatives = new Map(listed.creatives.map((creative) => [String(creative["crid"]), creative]));
    const only = drawn.length === 1;
    if (drawn.length === 0)
      return [h("p", { class: "empty" }, words === "" ? "The catalog has no campaigns." : "No campaign says that.")];
    const isStopped = (cid: string) =>
      stopped !== null && (stopped.all === true || stopped.cids?.includes(cid) === true);
    return drawn.map((campaign) =>
      campaignItem(campaign, { creatives, isStopped: isStopped(campaign.cid), isOpen: only }),
    );
  }

  root.append(
    h("h1", {}, "Catalog"),
    h(
      "div",
      { class: "choose" },
      h(
        "div",
        { class: "field grow" },
        h("label", { for: "search" }, "Search ids, names, and everything below"),
        search,
      ),
      h("div", { class: "field" }, h("label", { for: "catalog-version" }, "Version"), version),
    ),
    said,
    h("div", { class: "cards beside" }, list, ssps),
  );
  put(version, [h("option", { value: "" }, "the one that is served")]);
  load();
  return () => {
    clearTimeout(timer);
    endVersions();
    endList();
  };
}

function options({ versions, served, second, previous }: Versions): HTMLElement[] {
  const roles = (version: string) => [
    ...(version === second?.version ? ["second"] : []),
    ...(version === previous ? ["previous"] : []),
  ];
  return [
    h("option", { value: "" }, "the one that is served"),
    ...versions
      .filter(({ version }) => version !== served)
      .map(({ version, pushed, note }) =>
        h(
          "option",
          { value: version },
          [version, ...roles(version), pushed && timeText(pushed), note].filter(Boolean).join(" · "),
        ),
      ),
  ];
}
