//! The entries of the lists of a catalog document.

/** An entry, or a whole document. */
export type Entry = Record<string, unknown>;

export function isObject(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The entries of a list by their id. */
export function byId(list: unknown, key: string): Map<string, Entry> {
  return new Map((Array.isArray(list) ? list : []).map((entry: Entry) => [String(entry[key]), entry]));
}

/** A campaign with the attributes of its template. Only `target` is joined, attribute by attribute. */
export function withTemplate(campaign: Entry, templates: Map<string, Entry>): Entry {
  const template = templates.get(String(campaign["template"])) ?? {};
  const targets = [template["target"], campaign["target"]].filter(isObject);
  return { ...template, ...campaign, ...(targets.length === 2 && { target: Object.assign({}, ...targets) }) };
}
