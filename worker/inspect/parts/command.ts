//! Commands for a terminal, each with a button that copies it. The page itself changes nothing.

import { type Child, h, put } from "../dom.ts";
import { button, scrolling } from "./blocks.ts";

/** Milliseconds until the button shows its usual text again. */
const SAID_MS = 2000;

/** The command, and its effect in words. */
export function command(text: string, does: string): HTMLElement {
  const copy = button("Copy", () => {
    // Without permission to write the clipboard, a person can still copy the text by hand.
    navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Select it"),
    );
  });
  copy.ariaLabel = `Copy: ${does}`;

  function say(result: string): void {
    put(copy, result);
    setTimeout(() => put(copy, "Copy"), SAID_MS);
  }

  // A line breaks between words, not after the hyphens of an option.
  const words = text.split(" ").map((word, n) => [n > 0 && " ", h("span", word)]);
  return h("div", h("p.soft", does), h("div.row", h("pre", scrolling(`Command: ${does}`), words), copy));
}

/** The commands beside each other. Missing ones are left out. */
export function commands(all: (readonly [text: string, does: string] | false | null | undefined)[]): Child {
  const shown = all.map((one) => one && command(...one));
  return h("div.grid.commands", shown);
}

/** The options that name a bidder's KV, of which `kv` in its answers tells that of `npm start`. */
export function where(kv: string | null): string {
  return kv ?? "--remote";
}
