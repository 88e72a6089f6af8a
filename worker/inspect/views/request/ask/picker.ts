//! A list of the fixtures with a search field.

import { h, put } from "../../../dom.ts";
import { countText, grouped, hasWords } from "../../../parts/text.ts";
import { EXAMPLE, type Fixture, pathOf } from "./fixtures.ts";

const KINDS = ["all", "banner", "video", "audio", "native", "deal"] as const;

/** The picker. `pick` gets the chosen fixture. `choose` marks a fixture as chosen, or none. */
export function picker(
  fixtures: Fixture[],
  pick: (fixture: Fixture) => void,
): { element: HTMLElement; choose(path: string): void } {
  const search = h("input", {
    id: "fixture-search",
    type: "search",
    placeholder: "floor, deal, consent…",
    oninput: draw,
  });
  const outcome = h(
    "select",
    { id: "fixture-outcome", onchange: draw },
    h("option", { value: "" }, "bids and no-bids"),
    h("option", { value: "bid" }, "bids"),
    h("option", { value: "no-bid" }, "no-bids"),
  );
  const media = h(
    "select",
    { id: "fixture-media", onchange: draw },
    ...KINDS.map((kind) => h("option", { value: kind === "all" ? "" : kind }, kind === "all" ? "all media" : kind)),
  );
  const others = h("input", { id: "fixture-others", type: "checkbox", onchange: draw });
  const list = h("ul", { class: "fixtures", "aria-label": "Fixtures", tabindex: 0 });
  const count = h("p", { class: "soft", role: "status" });
  let chosen = "";

  function draw(): void {
    const matching = fixtures.filter(
      (fixture) =>
        (outcome.value === "" || fixture.kind === outcome.value) &&
        (media.value === "" || fixture.media.includes(media.value)) &&
        hasWords(textOf(fixture), search.value),
    );
    const shown = matching.filter(
      (fixture) => others.checked || fixture.catalog === EXAMPLE || pathOf(fixture) === chosen,
    );
    const hidden = matching.length - shown.length;
    put(count, [
      `${countText(shown.length, "fixture")}.`,
      hidden > 0 && ` ${grouped(hidden)} more are made for other catalogs: check the box above to see them too.`,
    ]);
    put(list, shown.map(row));
  }

  function row(fixture: Fixture): HTMLElement {
    const path = pathOf(fixture);
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", "aria-pressed": path === chosen ? "true" : "false", onclick: () => pick(fixture) },
        h("span", { class: `chip ${fixture.kind === "bid" ? "good" : "bad"}` }, fixture.kind),
        h("span", { class: "name" }, fixture.name.replaceAll("-", " ")),
        h("span", { class: "soft" }, fixture.media.join(", ")),
      ),
    );
  }

  draw();
  const element = h(
    "details",
    { class: "picker" },
    h("summary", {}, "Pick a fixture"),
    h(
      "div",
      { class: "filters" },
      h("div", { class: "field grow" }, h("label", { for: search.id }, "Search names and rules"), search),
      h("div", { class: "field" }, h("label", { for: outcome.id }, "Outcome"), outcome),
      h("div", { class: "field" }, h("label", { for: media.id }, "Offers"), media),
    ),
    h(
      "p",
      {},
      others,
      " ",
      h("label", { for: others.id }, "also those that are made for other catalogs than the example"),
    ),
    list,
    count,
  );
  return {
    element,
    choose(path) {
      chosen = path;
      draw();
    },
  };
}

function textOf({ kind, name, rules, media }: Fixture): string {
  return `${kind} ${name} ${name.replaceAll("-", " ")} ${media.join(" ")} ${rules.join(" ")}`;
}
