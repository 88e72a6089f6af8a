//! The text of the request, in which paths can be marked. A layer behind the field has the same text with the marks.
//! The layer sets the size of both, and the box around them scrolls.

import { type Child, h, put } from "../../../dom.ts";
import { button } from "../../../parts/blocks.ts";
import { formatted, type Span, spans } from "./json.ts";

export class Editor {
  readonly element: Child;
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
    const buttons = [button("Paste your own", clear, "quiet"), button("Format", format, "quiet")];
    const label = h("label", { for: "request-text" }, "Request, OpenRTB JSON");
    const text = h("div.text", this.#layer, this.#field);
    this.element = [h("div.row.ends", label, h("span.row", buttons)), text, this.#note];
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
   * Marks the values at these paths, and scrolls the page and the text to the first one. If a path does not exist,
   * marks the object or list that would hold it.
   */
  mark(paths: string[]): void {
    this.#paths = paths;
    const all = spans(this.text);
    const missing = paths.filter((path) => !all.has(path));
    const rest = missing.length > 0 ? ` (not in the request: ${missing.join(", ")})` : "";
    put(this.#note, paths.length > 0 && `Marked: ${paths.join(", ")}${rest}`);
    this.#draw();
    this.#layer.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }

  #draw(): void {
    const { text } = this;
    const all = spans(text);
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
    // A line break at the end has a height only if text follows.
    put(this.#layer, parts, `${text.slice(at)} `);
  }
}

/** The value at the path, or at the nearest existing path above it, but not the whole document. */
function nearest(path: string, all: Map<string, Span>): Span | undefined {
  const above = path.replace(/(\.[^.[\]]*|\[\d+\]|^[^.[\]]*)$/, "");
  return path === above ? undefined : (all.get(path) ?? nearest(above, all));
}
