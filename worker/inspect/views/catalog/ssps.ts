//! The SSPs of a catalog, with what the catalog says about each.

import type { Entry } from "../../../src/inspect/listed.ts";
import { h } from "../../dom.ts";

/** What people call an attribute; the others are shown by their own names. */
const WORDS: Record<string, (value: unknown) => string> = {
  credentials: (value) => (value === 1 ? "must send its token" : `must send one of its ${value} tokens`),
  nbr: (value) => (value === true ? "gets the reason of a no-bid" : ""),
  gzip: (value) => (value === true ? "takes gzip" : ""),
  test: (value) => (value === true ? "only tests: nobody is billed" : ""),
};

/** The card. */
export function sspsCard(ssps: Entry[]): HTMLElement {
  return h(
    "section",
    { class: "card ssps" },
    h("h2", {}, "SSPs"),
    ssps.length === 0 ? h("p", { class: "empty" }, "The catalog has none.") : null,
    h(
      "ul",
      { class: "plain" },
      ...ssps.map(({ id, ...rest }) =>
        h(
          "li",
          {},
          h("strong", { class: "says" }, String(id)),
          h("ul", { class: "details" }, ...sentences(rest).map((sentence) => h("li", { class: "says" }, sentence))),
        ),
      ),
    ),
  );
}

function sentences(attributes: Entry): string[] {
  return Object.entries(attributes)
    .map(
      ([name, value]) =>
        WORDS[name]?.(value) ?? `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    )
    .filter(Boolean);
}
