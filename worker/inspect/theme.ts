//! The switch between light, dark and what the system prefers. The choice is kept in the browser.

import { h } from "./dom.ts";

const KEY = "edgebid-theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Applies the kept choice, and returns the switch. */
export function themeSwitch(): HTMLElement {
  const kept = localStorage.getItem(KEY);
  const now = THEMES.find((theme) => theme === kept) ?? "system";
  apply(now);
  const select = h(
    "select",
    { id: "theme", onchange: () => choose(select.value as Theme) },
    ...THEMES.map((theme) => h("option", { value: theme, selected: theme === now }, theme)),
  );
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
