//! The inspector's page: the heading with its navigation, and the view that the address names after its `#`.

import { h, put } from "./dom.ts";
import { themeSwitch } from "./theme.ts";
import { tokenDialog } from "./token.ts";
import * as catalog from "./views/catalog/index.ts";
import * as live from "./views/live/index.ts";
import * as money from "./views/money/index.ts";
import * as request from "./views/request/index.ts";
import * as versions from "./views/versions/index.ts";

/** Fills the element with the view. The signal says that another view is shown. */
export type Mount = (root: HTMLElement, left: AbortSignal) => void;

/** The views by the beginning of the hash: `#money`, and `#request?ssp=demo` with a state of its own. */
const VIEWS: Record<string, { title: string; mount: Mount }> = {
  request: { title: "Request", mount: request.mount },
  catalog: { title: "Catalog", mount: catalog.mount },
  money: { title: "Money", mount: money.mount },
  versions: { title: "Versions", mount: versions.mount },
  live: { title: "Live", mount: live.mount },
};

const FIRST = "request";

const links = new Map(
  Object.entries(VIEWS).map(([name, { title }]) => [name, h("a", { href: `#${name}` }, title)] as const),
);
const main = h("main", { id: "main", tabindex: -1 });
let shown = "";
let leaving = new AbortController();

/** The name of the view in the hash. */
function named(): string {
  const name = location.hash.slice(1).split("?")[0] ?? "";
  return name in VIEWS ? name : FIRST;
}

/** Shows the view of the hash. A view looks itself after changes behind its own name. */
function show(): void {
  const name = named();
  const view = VIEWS[name];
  if (name === shown || view === undefined) return;
  leaving.abort();
  leaving = new AbortController();
  shown = name;
  for (const [link, element] of links) {
    if (link === name) element.setAttribute("aria-current", "page");
    else element.removeAttribute("aria-current");
  }
  document.title = `${view.title} – edgebid inspector`;
  put(main, []);
  main.className = name;
  view.mount(main, leaving.signal);
}

/** Shows the view once more, with the token that the Worker wanted. */
function again(): void {
  shown = "";
  show();
}

document.body.replaceChildren(
  h("a", { href: "#main", class: "skip", onclick: skip }, "Skip to the content"),
  h(
    "header",
    {},
    h("p", { class: "brand" }, h("strong", {}, "edgebid"), " inspector"),
    h("nav", { "aria-label": "Views" }, ...links.values()),
    themeSwitch(),
  ),
  main,
  tokenDialog(again),
);
addEventListener("hashchange", show);
show();

/** Goes to the content without a change of the hash, which names the view. */
function skip(event: Event): void {
  event.preventDefault();
  main.focus();
}
