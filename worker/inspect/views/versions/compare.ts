//! The differences between two versions.

import type { Change } from "../../../src/inspect/diff.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { fill } from "../../parts/loading.ts";
import { countText, timeText } from "../../parts/text.ts";
import type { Versions } from "./index.ts";

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

/** The card, and what ends its questions. */
export function compareCard({ versions, served, previous, second }: Versions): { card: HTMLElement; end(): void } {
  const names = versions.map(({ version }) => version);
  // With a second version, the question is what it would change; otherwise, what the last push has changed.
  const [old, now] = second ? [served, second.version] : [previous, served];
  const result = h("div", { class: "changes", role: "status" });
  let end = () => {};

  function choice(id: string, label: string, chosen: string | null): HTMLSelectElement {
    const options = versions.map(({ version, pushed, note }) =>
      h(
        "option",
        { value: version, selected: version === chosen },
        [version, pushed && timeText(pushed), note].filter(Boolean).join(" · "),
      ),
    );
    return h("select", { id, "aria-label": label, onchange: compare }, ...options);
  }

  const from = choice("from", "Old version", old ?? names[1] ?? null);
  const to = choice("to", "New version", now ?? names[0] ?? null);

  function compare(): void {
    end();
    end = fill(result, async (signal) => {
      const query = new URLSearchParams({ old: from.value, new: to.value });
      return shown(await ask<Diff>(`/inspect/api/diff?${query}`, { signal }));
    });
  }

  if (names.length > 1) compare();
  const card = h(
    "section",
    { class: "card" },
    h("h2", {}, "What has changed?"),
    names.length > 1
      ? h(
          "div",
          {},
          h("div", { class: "choose" }, h("label", { for: "from" }, "From"), from, h("label", { for: "to" }, "to"), to),
          result,
        )
      : h("p", { class: "empty" }, "With a second push, the differences are shown here."),
  );
  return { card, end: () => end() };
}

function shown({ changes, more }: Diff): Child[] {
  if (changes.length === 0) return [h("p", { class: "empty" }, "Nothing: both versions say the same.")];
  const counts = (["added", "removed", "changed"] as const).flatMap((change) => {
    const number = changes.filter((one) => one.change === change).length;
    return number > 0 ? [`${number} ${change}`] : [];
  });
  return [
    h("p", { class: "soft" }, `${countText(changes.length + more, "difference")}: ${counts.join(", ")}`),
    h("ul", { class: "plain" }, ...changes.map(changeItem)),
    more > 0 ? h("p", { class: "soft" }, `${more} more: npx edgebid catalog diff shows them all.`) : null,
  ];
}

function changeItem({ list, id, change, details, campaigns = [] }: Change): HTMLElement {
  const named = campaigns.slice(0, MOST_CAMPAIGNS).join(", ");
  const more = campaigns.length > MOST_CAMPAIGNS ? ` and ${campaigns.length - MOST_CAMPAIGNS} more` : "";
  return h(
    "li",
    {},
    h("span", { class: `chip ${CHIPS[change]}` }, change),
    " ",
    h("span", { class: "soft" }, NOUNS[list]),
    " ",
    h("strong", { class: "says" }, id),
    campaigns.length > 0 && h("span", { class: "soft" }, ` used by ${named}${more}`),
    h("ul", { class: "details" }, ...details.map((detail) => h("li", { class: "says" }, detail))),
  );
}
