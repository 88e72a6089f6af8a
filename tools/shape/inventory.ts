//! The domains and apps that a recording has. The bidder compares them without case, and a domain with its subdomains,
//! which no tuple can say. So a shape only filters texts that were seen and that no campaign asks for.

import { isObject } from "../../cli/input.ts";

/** The most texts of a kind. A text beyond is as one that was never seen: it is not filtered. */
const MAX_TEXTS = 20_000;

export const SEEN = ["domain", "bundle"] as const;
export type Seen = (typeof SEEN)[number];

/** The value of all other texts in a tuple. */
export const UNSEEN = "?";

/** The texts of which it is known what the bidder makes of them. */
const PLAIN: Record<Seen, RegExp> = {
  domain: /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i,
  bundle: /^[\w.-]{1,256}$/,
};

export class Inventory {
  readonly texts: Record<Seen, Set<string>> = { domain: new Set(), bundle: new Set() };
  /** The texts by the values of campaigns that they match. */
  readonly #matching: Record<Seen, Map<string, string[]>> = { domain: new Map(), bundle: new Map() };

  /** Adds those of a request. */
  see(request: Record<string, unknown>): void {
    const channels = [request["site"], request["app"], request["dooh"]].filter(isObject);
    for (const channel of channels) for (const kind of SEEN) this.add(kind, textOf(channel[kind]));
  }

  add(kind: Seen, text: string): void {
    const texts = this.texts[kind];
    if (texts.has(text) || texts.size >= MAX_TEXTS || !PLAIN[kind].test(text)) return;
    texts.add(text);
    const names = text.toLowerCase().split(".");
    const values = kind === "bundle" ? [text.toLowerCase()] : names.map((_, at) => names.slice(at).join("."));
    for (const value of values) {
      const matching = this.#matching[kind].get(value);
      if (matching) matching.push(text);
      else this.#matching[kind].set(value, [text]);
    }
  }

  /** The values in tuples for those of a campaign; null if no text was seen, so that they cannot be told from others. */
  valuesFor(kind: Seen, values: string[]): string[] | null {
    if (this.texts[kind].size === 0) return null;
    const plain = values
      .map((value) => value.toLowerCase())
      .map((value) => (kind === "domain" ? value.replace(/^www\./, "") : value));
    return [...plain.flatMap((value) => this.#matching[kind].get(value) ?? []), UNSEEN];
  }
}

/** The text of an attribute as the bidder reads it; empty for what is no text. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
