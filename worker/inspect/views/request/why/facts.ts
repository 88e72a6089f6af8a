//! The privacy verdict with what each signal said, and the work of the decision.

import { h } from "../../../dom.ts";
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
  const { text, tone } = VERDICTS[privacy] ?? { text: "", tone: "" };
  return h(
    "section",
    { class: "card", "aria-labelledby": "privacy-title" },
    h("h2", { id: "privacy-title" }, "Privacy"),
    h("p", {}, h("span", { class: `chip ${tone}` }, privacy), " ", text),
    privacy_by ? h("p", { class: "soft" }, `Because of ${privacy_by}`) : null,
    signals === undefined || signals.length === 0
      ? h("p", { class: "soft" }, signals ? "The request has no privacy signal." : "")
      : h(
          "ul",
          { class: "signals" },
          ...signals.map(({ signal, said, means, at }) => {
            const paths = at === undefined ? [] : [at].flat();
            return h(
              "li",
              {},
              paths.length > 0
                ? h("button", { type: "button", class: "quiet", onclick: () => mark(paths) }, signal)
                : h("strong", {}, signal),
              h("code", {}, said),
              h("span", {}, means),
            );
          }),
        ),
  );
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
  return h(
    "div",
    {},
    h(
      "ul",
      { class: "work" },
      ...WORK.flatMap(([key, name, unit]) => {
        const count = work[key];
        return count === undefined ? [] : [h("li", {}, h("span", {}, name), h("strong", {}, countText(count, unit)))];
      }),
    ),
    limit !== undefined && match !== undefined
      ? h(
          "p",
          { class: "soft" },
          h("meter", { min: 0, max: limit, value: match, "aria-label": "Work of matching, of its limit" }),
          `Matching stops at ${countText(limit, "unit")}.`,
        )
      : null,
  );
}
