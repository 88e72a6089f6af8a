//! The SSPs of a catalog, with what the catalog says about each.

import type { Entry } from "../../../src/operator/answers.ts";
import { h } from "../../dom.ts";
import { card, list, says, text } from "../../parts/blocks.ts";

/** What people call an attribute; the others are shown by their own names. */
const WORDS: Record<string, (value: unknown) => string> = {
  credentials: (value) => (value === 1 ? "must send its token" : `must send one of its ${value} tokens`),
  nbr: (value) => (value === true ? "gets the reason of a no-bid" : ""),
  gzip: (value) => (value === true ? "takes gzip" : ""),
  test: (value) => (value === true ? "only tests: nobody is billed" : ""),
};

/** The card. */
export function sspsCard(ssps: Entry[]): HTMLElement {
  const entries = ssps.map(({ id, ...rest }) => {
    const details = sentences(rest).map((sentence) => [says(sentence)]);
    return [h("strong", { class: "says" }, String(id)), list("details", details)];
  });
  return card("SSPs", [ssps.length === 0 && text("empty", "The catalog has none."), list("plain", entries)], "ssps");
}

function sentences(attributes: Entry): string[] {
  const plain = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.entries(attributes)
    .map(([name, value]) => WORDS[name]?.(value) ?? `${name}: ${plain(value)}`)
    .filter(Boolean);
}
