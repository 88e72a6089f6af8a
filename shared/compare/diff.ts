//! Lists the differences between two catalog documents: by campaign, template, creative, list, order, SSP, rate and
//! setting.

import { byId, type Entry, idsIn, isObject, objectsIn, withTemplate } from "./entry.ts";
import { valuesOf } from "./lists.ts";
import { firstOf } from "./text.ts";

/** One entry of a catalog that was added, removed or changed. */
export interface Change {
  /** The list of the document that has the entry; `settings` for an attribute outside the lists. */
  list: keyof typeof KEYS | "settings";
  /** The entry's id; for a setting, the attribute's name. */
  id: string;
  change: "added" | "removed" | "changed";
  /** The differences within the entry, one line each. */
  details: string[];
  /** For a creative or a template: the campaigns that use it. */
  campaigns?: string[];
  /** The file and line of the new entry, such as `eu.yaml:12`; null if it is in JSON or was removed. */
  at?: string | null;
}

/** The lists of a document, with the attribute that is an entry's id. */
export const KEYS = {
  ...{ campaigns: "cid", templates: "id", creatives: "crid", lists: "id", orders: "id" },
  ...{ ssps: "id", rates: "cur" },
} as const;

const LISTS = Object.entries(KEYS) as [keyof typeof KEYS, string][];

/** The longest text that is shown. For a longer text, only its length is shown. */
const LONGEST_TEXT = 60;

export function diff(before: Entry, after: Entry): Change[] {
  const changes = LISTS.flatMap(([list, key]) => {
    const [old, now] = [before, after].map((document) => entriesOf(document, list, key)) as [Entries, Entries];
    const ids = new Set([...old.keys(), ...now.keys()]);
    return [...ids].flatMap((id) => entryChange(list, id, ...withoutHashes(old.get(id), now.get(id))));
  });
  for (const change of changes) {
    if (change.list === "creatives") change.campaigns = campaignsWith(change.id, before, after);
    if (change.list === "templates") change.campaigns = campaignsOf(change.id, before, after);
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const [list] of LISTS) names.delete(list);
  const settings = [...names].flatMap((name): Change[] => {
    const details = differences(before[name], after[name], name);
    return details.length > 0 ? [{ list: "settings", id: name, change: "changed", details }] : [];
  });
  return [...changes, ...settings];
}

type Entries = Map<string, Entry>;

/** The entries of a list. Prices are shown with their currency, which may come from a campaign's template. */
function entriesOf(document: Entry, list: Change["list"], key: string): Entries {
  const entries = byId(document[list], key);
  if (list !== "campaigns" && list !== "templates") return entries;
  const templates = byId(document["templates"], "id");
  const curOf = (entry: Entry) => withTemplate(entry, templates)["cur"] ?? "USD";
  return new Map([...entries].map(([id, entry]) => [id, withPrice(entry, curOf(entry))]));
}

/** SSPs with a number in place of each token: with the hashes of tokens, somebody could try tokens offline. */
function withoutHashes(old: Entry | undefined, now: Entry | undefined): [typeof old, typeof now] {
  const known: unknown[] = [];
  const numberOf = (hash: unknown) => known.indexOf(hash) + 1 || known.push(hash);
  const hidden = (ssp: Entry | undefined) => {
    if (ssp?.["credentials"] === undefined) return ssp;
    return { ...ssp, credentials: [ssp["credentials"]].flat().map((hash) => `token ${numberOf(hash)}`) };
  };
  return [hidden(old), hidden(now)];
}

function entryChange(list: Change["list"], id: string, old: Entry | undefined, now: Entry | undefined): Change[] {
  if (!old) return [{ list, id, change: "added", details: now ? summary(list, now) : [] }];
  if (!now) return [{ list, id, change: "removed", details: [] }];
  const details = list === "lists" ? valuesDifference(valuesOf(old), valuesOf(now)) : differences(old, now, "");
  return details.length > 0 ? [{ list, id, change: "changed", details }] : [];
}

/** The attributes of a new entry, one line each. */
function summary(list: Change["list"], entry: Entry): string[] {
  if (list === "lists") return [`${valuesOf(entry).length} values`];
  return attributes(entry, "").filter((line) => !line.startsWith(`${KEYS[list as keyof typeof KEYS]} `));
}

