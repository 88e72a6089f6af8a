//! A list of the examples with a search field. The meanings of no-bid reasons come with the examples.

import { ask } from "../../../ask.ts";
import { h, put } from "../../../dom.ts";
import { choice, field, named, type Option, offer } from "../../../parts/blocks.ts";
import { countText, grouped, hasWords } from "../../../parts/text.ts";

/** A request with a decision that the project's tests check. */
export interface Example {
  /** `bid/NAME` or `no-bid/NAME`; `request.json` of the person's own folder. */
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
export const EXAMPLE_CATALOG = "fixtures/catalog.json";

/** The example that is the request of the person's own folder. */
const OWN = "request.json";

/** The request of the person's own folder, as an example for their own catalog. */
export function ownExample(body: string): Example {
  return { path: OWN, media: [], catalog: EXAMPLE_CATALOG, rules: [], body };
}

/** Examples that are visible without scrolling. */
const SHOWN = 8;
const MEDIA = ["banner", "video", "audio", "native", "deal"];

interface Shipped {
  examples: Example[];
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
export function titleOf({ path }: Example): string {
  return path.replace(/.*\//, "").replaceAll("-", " ");
}

/** The picker. `pick` gets the chosen example. `choose` marks an example as chosen, or none. */
export function picker(examples: Example[], pick: (example: Example) => void) {
  const search = h("input", { id: "example-search", type: "search", placeholder: "floor, deal…", oninput: draw });
  const outcome = choice("example-outcome", [["", "bids and no-bids"], ...named(["bid", "no-bid"])], draw);
  const media = choice("example-media", [["", "all media"], ...named(MEDIA)], draw);
  const others = h("input", { id: "example-others", type: "checkbox", onchange: draw });
  const all = choice("examples", [], picked);
  // A click on the chosen example undoes edits.
  all.addEventListener("click", picked);
  all.size = SHOWN;
  const count = h("p.soft", { role: "status" });
  let chosen = "";

  function draw(): void {
    const isWanted = (example: Example) =>
      (outcome.value === "" || example.path.startsWith(`${outcome.value}/`)) &&
      (media.value === "" || example.media.includes(media.value)) &&
      hasWords(textOf(example), search.value);
    const isShown = (one: Example) => others.checked || one.catalog === EXAMPLE_CATALOG || one.path === chosen;
    const matching = examples.filter(isWanted);
    const shown = matching.filter(isShown);
    const hidden = matching.length - shown.length;
    put(
      count,
      `${countText(shown.length, "example")}.`,
      hidden > 0 && ` ${grouped(hidden)} more are made for other catalogs: check the box above to see them too.`,
    );
    const options = shown.map((one): Option => {
      const [kind] = one.path.split("/");
      return [one.path, one.path === OWN ? OWN : `${titleOf(one)} (${[kind, ...one.media].join(", ")})`];
    });
    offer(all, options, "");
    all.value = chosen;
  }

  function picked(): void {
    const example = examples.find((one) => one.path === all.value);
    if (example) pick(example);
  }

  function choose(path: string): void {
    chosen = path;
    draw();
  }

  draw();
  const fields = [field("Search names and rules", search, "grow"), field("Outcome", outcome), field("Offers", media)];
  const label = h("label", { for: others.id }, "also those that are made for other catalogs than the one of npm start");
  const content = [h("div.row", fields), h("p", others, " ", label), field("Examples", all), count];
  const element = h("details.picker", h("summary", "Pick an example"), content);
  return { element, choose };
}

function textOf(example: Example): string {
  const { path, rules, media } = example;
  return [path, titleOf(example), ...media, ...rules].join(" ");
}
