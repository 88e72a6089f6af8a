//! The text of the request, in which paths can be marked. A layer behind the field has the same text with the marks.

import { h, put } from "../../../dom.ts";
import { button } from "../../../parts/blocks.ts";
import { formatted, type Place, places } from "./json.ts";

/** Lines above a mark when the text scrolls to it. */
const LINES_ABOVE = 3;

export class Editor {
  readonly element: HTMLElement;
  readonly #field: HTMLTextAreaElement;
  readonly #layer = h("pre", { "aria-hidden": "true" });
  readonly #note = h("p.soft.marks", { role: "status" });
  #paths: string[] = [];

  /** `onchange` is called after each change by a person, `onclear` when a person wants an empty field. */
  constructor(onchange: () => void, onclear: () => void) {
    this.#field = h("textarea", {
      ...{ id: "request-text", spellcheck: "false", autocomplete: "off", wrap: "off" },
      oninput: () => {
        this.#draw();
        onchange();
      },
      onscroll: () => this.#follow(),
    });
    const clear = () => {
      this.mark([]);
      this.text = "";
      onclear();
      this.#field.focus();
    };
    const format = () => {
      this.text = formatted(this.text);
      onchange();
    };
    const buttons = h("span", button("Paste your own", clear, "quiet"), button("Format", format, "quiet"));
    this.element = h(
      "div.editor",
      h("div.ends", h("label", { for: "request-text" }, "Request, OpenRTB JSON"), buttons),
      h("div.text", this.#layer, this.#field),
      this.#note,
    );
  }

  get text(): string {
    return this.#field.value;
  }

  set text(text: string) {
    if (text === this.#field.value) return;
    this.#field.value = text;
    this.#draw();
  }

  /**
   * Marks what is at these paths, and scrolls the page and the text to the first one. Of a path that is not there, what
   * holds it is marked.
   */
  mark(paths: string[]): void {
    this.#paths = paths;
    const all = places(this.text);
    const missing = paths.filter((path) => !all.has(path));
    const rest = missing.length > 0 ? ` (not in the request: ${missing.join(", ")})` : "";
    put(this.#note, paths.length > 0 && `Marked: ${paths.join(", ")}${rest}`);
    const [first] = this.#draw();
    if (first === undefined) return;
    const line = this.text.slice(0, first.from).split("\n").length - 1;
    const height = Number.parseFloat(getComputedStyle(this.#field).lineHeight);
    this.#field.scrollTop = Math.max(0, (line - LINES_ABOVE) * height);
    this.#field.scrollLeft = 0;
    this.element.scrollIntoView({ block: "nearest" });
    this.#follow();
  }

  /** Draws the layer. Returns the marks in the order of the text. */
  #draw(): Place[] {
    const { text } = this;
    const all = places(text);
    const marks = this.#paths
      .flatMap((path) => nearest(path, all) ?? [])
      .sort((a, b) => a.from - b.from || b.end - a.end)
      .filter(({ from }, n, sorted) => sorted.slice(0, n).every((before) => from >= before.end));
    let at = 0;
    const parts = marks.map(({ from, end }) => {
      const part = [text.slice(at, from), h("mark", text.slice(from, end))];
      at = end;
      return part;
    });
    // A line break at the end needs something behind it to have a height.
    put(this.#layer, parts, `${text.slice(at)} `);
    this.#follow();
    return marks;
  }

  #follow(): void {
    this.#layer.scrollTop = this.#field.scrollTop;
    this.#layer.scrollLeft = this.#field.scrollLeft;
  }
}

/** What is at the path, or at the path above it that is there; not the whole document. */
function nearest(path: string, all: Map<string, Place>): Place | undefined {
  const above = path.replace(/(\.[^.[\]]*|\[\d+\]|^[^.[\]]*)$/, "");
  return path === above ? undefined : (all.get(path) ?? nearest(above, all));
}
