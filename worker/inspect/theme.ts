//! The switch between light, dark and what the system prefers. The choice is kept in the browser.

import { h } from "./dom.ts";
import { choice } from "./parts/blocks.ts";

const KEY = "edgebid-theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Applies the kept choice, and returns the switch. */
export function themeSwitch(): HTMLElement {
  const kept = localStorage.getItem(KEY);
  const now = THEMES.find((theme) => theme === kept) ?? "system";
  apply(now);
  const options = THEMES.map((theme) => [theme, theme] as const);
  const select = choice("theme", options, (theme) => choose(theme as Theme));
  select.value = now;
  return h("label", { class: "theme" }, "Theme ", select);
}

function choose(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  apply(theme);
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
