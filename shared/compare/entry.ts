//! The entries of the lists of a catalog document.

/** An entry, or a whole document. */
export type Entry = Record<string, unknown>;

export function isObject(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects in a list; none if it is no list. */
export function objectsIn(list: unknown): Entry[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The ids in a list whose entries are ids, or objects with an id under this name. */
export function idsIn(list: unknown, key: string): string[] {
  return Array.isArray(list) ? list.map((one) => String(isObject(one) ? one[key] : one)) : [];
}

/** The entries of a list by their id. */
export function byId(list: unknown, key: string): Map<string, Entry> {
  return new Map(objectsIn(list).map((entry) => [String(entry[key]), entry]));
}

/** A campaign with the attributes of its template. Only `target` is joined, attribute by attribute. */
export function withTemplate(campaign: Entry, templates: Map<string, Entry>): Entry {
  const template = templates.get(String(campaign["template"])) ?? {};
  const targets = [template["target"], campaign["target"]].filter(isObject);
  return { ...template, ...campaign, ...(targets.length === 2 && { target: Object.assign({}, ...targets) }) };
}
