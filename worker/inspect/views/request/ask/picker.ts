//! A list of the fixtures with a search field. The meanings of no-bid reasons come with the fixtures.

import { ask } from "../../../ask.ts";
import { h, put } from "../../../dom.ts";
import { choice, field, named, type Option, offer } from "../../../parts/blocks.ts";
import { countText, grouped, hasWords } from "../../../parts/text.ts";

/** A request with a decision that the project's tests check. */
export interface Fixture {
  /** `bid/NAME` or `no-bid/NAME`. */
  path: string;
  /** The offers of the request: `banner`, `video`, `audio`, `native`, `deal`. */
  media: string[];
  /** The catalog of its decision; null if no file holds exactly this catalog. */
  catalog: string | null;
  /** The rules that it shows. */
  rules: string[];
  body: string;
}

/** The catalog that `npm start` serves. */
export const EXAMPLE = "fixtures/catalog.json";

/** Fixtures that are visible without scrolling. */
const SHOWN = 8;
const MEDIA = ["banner", "video", "audio", "native", "deal"];

interface Shipped {
  fixtures: Fixture[];
  /** The meanings of no-bid reasons. */
  reasons: Record<string, string>;
}

let loading: Promise<Shipped> | undefined;

/** The data that comes with the page. It is loaded once. */
export function shipped(): Promise<Shipped> {
  loading ??= ask<Shipped>("/inspect/fixtures.json").catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The name as words. */
export function titleOf({ path }: Fixture): string {
  return path.replace(/.*\//, "").replaceAll("-", " ");
}

/** The picker. `pick` gets the chosen fixture. `choose` marks a fixture as chosen, or none. */
export function picker(fixtures: Fixture[], pick: (fixture: Fixture) => void) {
  const search = h("input", { id: "fixture-search", type: "search", placeholder: "floor, deal…", oninput: draw });
  const outcome = choice("fixture-outcome", [["", "bids and no-bids"], ...named(["bid", "no-bid"])], draw);
  const media = choice("fixture-media", [["", "all media"], ...named(MEDIA)], draw);
  const others = h("input", { id: "fixture-others", type: "checkbox", onchange: draw });
  const all = choice("fixtures", [], picked);
  // A click on the chosen fixture undoes edits.
  all.addEventListener("click", picked);
  all.size = SHOWN;
  const count = h("p.soft", { role: "status" });
  let chosen = "";

  function draw(): void {
    const isWanted = (fixture: Fixture) =>
      (outcome.value === "" || fixture.path.startsWith(`${outcome.value}/`)) &&
      (media.value === "" || fixture.media.includes(media.value)) &&
      hasWords(textOf(fixture), search.value);
    const isShown = (one: Fixture) => others.checked || one.catalog === EXAMPLE || one.path === chosen;
    const matching = fixtures.filter(isWanted);
    const shown = matching.filter(isShown);
    const hidden = matching.length - shown.length;
    put(
      count,
      `${countText(shown.length, "fixture")}.`,
      hidden > 0 && ` ${grouped(hidden)} more are made for other catalogs: check the box above to see them too.`,
    );
    const options = shown.map((one): Option => {
      const [kind] = one.path.split("/");
      return [one.path, `${titleOf(one)} (${[kind, ...one.media].join(", ")})`];
    });
    offer(all, options, "");
    all.value = chosen;
  }

  function picked(): void {
    const fixture = fixtures.find((one) => one.path === all.value);
    if (fixture) pick(fixture);
  }

  function choose(path: string): void {
    chosen = path;
    draw();
  }

  draw();
  const fields = [field("Search names and rules", search, "grow"), field("Outcome", outcome), field("Offers", media)];
  const label = h("label", { for: others.id }, "also those that are made for other catalogs than the example");
  const content = [h("div.row", fields), h("p", others, " ", label), field("Fixtures", all), count];
  const element = h("details.picker", h("summary", "Pick a fixture"), content);
  return { element, choose };
}

function textOf(fixture: Fixture): string {
  const { path, rules, media } = fixture;
  return [path, titleOf(fixture), ...media, ...rules].join(" ");
}
