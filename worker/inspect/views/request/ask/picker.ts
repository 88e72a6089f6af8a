//! A list of the fixtures with a search field.

import { h, put } from "../../../dom.ts";
import { chip, choice, field, type Option } from "../../../parts/blocks.ts";
import { countText, grouped, hasWords } from "../../../parts/text.ts";
import { EXAMPLE, type Fixture, pathOf } from "./fixtures.ts";

const KINDS = ["banner", "video", "audio", "native", "deal"];
const MEDIA: Option[] = [["", "all media"], ...KINDS.map((kind) => [kind, kind] as const)];
const OUTCOMES: Option[] = [
  ["", "bids and no-bids"],
  ["bid", "bids"],
  ["no-bid", "no-bids"],
];

/** The picker. `pick` gets the chosen fixture. `choose` marks a fixture as chosen, or none. */
export function picker(
  fixtures: Fixture[],
  pick: (fixture: Fixture) => void,
): { element: HTMLElement; choose(path: string): void } {
  const search = h("input", {
    ...{ id: "fixture-search", type: "search", placeholder: "floor, deal, consent…", oninput: draw },
  });
  const outcome = choice("fixture-outcome", OUTCOMES, draw);
  const media = choice("fixture-media", MEDIA, draw);
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
        chip(fixture.kind, fixture.kind === "bid" ? "good" : "bad"),
        h("span", { class: "name" }, fixture.name.replaceAll("-", " ")),
        h("span", { class: "soft" }, fixture.media.join(", ")),
      ),
    );
  }

  draw();
  const fields = [field("Search names and rules", search, "grow"), field("Outcome", outcome), field("Offers", media)];
  const label = h("label", { for: others.id }, "also those that are made for other catalogs than the example");
  const element = h(
    "details",
    { class: "picker" },
    h("summary", {}, "Pick a fixture"),
    h("div", { class: "choose" }, ...fields),
    h("p", {}, others, " ", label),
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
