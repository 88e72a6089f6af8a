//! The privacy verdict with what each signal said, and the work of the decision.

import { h } from "../../../dom.ts";
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

const WORK: Record<string, string> = {
  read: "Read the request",
  gate: "Check it as a whole",
  match: "Match campaigns",
  write: "Write the answer",
};

/** The card of the work: counts, as the meter takes them, because a decision has no clock; null if the report has none. */
export function workCard({ work }: Report): HTMLElement | null {
  if (work === undefined) return null;
  const { limit, ...parts } = work;
  const most = Math.max(1, limit ?? 0, ...Object.values(parts));
  return h(
    "section",
    { class: "card", "aria-labelledby": "work-title" },
    h("h2", { id: "work-title" }, "Work"),
    h(
      "ul",
      { class: "work" },
      ...Object.entries(parts).map(([part, count]) =>
        h(
          "li",
          {},
          h("span", {}, WORK[part] ?? part),
          h("meter", { min: 0, max: most, value: count, "aria-label": WORK[part] ?? part }),
          h("span", { class: "mono" }, count.toLocaleString("en")),
        ),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      limit === undefined ? "" : `A decision stops at ${limit.toLocaleString("en")} units of work.`,
    ),
  );
}
