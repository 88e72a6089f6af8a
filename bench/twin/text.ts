//! Compares domains, categories and words as the targeting rules need it, case-insensitive.

/** A set of texts in lower case; null, meaning no rule, for an absent or empty list. */
export function lowerSet(list: readonly string[] | undefined): Set<string> | null {
  if (!list || list.length === 0) return null;
  const set = new Set<string>();
  for (const text of list) set.add(text.toLowerCase());
  return set;
}

/** A set of domains for `isWithin`. */
export function domainSet(list: readonly string[] | undefined): Set<string> | null {
  if (!list || list.length === 0) return null;
  const set = new Set<string>();
  for (const domain of list) {
    const lowered = domain.toLowerCase();
    const bare = lowered.startsWith("www.") ? lowered.slice(4) : lowered;
    if (bare !== "") set.add(bare);
  }
  return set;
}

/** The host in a text, in any spelling; empty if there is none. */
export function hostOf(text: string): string {
  if (/^[\w-]+(\.[\w-]+)*$/.test(text)) return text;
  const [, rest = ""] = /^(?:[a-z0-9+.-]*:)?\/\/(.*)$/is.exec(text.trim()) ?? ["", text.trim()];
  const authority = rest.split(/[/?#\\]/, 1)[0] ?? "";
  const host = authority.slice(authority.lastIndexOf("@") + 1).split(":", 1)[0] ?? "";
  return host.replace(/^(\*\.)+/, "").replace(/^\.+|\.+$/g, "");
}

/** The hosts in one entry of a list. */
export function hostsOf(entry: string): string[] {
  return entry
    .split(/[,;| \t\r\n]/)
    .map(hostOf)
    .filter((host) => host !== "");
}

/** Whether a domain (in lower case) or one of its parents is in the set. */
export function isWithin(domain: string, set: ReadonlySet<string>): boolean {
  if (set.has(domain)) return true;
  for (let dot = domain.indexOf("."); dot !== -1; dot = domain.indexOf(".", dot + 1)) {
    if (set.has(domain.slice(dot + 1))) return true;
  }
  return false;
}

/** The parent of a category of Content Taxonomy 1.0: `iab7` of `iab7-39`. */
export function parentCategory(cat: string): string {
  const dash = cat.indexOf("-");
  return dash === -1 ? cat : cat.slice(0, dash);
}

/** Whether a category (in lower case) or its parent is in the set. */
export function isUnder(cat: string, set: ReadonlySet<string>): boolean {
  return set.has(cat) || set.has(parentCategory(cat));
}

/** The language without its region, in lower case: `en` of `en-US`. */
export function languageOf(tag: string): string {
  return (tag.split(/[-_]/, 1)[0] ?? "").toLowerCase();
}
