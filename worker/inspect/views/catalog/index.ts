//! The view `#catalog`: the campaigns of a version in words, with their creatives, and the SSPs.

import type { Stopped } from "../../../../shared/catalog/stopped.ts";
import type { Entry } from "../../../../shared/compare/entry.ts";
import type { Listed } from "../../../../shared/operator/answers.ts";
import { ask } from "../../ask.ts";
import { type Child, h, put } from "../../dom.ts";
import { follow, keep, kept, parametersOf } from "../../parts/address.ts";
import { button, card, choice, detailList, field, list, type Option, offer } from "../../parts/blocks.ts";
import { afterPause, fill } from "../../parts/loading.ts";
import { countText, grouped } from "../../parts/text.ts";
import { type Versions, versionOptions } from "../../parts/versions.ts";
import { campaignItem } from "./campaign.ts";
import { reachCard } from "./reach.ts";

/** Milliseconds after the last key until the search runs. */
const PAUSE_MS = 250;

const NONE = "No campaign has all these words, in the catalog's document or in its template.";

const SERVED: Option = ["", "the one that is served"];

/** How people read some attributes of an SSP. Other attributes are shown with their names in the catalog. */
const WORDS: Record<string, (value: unknown) => string> = {
  credentials: (value) => (value === 1 ? "must send its token" : `must send one of its ${value} tokens`),
  nbr: (value) => (value === true ? "gets the reason of a no-bid" : ""),
  gzip: (value) => (value === true ? "takes gzip" : ""),
  test: (value) => (value === true ? "only tests: nobody is billed" : ""),
};

/**
 * Shows the view. The address keeps the version, the words of the search, or the one campaign that is shown, with the
 * figures of its forecast if it has them.
 */
export function mount(root: HTMLElement, left: AbortSignal): void {
  follow(root, left, content);
}

function content(left: AbortSignal): Child {
  const state = kept("catalog");
  const [campaign, reach] = [state.get("campaign") ?? "", state.get("reach") ?? ""];
  const version = choice("catalog-version", [SERVED], () => load(0));
  const search = h("input", { id: "search", type: "search", autocomplete: "off", oninput: () => later(PAUSE_MS) });
  search.value = state.get("words") ?? "";
  offer(version, [SERVED], state.get("version") ?? "");
  const found = h("p.soft", { role: "status" });
  const [campaigns, ssps] = [h("div.stack"), h("div")];
  const later = afterPause(left, () => load(0));
  let [known, stopped]: [Listed | undefined, Stopped | null] = [undefined, null];
  let from = 0;

  /** Loads the campaigns from this number on. The Worker searches, because a catalog may be too long for the page. */
  function load(at: number): void {
    from = at;
    const asked = { version: version.value, words: search.value.trim(), campaign };
    keep("catalog", { ...asked, reach });
    void fill(campaigns, left, async (signal) => {
      known = await ask<Listed>(`/inspect/api/catalog?${parametersOf({ ...asked, from })}`, { signal });
      put(ssps, sspsCard(known.ssps));
      return shown(known);
    });
  }

  function shown({ kv, campaigns, creatives, found: matching, all }: Listed): Child {
    const everything = countText(all, "campaign");
    const last = from + campaigns.length;
    put(
      found,
      campaigns.length < matching && `${grouped(from + 1)}–${grouped(last)} of `,
      matching < all ? `${grouped(matching)} of ${everything}` : everything,
    );
    if (campaigns.length === 0) return h("p.empty", all === 0 ? "The catalog has no campaigns." : NONE);
    const byId = new Map(creatives.map((creative) => [String(creative["crid"]), creative]));
    const [before, after] = [
      button("Previous", () => load(Math.max(0, from - campaigns.length))),
      button("Next", () => load(last)),
    ];
    [before.disabled, after.disabled] = [from === 0, last >= matching];
    return [
      campaigns.map((one) => {
        const isStopped = stopped?.all === true || stopped?.cids?.includes(one.cid) === true;
        return campaignItem(one, byId, { isStopped, isOpen: matching === 1, kv });
      }),
      (from > 0 || last < matching) && h("div.row", before, after),
    ];
  }

  void fill(h("div"), left, async (signal) => {
    const versions = await ask<Versions>("/inspect/api/versions", { signal });
    offer(version, [SERVED, ...versionOptions(versions).filter(([name]) => name !== versions.served)]);
    ({ stopped } = versions);
    if (known !== undefined) put(campaigns, shown(known));
    return null;
  });
  load(0);
  const fields = h("div.row", field("Search all words of the catalog", search, "grow"), field("Version", version));
  const one = h("p", h("a", { href: "#catalog" }, "All campaigns"));
  return [
    h("h1", "Catalog"),
    campaign === "" ? fields : one,
    found,
    reach !== "" && reachCard(reach),
    h("div.split.aside", campaigns, ssps),
  ];
}

/** The SSPs, with what the catalog says about each. */
function sspsCard(ssps: Entry[]): HTMLElement {
  const valueText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const entries = ssps.map(({ id, ...rest }) => {
    const details = Object.entries(rest).map(([name, value]) => WORDS[name]?.(value) ?? `${name}: ${valueText(value)}`);
    return [h("strong.says", String(id)), detailList(details.filter(Boolean))];
  });
  return card("SSPs", [ssps.length === 0 && h("p.empty", "The catalog has none."), list("stack", entries)]);
}
