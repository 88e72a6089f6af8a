//! The differences between two versions.

import type { Change } from "../../../../shared/compare/diff.ts";
import { type Plan, planText } from "../../../../shared/compare/plan.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { card, chip, choice, detailList, field } from "../../parts/blocks.ts";
import { fill } from "../../parts/loading.ts";
import { type Column, table } from "../../parts/table.ts";
import { countText, firstOf } from "../../parts/text.ts";
import { type Versions, versionOptions } from "../../parts/versions.ts";

interface Diff {
  changes: Change[];
  /** Changes that are not listed. */
  more: number;
  plan: Plan;
}

const NOUNS: Record<Change["list"], string> = {
  ...{ campaigns: "Campaign", templates: "Template", creatives: "Creative", lists: "List", orders: "Order" },
  ...{ ssps: "SSP", rates: "Rate", settings: "Setting" },
};
const CHIPS = { added: "good", removed: "bad", changed: "warn" };

/** The most campaigns that are named beside a creative or a template. */
const MOST_CAMPAIGNS = 5;

/** The card. */
export function compareCard(all: Versions, left: AbortSignal): HTMLElement {
  const title = "What has changed?";
  const options = versionOptions(all);
  if (options.length < 2) return card(title, [h("p.empty", "With a second push, the differences are shown here.")]);
  // With a second version, compares what it would change; otherwise, what the last push or rollback has changed.
  const [old, now] = all.second ? [all.served, all.second.version] : [all.left ?? all.previous, all.served];
  const result = h("div.changes", { role: "status" });
  const [from, to] = [choice("from", options, compare), choice("to", options, compare)];
  from.value = old ?? options.find(([version]) => version !== all.served)?.[0] ?? "";
  to.value = now ?? options[0]?.[0] ?? "";

  function compare(): void {
    void fill(result, left, async (signal) => {
      const query = new URLSearchParams({ old: from.value, new: to.value });
      return shown(await ask<Diff>(`/inspect/api/diff?${query}`, { signal }));
    });
  }

  compare();
  return card(title, [h("div.row", field("Old version", from), field("New version", to)), result]);
}

function shown({ changes, more, plan: differences }: Diff): Child {
  if (changes.length === 0) return h("p.empty", "Nothing: both versions say the same.");
  const kinds = Object.entries(Object.groupBy(changes, ({ change }) => change));
  const counts = kinds.map(([change, own]) => `${own.length} ${change}`).join(", ");
  const plan = planText(differences).map((line) => h(line.startsWith("!") ? "li.note" : "li", line));
  return [
    plan.length > 0 && h("ul.stack", { "aria-label": "The plan of the push" }, plan),
    h("p.soft", `${countText(changes.length + more, "difference")}: ${counts}`),
    table("Differences", COLUMNS).show(changes),
    more > 0 && h("p.soft", `${more} more: npx edgebid catalog diff shows them all.`),
  ];
}

const COLUMNS: Column<Change>[] = [
  { title: "Id", of: ({ id }) => h("strong.says", id) },
  { title: "What", value: ({ list: kind }) => NOUNS[kind] },
  { title: "Change", value: ({ change }) => change, of: ({ change }) => chip(change, CHIPS[change]) },
  {
    title: "Details",
    value: ({ details }) => details.join("\n"),
    of: ({ details, campaigns = [] }) => [
      detailList(details),
      campaigns.length > 0 && h("span.soft", `used by ${firstOf(campaigns, MOST_CAMPAIGNS, "")}`),
    ],
  },
];
