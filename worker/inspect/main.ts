//! The inspector's page: the heading with its navigation and the choice of colours, and the view that the address names
//! after its `#`.

import { tokenDialog } from "./ask.ts";
import { h, put } from "./dom.ts";
import { choice, named } from "./parts/blocks.ts";
import * as catalog from "./views/catalog/index.ts";
import * as live from "./views/live/index.ts";
import * as money from "./views/money/index.ts";
import * as request from "./views/request/index.ts";
import * as versions from "./views/versions/index.ts";

/** Fills the element with a view. The signal says that another view is shown. */
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

/** Where the browser keeps the chosen theme. */
const THEME = "edgebid-theme";

const links = VIEWS.map(({ name, title }) => h("a", { href: `#${name}` }, title));
const main = h("main", { id: "main", tabindex: -1 });
let leaving = new AbortController();

/** Shows the view of the hash. A view itself looks after changes behind its own name. */
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

/** The switch between light, dark and what the system prefers. Applies the kept choice. */
function themeSwitch(): HTMLElement {
  const select = choice("theme", named(["system", "light", "dark"]), (theme) => {
    localStorage.setItem(THEME, theme);
    document.documentElement.dataset["theme"] = theme;
  });
  select.value = document.documentElement.dataset["theme"] = localStorage.getItem(THEME) ?? "system";
  return h("label", "Theme ", select);
}

/** Goes to the content without a change of the hash, which names the view. */
function skip(event: Event): void {
  event.preventDefault();
  main.focus();
}

document.body.replaceChildren(
  h("a.skip", { href: "#main", onclick: skip }, "Skip to the content"),
  h(
    "header.row",
    h("p", h("strong", "edgebid"), " inspector"),
    h("nav", { "aria-label": "Views" }, links),
    themeSwitch(),
  ),
  main,
  // A new token shows the view once more.
  tokenDialog(() => {
    main.className = "";
    show();
  }),
);
addEventListener("hashchange", show);
show();
