//! Reads a message of the Deal Sync API 1.0, `deal1.0.md` of the IAB Tech Lab: a deal, or a question about one. Says all
//! that is wrong with it. Attributes that the specification does not have are kept, because later versions have more.

import { isObject } from "../../../shared/compare/entry.ts";
import { type Deal, type Question, updatedAt } from "../../../shared/deals/deal.ts";
import { MAX_DEAL_DEPTH, MAX_DEAL_ENTRIES, MAX_DEAL_PROBLEMS, MAX_DEAL_TEXT } from "../../../shared/limits.ts";
import { A_TIME, DAY_MS, timeIn } from "../../../shared/time/days.ts";
import { isText, jsonIn } from "../http/body.ts";

/** Notes what is wrong with a value. */
type Check = (value: unknown, path: string, problems: string[]) => void;

const expected =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (value, path, problems) => {
    if (!holds(value)) problems.push(`${path}: ${(JSON.stringify(value) ?? "nothing").slice(0, 60)}; expected ${what}`);
  };
const isShort = (value: unknown) => isText(value, MAX_DEAL_TEXT);
const text = expected(`a text of at most ${MAX_DEAL_TEXT} characters`, isShort);
const anyText = expected("a text", (value) => isText(value));
const spelled = (what: string, form: RegExp) => expected(what, (value) => isShort(value) && form.test(String(value)));
const domain = spelled("a domain such as exchange.example", /^[\w-]+(\.[\w-]+)+$/);
const amount = (most: number) =>
  expected(`a number from 0 to ${most}`, (value) => typeof value === "number" && value >= 0 && value <= most);
const whole = (least: number, most: number) =>
  expected(`a whole number from ${least} to ${most}`, (value) => {
    return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  });
const time = expected(A_TIME, (value) => timeIn(value) !== undefined);
const list =
  (check: Check): Check =>
  (value, path, problems) => {
    if (!Array.isArray(value)) problems.push(`${path}: no list`);
    else if (value.length > MAX_DEAL_ENTRIES)
      problems.push(`${path}: ${value.length} entries; expected at most ${MAX_DEAL_ENTRIES}`);
    else for (const [at, one] of value.entries()) check(one, `${path}[${at}]`, problems);
  };
const object =
  (members: Record<string, Check>, required: string[] = []): Check =>
  (value, path, problems) => {
    if (!isObject(value)) return void problems.push(`${path || "the body"}: no object`);
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    for (const name of required) if (!(name in value)) problems.push(`${at(name)}: missing`);
    for (const [name, check] of Object.entries(members)) {
      if (Object.hasOwn(value, name)) check(value[name], at(name), problems);
    }
  };

const TERMS = object({
  ...{ startdate: time, enddate: time, dealfloor: amount(1e6), totalcost: amount(1e9) },
  countries: list(spelled("a country as three letters, such as DEU", /^[A-Z]{3}$/)),
  cur: spelled("a currency as three letters, such as USD", /^[A-Z]{3}$/),
  ...{ guar: whole(0, 1), units: whole(0, 1e12), ext: object({}) },
  pricetype: expected(
    "0 to 3, or a number from 500 on",
    (value) => [0, 1, 2, 3].includes(value as number) || (Number.isInteger(value) && Number(value) >= 500),
  ),
});
const INVENTORY = object({
  ...{ inclinventory: list(whole(1, 6)), devicetype: list(whole(0, 1000)), sellerids: list(text) },
  ...{ sitedomains: list(domain), appbundles: list(text), cat: list(text), cattax: whole(1, 1000), ext: object({}) },
});
const CURATION = object({ curator: domain, cdealid: text, curfeetype: whole(0, 4), ext: object({}) });
const DEAL = object(
  {
    ...{
      id: text,
      name: text,
      created: time,
      sellerstatus: whole(0, 4),
      origin: domain,
      seller: domain,
      desc: anyText,
    },
    ...{ wseat: list(text), bseat: list(text), adtypes: list(whole(1, 4)), auxdata: whole(0, 4) },
    ...{ pubcount: whole(0, 2), dinventory: whole(0, 2), terms: TERMS, inventory: INVENTORY, curation: CURATION },
    ext: object({ updated: time }),
  },
  ["id", "origin", "terms"],
);
const QUESTION = object({ id: text, origin: domain }, ["id"]);

/** A deal, a question, or what is wrong with the message. `now`: milliseconds since the epoch. */
export function messageIn(body: Uint8Array, now: number): { deal: Deal } | { question: Question } | string[] {
  let value: unknown;
  try {
    value = plain(jsonIn(body), "", 0);
  } catch (error) {
    return [error instanceof RangeError ? error.message : "the body is no JSON in UTF-8"];
  }
  const isQuestion = isObject(value) && Object.keys(value).every((name) => ["id", "origin", "version"].includes(name));
  const problems: string[] = [];
  (isQuestion ? QUESTION : DEAL)(value, "", problems);
  const more = problems.length - MAX_DEAL_PROBLEMS;
  if (more > 0) return [...problems.slice(0, MAX_DEAL_PROBLEMS), `and ${more} more`];
  if (problems.length > 0) return problems;
  if (isQuestion) return { question: value as unknown as Question };
  const deal = value as Deal;
  const { startdate, enddate } = deal.terms;
  if (Number(timeIn(enddate)) <= Number(timeIn(startdate))) problems.push("terms.enddate: not after startdate");
  if (deal.wseat?.length && deal.bseat?.length) problems.push("bseat: besides wseat; expected only one of the two");
  if (updatedAt(deal) > now + DAY_MS) problems.push("ext.updated: more than a day ahead of now");
  return problems.length > 0 ? problems : { deal };
}

/** Domains, which are the same in any case. */
const DOMAINS = ["origin", "seller", "sitedomains", "curator"];
/** Control characters, and those that change the direction of a text: a terminal obeys them. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The value with sorted names and without nulls and empty texts, so that equal messages have equal texts. `name`: the
 * attribute with the value.
 */
function plain(value: unknown, name: string, depth: number): unknown {
  if (depth > MAX_DEAL_DEPTH) throw new RangeError(`the body is nested more than ${MAX_DEAL_DEPTH} deep`);
  if (typeof value === "string") return shown(DOMAINS.includes(name) ? value.toLowerCase() : value, name);
  if (Array.isArray(value)) return value.map((one) => plain(one, name, depth + 1));
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null && one !== "");
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(given.map(([own, one]) => [shown(own, name), plain(one, own, depth + 1)]));
}

/** The text with a space in place of each character that a terminal would obey. Throws if it is not well-formed. */
function shown(text: string, name: string): string {
  if (!isText(text)) throw new RangeError(`${name || "a name"}: half of a surrogate pair; expected whole characters`);
  return text.replace(UNSEEN, " ");
}
