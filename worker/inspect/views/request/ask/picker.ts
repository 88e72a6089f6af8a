//! A list of the fixtures with a search field. The meanings of no-bid reasons come with the fixtures.

import { ask } from "../../../ask.ts";
import { h, put } from "../../../dom.ts";
import { chip, choice, field, list, named } from "../../../parts/blocks.ts";
import { countText, grouped, hasWords } from "../../../parts/text.ts";

/** A request whose decision the project's tests fix. */
export interface Fixture {
  name: string;
  kind: "bid" | "no-bid";
  /** What it offers: `banner`, `video`, `audio`, `native`, `deal`. */
  media: string[];
  ssp: string;
  /** The catalog that its decision is for; null if no file holds it as it is. */
  catalog: string | null;
  /** The rules that it shows. */
  rules: string[];
  body: string;
}

/** The catalog that `npm start` serves. */
export const EXAMPLE = "fixtures/catalog.json";

const MEDIA = ["banner", "video", "audio", "native", "deal"];

let loading: Promise<{ fixtures: Fixture[]; reasons: Record<string, string> }> | undefined;

/** Everything that comes with the page. It is asked for once. */
export function shipped(): NonNullable<typeof loading> {
  loading ??= ask<Awaited<NonNullable<typeof loading>>>("/inspect/fixtures.json").catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export function pathOf({ kind, name }: Fixture): string {
  return `${kind}/${name}`;
}

/** A name as words. */
export function titleOf({ name }: Fixture): string {
  return name.replaceAll("-", " ");
}

/** The picker. `pick` gets the chosen fixture. `choose` marks a fixture as chosen, or none. */
export function picker(fixtures: Fixture[], pick: (fixture: Fixture) => void) {
  const search = h("input", { id: "fixture-search", type: "search", placeholder: "floor, deal…", oninput: draw });
  const outcome = choice(
    "fixture-outcome",
    [
      ["", "bids and no-bids"],
      ["bid", "bids"],
      ["no-bid", "no-bids"],
    ],
    draw,
  );
  const media = choice("fixture-media", [["", "all media"], ...named(MEDIA)], draw);
  const others = h("input", { id: "fixture-others", type: "checkbox", onchange: draw });
  const rows = h("div.fixtures", { role: "region", "aria-label": "Fixtures", tabindex: 0 });
  const count = h("p.soft", { role: "status" });
  let chosen = "";

  function draw(): void {
    const isWanted = (fixture: Fixture) =>
      (outcome.value === "" || fixture.kind === outcome.value) &&
      (media.value === "" || fixture.media.includes(media.value)) &&
      hasWords(textOf(fixture), search.value);
    const isShown = (one: Fixture) => others.checked || one.catalog === EXAMPLE || pathOf(one) === chosen;
    const matching = fixtures.filter(isWanted);
    const shown = matching.filter(isShown);
    const hidden = matching.length - shown.length;
    put(
      count,
      `${countText(shown.length, "fixture")}.`,
      hidden > 0 && ` ${grouped(hidden)} more are made for other catalogs: check the box above to see them too.`,
    );
    put(rows, list("plain", shown.map(row)));
  }

  function row(fixture: Fixture): HTMLElement {
    const { kind, media } = fixture;
    return h(
      "button",
      { type: "button", "aria-pressed": String(pathOf(fixture) === chosen), onclick: () => pick(fixture) },
      chip(kind, kind === "bid" ? "good" : "bad"),
      h("span.name", titleOf(fixture)),
      h("span.soft", media.join(", ")),
    );
  }

  function choose(path: string): void {
    chosen = path;
    draw();
  }

  draw();
  const fields = [field("Search names and rules", search, "grow"), field("Outcome", outcome), field("Offers", media)];
  const label = h("label", { for: others.id }, "also those that are made for other catalogs than the example");
  const summary = h("summary", "Pick a fixture");
  const element = h("details.picker", summary, h("div.row", fields), h("p", others, " ", label), rows, count);
  return { element, choose };
}

function textOf(fixture: Fixture): string {
  const { kind, name, rules, media } = fixture;
  return [kind, name, titleOf(fixture), ...media, ...rules].join(" ");
}
