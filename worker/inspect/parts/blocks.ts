//! The pieces that all views are made of: cards, facts, chips, fields, lists, boxes that open.

import { type Child, h, put } from "../dom.ts";

/** A part of the page with a heading, which also names it for screen readers. */
export function card(title: string, children: Child[], kind = ""): HTMLElement {
  return h(`section.card.${kind}`, { "aria-label": title }, h("h2", title), children);
}

/** A short text with a meaning: `good`, `bad`, `warn`, or none. `says` is for a text of others. */
export function chip(text: string, kind = ""): HTMLElement {
  return h(`span.chip.${kind}`, text);
}

/** Names with their facts. A fact without a text is left out. */
export function facts(all: [name: Child, ...Child[]][]): HTMLElement {
  const known = all.filter(([, ...children]) => children.some((child) => child || child === 0));
  const pairs = known.map(([name, ...children]) => [h("dt", name), h("dd.says", children)]);
  return h("dl.facts", pairs);
}

/** Large figures with their names, and with a note if there is one. */
export function figures(all: readonly (readonly [name: string, value: Child, note?: string | false])[]): HTMLElement {
  const parts = all.map(([name, value, note]) =>
    h("div", h("dt", name), h("dd", h("strong", value)), note && h("dd.soft", note)),
  );
  return h("dl.figures.row", parts);
}

/** The colour of a part of a picture: `first` to `fourth`. */
export function key(name: string): HTMLElement {
  return h(`span.key.${name}`);
}

/** A list with an entry for each of the children. */
export function list(kind: string, entries: Child[]): HTMLElement {
  const items = entries.map((children) => h("li", children));
  return h(`ul.${kind}`, items);
}

/** The details of something, each a text of others. */
export function detailList(details: string[]): HTMLElement {
  return list(
    "details",
    details.map((detail) => h("span.says", detail)),
  );
}

/** An input below its label. */
export function field(label: string, input: HTMLElement, kind = ""): HTMLElement {
  return h(`div.field.${kind}`, h("label", { for: input.id }, label), input);
}

/** A value of a choice, and its text. */
export type Option = readonly [value: string, text: string];

/** The values as options whose text is the value. */
export function named(values: readonly string[]): Option[] {
  return values.map((value) => [value, value]);
}

/** Replaces the options of a choice, and chooses a value. Adds the value if it is not among the options. */
export function offer(select: HTMLSelectElement, options: readonly Option[], chosen = select.value): void {
  const isKnown = chosen === "" || options.some(([value]) => value === chosen);
  const all = isKnown ? options : [...options, ...named([chosen])];
  const elements = all.map(([value, text]) => h("option", { value }, text));
  put(select, elements);
  if (chosen !== "") select.value = chosen;
}

/** A choice among options; `chosen` is called with the value that a person chooses. */
export function choice(id: string, options: readonly Option[], chosen: (value: string) => void): HTMLSelectElement {
  const select = h("select", { id, onchange: () => chosen(select.value) });
  offer(select, options);
  return select;
}

/** A button; `quiet` looks like a link. */
export function button(text: string, onclick: () => void, kind = ""): HTMLButtonElement {
  return h(`button.${kind}`, { type: "button", onclick }, text);
}

/** A box that opens. Its content is drawn when it opens for the first time. */
export function opening(kind: string, summary: Child, inside: () => Child, open = false): HTMLDetailsElement {
  const box = h(`details.${kind}`, { open }, h("summary", summary));
  const draw = () => {
    if (box.open && box.childElementCount === 1) box.append(h("div", inside()));
  };
  box.addEventListener("toggle", draw);
  draw();
  return box;
}

/** Attributes of a scrolling box, so that the keyboard can reach it. */
export function scrolling(label: string): { tabindex: number; role: string; "aria-label": string } {
  return { tabindex: 0, role: "group", "aria-label": label };
}
