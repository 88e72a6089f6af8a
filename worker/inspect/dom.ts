//! Makes elements. A text only becomes a text node or the value of an attribute, never markup, so no text of a request
//! or a creative can run.

/** A child: an element, a text, a number as its text, or a list of children; null and false are left out. */
export type Child = Node | string | number | null | false | undefined | readonly Child[];

/**
 * Attributes by name. A function is the listener of the event in the name, after `on`; `true` sets an attribute without
 * a value; false, null and undefined set none.
 */
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

type Tags = HTMLElementTagNameMap;

/**
 * Attributes that make a browser fetch, navigate or run markup. {@link h} accepts them only with an address of the page
 * itself or an inline picture.
 */
const LEADS_AWAY = "href src srcset srcdoc action formaction data style ping poster".split(" ");
const OWN = /^(#|\/inspect\/|data:image\/(png|gif|svg\+xml)[;,])/;

/**
 * An element such as `p` or `span.chip.good`, with its attributes, if there are any, and its children. Throws for an
 * address that does not lead to the page itself.
 */
export function h<Tag extends keyof Tags>(
  selector: Tag | `${Tag}.${string}`,
  ...content: [Attributes, ...Child[]] | Child[]
): Tags[Tag] {
  const [tag = "", ...classes] = selector.split(".");
  const element = document.createElement(tag as Tag);
  element.classList.add(...classes.filter(Boolean));
  for (const one of content) {
    if (!isAttributes(one)) element.append(...nodesOf(one));
    else for (const [name, value] of Object.entries(one)) set(element, name, value);
  }
  return element;
}

function isAttributes(one: Attributes | Child): one is Attributes {
  return typeof one === "object" && one !== null && Object.getPrototypeOf(one) === Object.prototype;
}

function set(element: Element, name: string, value: Attributes[string]): void {
  if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
  else if (value === undefined || value === null || value === false) return;
  else if (name.startsWith("on")) throw new Error(`${name} is not a function`);
  else if (LEADS_AWAY.includes(name) && !OWN.test(String(value))) throw new Error(`${name} leads away from the page`);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Replaces the element's children. */
export function put(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.flatMap(nodesOf));
}

function nodesOf(child: Child): (Node | string)[] {
  if (Array.isArray(child)) return child.flatMap(nodesOf);
  if (child === null || child === undefined || child === false) return [];
  return [child instanceof Node ? child : String(child)];
}
