//! Makes elements. A text only ever becomes a text node or the value of an attribute, never markup, so nothing that a
//! request or a creative says can run.

/** A child: an element, a text, a number as its text; null and false are left out. */
export type Child = Node | string | number | null | false | undefined;

/**
 * Attributes by name. A function is the listener of the event that the name says after `on`; `true` sets an attribute
 * without a value; false, null and undefined set none.
 */
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

/** Attributes that make a browser fetch, go somewhere or run markup. {@link h} takes them only with a value of our own. */
const LEADS_AWAY = new Set([
  "href",
  "src",
  "srcset",
  "srcdoc",
  "action",
  "formaction",
  "data",
  "style",
  "ping",
  "poster",
]);
const OWN = /^(#|\/inspect\/|data:image\/(png|gif|svg\+xml)[;,])/;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with attributes and children. Throws for an address that does not lead to the page itself. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes and children. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag) as SVGElementTagNameMap[K], attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === undefined || value === null || value === false) continue;
    else if (name.startsWith("on")) throw new Error(`${name} is not a function`);
    else if (LEADS_AWAY.has(name) && !OWN.test(String(value))) throw new Error(`${name} leads away from the page`);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, children);
  return element;
}

/** Puts children in place of the element's own. */
export function put(element: Element, children: Child[]): void {
  element.replaceChildren(
    ...children.flatMap((child) => {
      if (child === null || child === undefined || child === false) return [];
      return child instanceof Node ? child : document.createTextNode(String(child));
    }),
  );
}
