//! The differences between two versions.

import type { Change } from "../../../src/operator/diff.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { card, chip, choice, list, says, text } from "../../parts/blocks.ts";
import { fill } from "../../parts/loading.ts";
import { countText } from "../../parts/text.ts";
import { type Versions, versionOptions } from "../../parts/versions.ts";

interface Diff {
  changes: Change[];
  /** Changes that are not listed. */
  more: number;
}

const NOUNS: Record<Change["list"], string> = {
  ...{ campaigns: "Campaign", templates: "Template", creatives: "Creative", lists: "List", orders: "Order" },
  ...{ ssps: "SSP", rates: "Rate", settings: "Setting" },
};
const CHIPS = { added: "good", removed: "bad", changed: "warn" } as const;

/** The most campaigns that are named beside a creative or a template. */
const MOST_CAMPAIGNS = 5;

/** The card. */
export function compareCard(all: Versions, left: AbortSignal): HTMLElement {
  const title = "What has changed?";
  const options = versionOptions(all);
  if (options.length < 2) return card(title, [text("empty", "With a second push, the differences are shown here.")]);
  // With a second version, the question is what it would change; otherwise, what the last push has changed.
  const [old, now] = all.second ? [all.served, all.second.version] : [all.previous, all.served];
  const result = h("div", { class: "changes", role: "status" });
  const [from, to] = [choice("from", options, compare), choice("to", options, compare)];
  from.ariaLabel = "Old version";
  to.ariaLabel = "New version";
  from.value = old ?? options[1]?.[0] ?? "";
  to.value = now ?? options[0]?.[0] ?? "";

  function compare(): void {
    fill(result, left, async (signal) => {
      const query = new URLSearchParams({ old: from.value, new: to.value });
      return shown(await ask<Diff>(`/inspect/api/diff?${query}`, { signal }));
    });
  }

  compare();
  const label = (id: string, text: string) => h("label", { for: id }, text);
  return card(title, [h("div", { class: "choose" }, label("from", "From"), from, label("to", "to"), to), result]);
}

function shown({ changes, more }: Diff): Child[] {
  if (changes.length === 0) return [text("empty", "Nothing: both versions say the same.")];
  const counts = Object.keys(CHIPS).flatMap((change) => {
    const number = changes.filter((one) => one.change === change).length;
    return number > 0 ? [`${number} ${change}`] : [];
  });
  return [
    text("soft", `${countText(changes.length + more, "difference")}: ${counts.join(", ")}`),
    list("plain", changes.map(changeItem)),
    more > 0 && text("soft", `${more} more: npx edgebid catalog diff shows them all.`),
  ];
}

function changeItem({ list: kind, id, change, details, campaigns = [] }: Change): Child[] {
  const named = campaigns.slice(0, MOST_CAMPAIGNS).join(", ");
  const more = campaigns.length > MOST_CAMPAIGNS ? ` and ${campaigns.length - MOST_CAMPAIGNS} more` : "";
  return [
    chip(change, CHIPS[change]),
    " ",
    h("span", { class: "soft" }, NOUNS[kind]),
    " ",
    h("strong", { class: "says" }, id),
    campaigns.length > 0 && h("span", { class: "soft" }, ` used by ${named}${more}`),
    list(
      "details",
      details.map((detail) => [says(detail)]),
    ),
  ];
}
