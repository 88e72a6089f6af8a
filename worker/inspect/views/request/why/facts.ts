//! The privacy verdict with what each signal said, and the work of the decision.

import { h } from "../../../dom.ts";
import { card, chip, code, list, quiet, text } from "../../../parts/blocks.ts";
import { countText } from "../../../parts/text.ts";
import type { Report } from "../report.ts";

const VERDICTS: Record<string, { text: string; tone: string }> = {
  none: { text: "No bid is allowed.", tone: "bad" },
  contextual: { text: "A bid is allowed, but without data about the person.", tone: "warn" },
  "personal, no precise location": {
    text: "Data about the person may be used, but no precise location.",
    tone: "warn",
  },
  personal: { text: "Data about the person may be used.", tone: "good" },
};

/** The card of the privacy verdict. `mark` shows paths in the request. */
export function privacyCard({ privacy, privacy_by, signals }: Report, mark: (paths: string[]) => void): HTMLElement {
  const verdict = VERDICTS[privacy] ?? { text: "", tone: "" };
  const entries = (signals ?? []).map(({ signal, said, means, at = [] }) => {
    const paths = [at].flat();
    const name = paths.length > 0 ? quiet(signal, () => mark(paths)) : h("strong", {}, signal);
    return [name, code(said), h("span", {}, means)];
  });
  return card("Privacy", [
    h("p", {}, chip(privacy, verdict.tone), " ", verdict.text),
    privacy_by && text("soft", `Because of ${privacy_by}`),
    signals?.length === 0 && text("soft", "The request has no privacy signal."),
    entries.length > 0 && list("signals", entries),
  ]);
}

/** The parts of the work, each with its unit. */
const WORK: [key: string, name: string, unit: string][] = [
  ["read", "Reads the request", "byte"],
  ["gate", "Checks it as a whole", "impression"],
  ["examined", "Checks possible bids", "possible bid"],
  ["match", "Matches campaigns", "unit"],
  ["write", "Writes the answer", "byte"],
];

/**
 * The work that the decision takes in the bidder. These are counts, because a decision has no clock. Null if the report has
 * none.
 */
export function workPart({ work }: Report): HTMLElement | null {
  if (work === undefined) return null;
  const { limit, match } = work;
  const entries = WORK.flatMap(([key, name, unit]) => {
    const count = work[key];
    return count === undefined ? [] : [[h("span", {}, name), h("strong", {}, countText(count, unit))]];
  });
  const parts = [list("work", entries)];
  if (limit !== undefined && match !== undefined) {
    const meter = h("meter", { min: 0, max: limit, value: match, "aria-label": "Work of matching, of its limit" });
    parts.push(text("soft", meter, `Matching stops at ${countText(limit, "unit")}.`));
  }
  return h("div", {}, ...parts);
}