function attributes(entry: Entry, path: string): string[] {
  return Object.entries(entry).flatMap(([name, value]) =>
    isObject(value) ? attributes(value, `${path}${name}.`) : [`${path}${name} ${text(value)}`],
  );
}

/** The numbers of values added to and removed from a shared list, and the first of them. */
function valuesDifference(old: unknown[], now: unknown[]): string[] {
  const some = (verb: string, values: unknown[]): string[] => {
    return values.length === 0 ? [] : [`${verb} ${values.length} values: ${firstOf(values.map(text))}`];
  };
  const changes = [...some("added", without(now, old)), ...some("removed", without(old, now))];
  if (changes.length > 0) return [`${old.length} → ${now.length} values`, ...changes];
  return JSON.stringify(old) === JSON.stringify(now) ? [] : ["another order"];
}

/** The entry with the currency in its price. */
function withPrice(entry: Entry, shown: unknown): Entry {
  if (!("max_cpm" in entry)) return entry;
  const { cur, ...rest } = entry;
  return { ...rest, max_cpm: priceText(entry["max_cpm"], shown) };
}

/** A price as a decimal. An integer is in micros. */
function priceText(price: unknown, cur: unknown): string {
  if (typeof price === "string") return `${price} ${cur}`;
  if (!Number.isInteger(price) || Number(price) < 0) {
    return `${typeof price === "number" ? "the number " : ""}${JSON.stringify(price)}, no price`;
  }
  const digits = String(price).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, "")} ${cur}`;
}

/** The campaigns that show a creative, or whose template does. */
function campaignsWith(crid: string, ...documents: Entry[]): string[] {
  return campaignsThat((campaign, templates) => {
    const creatives = campaign["creatives"] ?? templates.get(String(campaign["template"]))?.["creatives"];
    return idsIn(creatives, "crid").includes(crid);
  }, documents);
}

/** The campaigns that have a template. */
function campaignsOf(template: string, ...documents: Entry[]): string[] {
  return campaignsThat((campaign) => campaign["template"] === template, documents);
}

function campaignsThat(is: (campaign: Entry, templates: Entries) => boolean, documents: Entry[]): string[] {
  const ids = documents.flatMap(({ campaigns, templates }) => {
    const known = byId(templates, "id");
    const all = objectsIn(campaigns).filter((campaign) => is(campaign, known));
    return all.map(({ cid }) => String(cid));
  });
  return [...new Set(ids)];
}

/** The attributes in which two entries differ, in words. */
export function differences(old: unknown, now: unknown, path: string): string[] {
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const where = path === "" ? "" : `${path}: `;
  if (isObject(old) && isObject(now)) {
    const names = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...names].flatMap((name) => differences(old[name], now[name], path === "" ? name : `${path}.${name}`));
  }
  if (Array.isArray(old) && Array.isArray(now)) return [`${where}${listDifference(old, now)}`];
  if (old === undefined) return [`${where}now ${text(now)}, was not set`];
  if (now === undefined) return [`${where}no longer set, was ${text(old)}`];
  if (isLong(old) || isLong(now)) {
    return [`${where}another text (${String(old).length} → ${String(now).length} characters)`];
  }
  return [`${where}${text(old)} → ${text(now)}`];
}

function listDifference(old: unknown[], now: unknown[]): string {
  const added = without(now, old);
  const removed = without(old, now);
  if (added.length + removed.length === 0) return "another order";
  return [
    ...(added.length > 0 ? [`added ${firstOf(added.map(text))}`] : []),
    ...(removed.length > 0 ? [`removed ${firstOf(removed.map(text))}`] : []),
  ].join("; ");
}

/** The values of `list` that remain after each value of `others` has removed one equal value. */
function without(list: unknown[], others: unknown[]): unknown[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(JSON.stringify(other), (counts.get(JSON.stringify(other)) ?? 0) + 1);
  return list.filter((value) => {
    const count = counts.get(JSON.stringify(value)) ?? 0;
    counts.set(JSON.stringify(value), count - 1);
    return count <= 0;
  });
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length > LONGEST_TEXT;
}

function text(value: unknown): string {
  const whole = Array.isArray(value)
    ? value.map(text).join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
  return whole.length > LONGEST_TEXT ? `${whole.slice(0, LONGEST_TEXT)}…` : whole;
}
