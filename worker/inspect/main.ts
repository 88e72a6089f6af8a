//! The inspector's page: the heading with its navigation and the choice of colours, and the view that the address names
//! after its `#`.

import { tokenDialog } from "./ask.ts";
import { h, put } from "./dom.ts";
import { button, choice, named } from "./parts/blocks.ts";
import * as catalog from "./views/catalog/index.ts";
import * as live from "./views/live/index.ts";
import * as money from "./views/money/index.ts";
import * as request from "./views/request/index.ts";
import * as versions from "./views/versions/index.ts";

/** Fills the element with a view. The signal aborts when another view is shown. */
type Mount = (root: HTMLElement, left: AbortSignal) => void;

const FIRST = { name: "request", title: "Request", ...request };
/** The views. The hash begins with a name: `#money`, and `#request?ssp=demo` with a state of its own. */
const VIEWS: { name: string; title: string; mount: Mount }[] = [
  FIRST,
  { name: "catalog", title: "Catalog", ...catalog },
  { name: "money", title: "Money", ...money },
  { name: "versions", title: "Versions", ...versions },
  { name: "live", title: "Live", ...live },
];

/** Where the browser keeps the chosen colour scheme. */
const SCHEME = "edgebid-color-scheme";

const links = VIEWS.map(({ name, title }) => h("a", { href: `#${name}` }, title));
const main = h("main", { tabindex: -1 });
let leaving = new AbortController();

/** Shows the view of the hash. Each view itself handles changes of the hash after its name. */
function show(): void {
  const [, inHash] = /^#([^?]*)/.exec(location.hash) ?? [];
  const { name, title, mount } = VIEWS.find((view) => view.name === inHash) ?? FIRST;
  if (name === main.className) return;
  leaving.abort();
  leaving = new AbortController();
  for (const link of links) link.ariaCurrent = link.hash === `#${name}` ? "page" : null;
  document.title = `${title} – edgebid inspector`;
  put(main);
  main.className = name;
  mount(main, leaving.signal);
}

/** Shows the view again, with the new token. */
function showAgain(): void {
  main.className = "";
  show();
}

/** The switch between light, dark and the system's preference. Applies the stored choice. */
function themeSwitch(): HTMLElement {
  const apply = (scheme: string) => {
    localStorage.setItem(SCHEME, scheme);
    document.documentElement.style.colorScheme = scheme;
  };
  const select = choice("theme", [["light dark", "system"], ...named(["light", "dark"])], apply);
  select.value = localStorage.getItem(SCHEME) ?? "light dark";
  apply(select.value);
  return h("label", "Theme ", select);
}

const skip = button("Skip to the content", () => main.focus(), "skip");
const brand = h("p", h("strong", "edgebid"), " inspector");
const header = h("header.row", brand, h("nav", { "aria-label": "Views" }, links), themeSwitch());
put(document.body, skip, header, main, tokenDialog(showAgain));
addEventListener("hashchange", show);
show();
